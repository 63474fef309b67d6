// Draws one state with tournament-organizer: seconds of its call, rematches, pairs across groups,
// squares.
//
// usage: node pair_tournament_organizer.mjs <state.json> <folder with node_modules>
// The state is {"players": n, "rounds": [[[player, opponent or -1, points, his points], ...], ...]}.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [stateFile, folder] = process.argv.slice(2);
const library = join(resolve(folder), "node_modules/tournament-organizer/dist/index.js");
const { default: Manager } = await import(pathToFileURL(library));
const state = JSON.parse(readFileSync(stateFile, "utf8"));

const points = new Array(state.players).fill(0);
const met = Array.from({ length: state.players }, () => new Set());
const played = Array.from({ length: state.players }, () => []);
const matches = [];

const games = (own, other) => {
  if (own === other) return { win: 1, loss: 1, draw: 1 };
  return own > other ? { win: 2, loss: 0, draw: 0 } : { win: 0, loss: 2, draw: 0 };
};

state.rounds.forEach((tables, index) => {
  const before = points.slice();
  tables.forEach(([one, other, first, second], table) => {
    const id = `round ${index + 1} table ${table + 1}`;
    const bye = other < 0;
    const crosses = !bye && before[one] !== before[other];
    const sides = [[one, other, first, second]];
    if (!bye) sides.push([other, one, second, first]);
    for (const [player, opponent, own, his] of sides) {
      points[player] += own;
      played[player].push({
        id, opponent: bye ? null : String(opponent), pairUpDown: crosses, seating: null, bye,
        ...games(own, his),
      });
      if (!bye) met[player].add(opponent);
    }
    matches.push({
      id, round: index + 1, match: table + 1, active: false, bye, loss: false,
      player1: { id: String(one), ...games(first, second) },
      player2: bye
        ? { id: null, win: 0, loss: 0, draw: 0 }
        : { id: String(other), ...games(second, first) },
      path: { win: null, loss: null }, meta: {},
    });
  });
});

const round = state.rounds.length;
const tournament = new Manager().loadTournament({
  id: "state", name: "state", status: "stage-one", round, seating: false, sorting: "none",
  scoring: { bestOf: 3, win: 3, draw: 1, loss: 0, bye: 3, tiebreaks: [] },
  stageOne: { format: "swiss", consolation: false, rounds: round + 1, initialRound: 1, maxPlayers: 0 },
  stageTwo: { format: null, consolation: false, advance: { value: 0, method: "all" } },
  players: played.map((list, player) => ({
    id: String(player), name: String(player), active: true, value: 0, matches: list, meta: {},
  })),
  matches, meta: {},
});

const started = performance.now();
tournament.nextRound();
const seconds = (performance.now() - started) / 1000;

let [rematches, across, squares] = [0, 0, 0];
for (const match of tournament.getMatchesByRound(round + 1)) {
  const [one, other] = [match.getPlayer1().id, match.getPlayer2().id];
  if (one === null || other === null) continue;
  const gap = points[+one] - points[+other];
  if (met[+one].has(+other)) rematches += 1;
  if (gap !== 0) across += 1;
  squares += gap * gap;
}
console.log(seconds, rematches, across, squares);
