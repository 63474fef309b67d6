"""A client for a Scrutineer server, made from its description, server/openapi.json.

Do not edit it: SCRUTINEER_REWRITE_SCHEMAS=1 cargo test --test it clients:: writes it anew.
It needs Python 3.10 and nothing else.
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Dict, Iterator, List, Literal, Optional, TypedDict, Union


class Refused(Exception):
    """The server said no: `code` is stable, `problem` has everything that it said."""

    def __init__(self, status: int, problem: dict):
        self.status, self.problem = status, problem
        self.code: str = problem.get("code", "")
        super().__init__(f"{problem.get('detail') or problem.get('title') or status} [{self.code}]")


def _part(value: Any) -> str:
    return urllib.parse.quote(str(value), safe="")


def _word(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


#: Longer than this, in seconds, nobody waits for a program.
_LONGEST = 60


def _seconds_to_wait(error: urllib.error.HTTPError) -> Optional[float]:
    """For how long whoever asks too fast is told to wait; None: nobody says so, or it is too long."""
    told = error.headers.get("Retry-After") or ""
    is_told = error.code == 429 and told.isdecimal() and int(told) <= _LONGEST
    return float(told) if is_told else None


class Client:
    """Asks a server, such as Client("http://127.0.0.1:7780", token="scr_...")."""

    def __init__(self, url: str, token: Optional[str] = None, timeout: float = 40.0, waits: bool = True):
        self.url, self.token, self.timeout = url.rstrip("/") + "/api/v1", token, timeout
        #: Whether it waits as long as it is told where it asks too fast, twice at most, and then asks again.
        self.waits = waits
        #: The ETag of the last answer, for `if_none_match` and `if_match`.
        self.etag: Optional[str] = None
        #: The path of the next page of the last answer, where there is one.
        self.next: Optional[str] = None

    def _open(self, method: str, path: str, query: dict, headers: dict, body: Any = None):
        asked = {name: _word(value) for name, value in query.items() if value is not None}
        url = self.url + path + ("?" + urllib.parse.urlencode(asked) if asked else "")
        sent = {name: str(value) for name, value in headers.items() if value is not None}
        if self.token:
            sent["Authorization"] = "Bearer " + self.token
        data = None
        if isinstance(body, str):
            data, sent["Content-Type"] = body.encode(), "text/plain"
        elif isinstance(body, (bytes, bytearray)):
            data, sent["Content-Type"] = bytes(body), "application/octet-stream"
        elif body is not None:
            data, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        request = urllib.request.Request(url, data=data, headers=sent, method=method)
        return urllib.request.urlopen(request, timeout=self.timeout)

    def _ask(self, method: str, path: str, query: dict, headers: dict, body: Any = None) -> Any:
        # What only reads, or has a key under which it is done once, may be sent again.
        again = method == "GET" or "Idempotency-Key" in headers
        for wait in (0.5, 2.0, None):
            try:
                with self._open(method, path, query, headers, body) as answer:
                    return self._read(answer)
            except urllib.error.HTTPError as error:
                if error.code == 304:
                    return None
                # Of what came too fast nothing was done.
                told = _seconds_to_wait(error) if self.waits else None
                is_later = told is not None or (again and error.code in (503, 504))
                if wait is None or not is_later:
                    raise Refused(error.code, _problem(error)) from None
                wait = wait if told is None else told
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                # Nobody answers, or the answer breaks off.
                if not (again and wait is not None):
                    raise
            time.sleep(wait)

    def _read(self, answer: Any) -> Any:
        self.etag = answer.headers.get("ETag")
        link = answer.headers.get("Link") or ""
        self.next = link.split(">")[0].lstrip("<") if 'rel="next"' in link else None
        data = answer.read()
        kind = answer.headers.get("Content-Type") or "text/"
        if "json" not in kind and not kind.startswith("text/"):
            return data
        text = data.decode()
        if "ndjson" in kind:
            return [json.loads(line) for line in text.split("\n") if line]
        return json.loads(text) if text and "json" in kind else text or None

    def watch(self, id: str, last_event_id: Optional[str] = None) -> Iterator[Dict[str, Any]]:
        """Says what happens as it happens: `event`, `id` and `data` of each, until the stream ends."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": last_event_id}
        try:
            stream = self._open("GET", f"/tournaments/{_part(id)}/live", {}, headers)
        except urllib.error.HTTPError as error:
            raise Refused(error.code, _problem(error)) from None
        with stream:
            told: Dict[str, Any] = {}
            for line in (raw.decode().rstrip("\r\n") for raw in stream):
                name, _, value = line.partition(":")
                if line == "" and told:
                    if "data" in told:
                        told["data"] = json.loads(told["data"])
                        yield told
                    told = {}
                elif name in ("event", "id", "data"):
                    told[name] = value.removeprefix(" ")

