// What a reader picks of a checked page (docs/PAGE.md): a player with their matches, a record, the brackets.

import { resultText, sentenceOf, standing } from './shown.js';

/** The players that stand, by what they are called: each `number` and `name`. */
export function playersOf(all) {
  const players = [...all.players.values()].filter(({ stands }) => stands);
  const named = players.map(({ number }) => ({ number, name: all.names(number) }));
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  return named.sort((a, b) => compare(a.name, b.name));
}

// A result with the player's own score first; of a table of more than two as it is.
const own = (all, result, seat) => {
  if (seat === 0 || result.score.seats.length !== 2) return resultText(all, result);
  const { score, rulings } = result;
  return resultText(all, { ...result, score: { ...score, seats: [...score.seats].reverse() }, rulings: [...rulings].reverse() });
};

/** The matches and byes of a player as a grid, in the rounds that are shown. */
export function matchesOf(all, number) {
  const rows = all.rounds.filter(all.isShown).sort((a, b) => a.number - b.number).flatMap((round) => {
    const byes = round.byes.filter(({ player }) => player === number);
    const matches = round.matches.filter(({ seq, seats }) => !all.gone.has(seq) && seats.some(({ player }) => player === number));
    return [
      ...matches.map((match) => {
        const seat = match.seats.findIndex(({ player }) => player === number);
        const last = match.results.at(-1);
        const others = match.seats.filter(({ player }) => player !== number).map(({ player }) => all.names(player));
        const result = last === undefined ? standing(all, match) : own(all, last.result, seat) + (last.corrected ? ', corrected' : '');
        return [String(round.number), match.table === null ? '' : String(match.table), result, others.join(' · ')];
      }),
      ...byes.map(({ kind }) => [String(round.number), '', kind, '']),
    ];
  });
  return { head: ['round', 'table', 'result', 'opponent'], rows };
}

/** What the row of a player in the standings says, in a line; null where there is none. */
export function placeOf(all, number, sections) {
  const found = sections.find(({ kind, grid }) => kind === 'standings' && grid !== undefined);
  const row = found?.grid.rows.find((cells) => cells[1] === all.names(number));
  if (row === undefined) return null;
  const values = found.grid.head.map((label, at) => (at > 1 && row[at] !== '' ? `${label} ${row[at]}` : null));
  const place = `${found.heading}: place ${row[0]}`;
  return [place, ...values.filter((value) => value !== null)].join(' · ');
}

/** What a record says, and the first digits of its hash; null where there is none, or nobody has seen it. */
export function recordOf(all, bundle, seq) {
  const record = all.records[seq - 1];
  if (record === undefined) return null;
  const { kind, event } = record;
  const match = all.matches.get(kind === 'PairingMade' ? seq : event.pairing);
  if (match !== undefined && !(match.of && (all.isShown(match.of) || !match.of.stands))) return null;
  const result = event.result === undefined || match === undefined ? null : `${sentenceOf(all, match)}: ${resultText(all, event.result)}`;
  const made = kind === 'PairingMade' ? sentenceOf(all, match) : null;
  const last = match?.results.at(-1);
  const now = last === undefined ? null : `The result that stands: ${standing(all, match)}`;
  return { kind, words: result ?? made, now, isGone: all.gone.has(seq), hash: bundle.hashes[seq - 1] };
}

// Who goes on from a match: by ruling, otherwise by score.
function winnerOf(match) {
  if (match.advanced !== null) return match.advanced;
  const result = match.results.at(-1)?.result;
  if (result === undefined || match.seats.length !== 2) return null;
  const ruled = result.rulings.indexOf('win');
  if (ruled >= 0) return match.seats[ruled]?.player ?? null;
  const [one, two] = result.score.seats.map(([first]) => first ?? 0);
  if (one === two) return null;
  return match.seats[one > two ? 0 : 1].player;
}

const STAGES = new Map([[1, 'Final'], [2, 'Semi-finals'], [4, 'Quarter-finals']]);
const PARTS = [[1, 'Upper bracket'], [2, 'Lower bracket'], [3, 'Grand final']];

// A round of a bracket: its matches from top to bottom, each with its seats.
function stageOf(all, round, group, seeds, heading) {
  const seat = (player, score, winner) => ({
    seed: seeds.get(player) ?? '', name: all.names(player), score, won: winner === player, lost: winner !== null && winner !== player,
  });
  const matches = round.matches.filter((match) => !all.gone.has(match.seq) && (group === null || match.group === group));
  const byes = round.byes.filter(() => group === null || group === 1);
  const placed = [
    ...matches.map((match) => {
      const winner = winnerOf(match);
      const scores = match.results.at(-1)?.result.score.seats ?? [];
      const seats = match.seats.map(({ player }, at) => seat(player, String(scores[at]?.[0] ?? ''), winner));
      const head = match.table === null ? '' : `table ${match.table}`;
      return { at: match.slot ?? match.table ?? 0, head, seats, winner };
    }),
    ...byes.map(({ player, bracket_slot: slot }) => ({ at: slot ?? 0, head: 'bye', seats: [seat(player, '', player)], winner: player })),
  ];
  return { heading, matches: placed.sort((a, b) => a.at - b.at) };
}

/** The brackets that are shown: each a `heading` and `stages` of matches; those that are to come too. */
export function bracketsOf(all) {
  return [...all.phases].filter(([, { kind }]) => kind.endsWith('elimination')).flatMap(([phase, { kind, entrants }]) => {
    const rounds = all.rounds.filter((round) => round.phase === phase && all.isShown(round)).sort((a, b) => a.number - b.number);
    const seeds = new Map(entrants.map((player, at) => [player, String(at + 1)]));
    const top = `Bracket of ${entrants.length}`;
    if (rounds.length === 0) return [];
    if (kind === 'double elimination') {
      return PARTS.flatMap(([group, part]) => {
        const stages = rounds.map((round) => stageOf(all, round, group, seeds, `Round ${round.number}`));
        const seen = stages.filter(({ matches }) => matches.length > 0);
        return seen.length === 0 ? [] : [{ heading: `${top} · ${part}`, stages: seen }];
      });
    }
    const stages = rounds.map((round) => stageOf(all, round, null, seeds, ''));
    while (stages.at(-1).matches.length > 1) stages.push(next(all, stages.at(-1).matches, seeds));
    for (const stage of stages) {
      const count = 2 ** Math.ceil(Math.log2(stage.matches.length));
      stage.heading = STAGES.get(count) ?? `Round of ${2 * count}`;
    }
    return [{ heading: top, stages }];
  });
}

// The round that follows on these matches.
function next(all, matches, seeds) {
  const seat = ({ winner }) => ({
    seed: winner === null ? '' : seeds.get(winner) ?? '', name: winner === null ? 'not known yet' : all.names(winner), score: '', won: false, lost: false,
  });
  const pairs = matches.filter((_, at) => at % 2 === 0).map((one, at) => matches.slice(2 * at, 2 * at + 2));
  return { heading: '', matches: pairs.map((pair) => ({ head: 'to come', seats: pair.map(seat), winner: null })) };
}


