

def _problem(error: urllib.error.HTTPError) -> dict:
    try:
        return json.loads(error.read().decode())
    except (OSError, http.client.HTTPException, ValueError):
        return {"title": error.reason}
