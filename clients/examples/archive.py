"""Keeps the bundles of all tournaments of a server in a folder, such as every night from cron.

    PYTHONPATH=clients/python python3 clients/examples/archive.py http://127.0.0.1:7780 archive

A bundle that did not change is not written again, and none is there half-written. `scrutineer bundle verify`
checks each, and `scrutineer bundle import archive` brings them into a store.

It reads what everybody may read. A tournament whose organizer keeps its records for programs with a token is named, the
others are kept all the same, and it ends with exit code 1; with --token it is kept too.
"""

import argparse
import os
import pathlib
import sys

from scrutineer import Client, Refused


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("url")
    reader.add_argument("folder", type=pathlib.Path)
    reader.add_argument("--token", help="one of the owner's, such as scr_...")
    asked = reader.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    client, written, unchanged, refused = Client(asked.url, token=asked.token), 0, 0, 0
    for one in client.list_tournaments()["tournaments"]:
        id, title = one["tournament"]["id"], one["tournament"].get("title") or "untitled"
        file = asked.folder / f"{id}.bundle"
        try:
            bundle = client.get_bundle(id)
        except Refused as why:
            print(f"{title} ({id[:8]}) is not kept: {why}", file=sys.stderr)
            refused += 1
            continue
        if file.exists() and file.read_bytes() == bundle:
            unchanged += 1
            continue
        beside = file.with_suffix(".part")
        with open(beside, "wb") as out:
            out.write(bundle)
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, file)
        written += 1
    print(f"{written} written, {unchanged} unchanged, {refused} refused")
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
