

def _problem(error: urllib.error.HTTPError) -> dict:
    try:
        return json.loads(error.read().decode())
    except ValueError:
        return {"title": error.reason}
