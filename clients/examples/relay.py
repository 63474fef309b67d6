"""Takes the deliveries of a webhook, checks them, and passes them on to an address of https.

    PYTHONPATH=clients/python python3 clients/examples/relay.py 127.0.0.1:8090 secret.txt https://example.org/hook

The server posts to https by itself: this is for a receiver that checks no signature. The server is started with
`scrutineer serve --webhooks-to 127.0.0.1:8090`, the webhook goes to http://127.0.0.1:8090/, and its secret stands
in a file. What is not signed with it is refused; the receiver gets the same headers, and its answer is passed
back, so the server tries again what did not arrive.
"""

import base64
import hashlib
import hmac
import http.server
import pathlib
import sys
import time
import urllib.error
import urllib.request

NAMES = ("webhook-id", "webhook-timestamp", "webhook-signature", "content-type")
OLDEST = 5 * 60


def is_signed(secret: str, headers, body: bytes) -> bool:
    """Returns whether a delivery comes from whoever has the secret, and not from a while ago."""
    sent, when = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not when.isdigit() or abs(time.time() - int(when)) > OLDEST:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = hmac.new(key, f"{sent}.{when}.".encode() + body, hashlib.sha256).digest()
    wanted = "v1," + base64.b64encode(signed).decode()
    each = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one, wanted) for one in each)


def pass_on(to: str, headers, body: bytes) -> int:
    kept = {name: headers[name] for name in NAMES if name in headers}
    try:
        with urllib.request.urlopen(urllib.request.Request(to, body, kept), timeout=8) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code
    except OSError:
        return 502


def main() -> None:
    listen, secret, to = sys.argv[1:]
    host, port = listen.rsplit(":", 1)
    secret = pathlib.Path(secret).read_text().strip()

    class Relay(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            self.send_response(pass_on(to, self.headers, body) if is_signed(secret, self.headers, body) else 401)
            self.end_headers()

        def log_message(self, *_) -> None:
            pass

    server = http.server.ThreadingHTTPServer((host, int(port)), Relay)
    print(f"http://{host}:{server.server_port}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
