"""Keeps the bundles of all tournaments of a server in a folder, such as every night from cron.

    PYTHONPATH=clients/python python3 clients/examples/archive.py http://127.0.0.1:7780 archive

A bundle that did not change is not written again, and none is there half-written. `scrutineer bundle verify`
checks each, and `scrutineer bundle import archive` brings them into a store.
"""

import os
import pathlib
import sys

from scrutineer import Client


def main() -> None:
    url, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    client, written, unchanged = Client(url), 0, 0
    for one in client.list_tournaments()["tournaments"]:
        id = one["tournament"]["id"]
        file = folder / f"{id}.bundle"
        bundle = client.get_bundle(id)
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
    print(f"{written} written, {unchanged} unchanged")


if __name__ == "__main__":
    main()
