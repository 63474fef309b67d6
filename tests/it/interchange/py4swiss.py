"""Reads reports whose paths come in, and tells of each the points, the next pairing, or why not."""
import json
import sys
from pathlib import Path

from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

for path in sys.stdin.read().splitlines():
    told = {"path": path, "points": None, "pairs": None, "why": ""}
    try:
        trf = TrfParser.parse(Path(path))
        told["points"] = {p.starting_number: p.points_times_ten for p in trf.player_sections}
        told["pairs"] = sorted([p.white, p.black] for p in DutchEngine.generate_pairings(trf))
    except Exception as error:  # whatever it fails over is an answer
        told["why"] = f"{type(error).__name__} {error}"
    print(json.dumps(told), flush=True)
