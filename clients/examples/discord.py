"""Announces a tournament in a Discord channel: pairings that are out, results, corrections, the end.

    PYTHONPATH=clients/python python3 clients/examples/discord.py http://127.0.0.1:7780 Friday \
        --webhook https://discord.com/api/webhooks/...

It reads what everybody may read, so it needs no token. It goes on behind the event that --after names,
and waits for the next one on the server. With --once it ends when there is nothing more to tell.
"""

import argparse
import json
import urllib.request

from scrutineer import Client

KINDS = ("pairings published", "result", "result corrected", "standings announced", "tournament closed")


def announce(webhook: str, text: str) -> None:
    # Nobody is called by a name that somebody typed.
    said = {"content": text[:1900], "allowed_mentions": {"parse": []}}
    headers = {"Content-Type": "application/json", "User-Agent": "scrutineer-example"}
    request = urllib.request.Request(webhook, json.dumps(said).encode(), headers)
    with urllib.request.urlopen(request, timeout=30):
        pass


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("url")
    reader.add_argument("tournament")
    reader.add_argument("--webhook", required=True)
    reader.add_argument("--after", type=int, default=0)
    reader.add_argument("--once", action="store_true")
    asked = reader.parse_args()
    client, after = Client(asked.url), asked.after
    while True:
        lines = client.get_log(asked.tournament, after=after, wait=None if asked.once else 25)["log"]
        for line in lines:
            if line["kind"] in KINDS:
                announce(asked.webhook, line["sentence"])
            after = line["seq"]
        if asked.once and not lines:
            return


if __name__ == "__main__":
    main()
