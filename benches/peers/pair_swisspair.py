"""Draws one state with swisspair: seconds of its call, rematches, pairs across groups, squares.

usage: pair_swisspair.py <state.json> plain|power
The state is {"players": n, "rounds": [[[player, opponent or -1, points, his points], ...], ...]}.
"""

import json
import sys
import time

import swisspair

with open(sys.argv[1]) as file:
    state = json.load(file)
count = state["players"]
points = [0] * count
met = [set() for _ in range(count)]
had_bye = [False] * count
for tables in state["rounds"]:
    for one, other, first, second in tables:
        points[one] += first
        if other < 0:
            had_bye[one] = True
        else:
            points[other] += second
            met[one].add(other)
            met[other].add(one)

standings = sorted(range(count), key=lambda player: -points[player])
players = [
    swisspair.Player(
        id=str(player),
        points=points[player],
        rank=rank,
        can_get_bye=not had_bye[player],
        cannot_be_paired_against_ids={str(other) for other in met[player]},
    )
    for rank, player in enumerate(standings, 1)
]
started = time.perf_counter()
matches = swisspair.create_matches(players, sys.argv[2] == "power")
seconds = time.perf_counter() - started

pairs = [(int(match.p1.id), int(match.p2.id)) for match in matches if not match.is_bye]
rematches = sum(other in met[one] for one, other in pairs)
gaps = [abs(points[one] - points[other]) for one, other in pairs]
print(seconds, rematches, sum(gap > 0 for gap in gaps), sum(gap * gap for gap in gaps))
