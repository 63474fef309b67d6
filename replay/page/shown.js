// What the page shows, made from checked records, tables and entries (docs/PAGE.md): its title and
// its sections in their order.

import { UNSEEN, rulesetHash } from './bundle.js';
import { timeInWords } from './record.js';
import { fraction } from './table.js';

// What turns the direction of what stands beside it.
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const unturned = (text) => text.replace(TURNING, '\ufffd');

// A name as people compare it.
const folded = (name) => {
  const unseen = new RegExp(`[${UNSEEN}]`, 'gu');
  const seen = name.replace(unseen, '').normalize('NFKC').replace(unseen, '');
  return seen.toUpperCase().toLowerCase().replace(/\p{White_Space}+/gu, ' ').trim();
};

// Letters that are drawn like Latin ones, folded, each before the one it looks like.
const LOOKS = 'аaвbсcеeнhіiјjкkмmоoрpѕsтtуyхxԁdԛqԝwαaβbεeηhιiκkμmνnοoρpτtυyχx';
const LIKE = new Map(LOOKS.match(/../gu).map(([from, to]) => [from, to]));

// A name as it looks.
const looks = (name) => [...folded(name)].map((letter) => LIKE.get(letter) ?? letter).join('');

/** What the records of a checked bundle say, as far as the page shows it. */
export function facts(bundle) {
  const { records } = bundle;
  const texts = new Map(bundle.entries.map((entry) => [`${entry.number} ${entry.field}`, entry.text]));
  const of = (field, commitment) => {
    const text = texts.get(`${commitment?.number} ${field}`);
    return text === undefined ? null : unturned(text);
  };
  const gone = new Set(records.filter((one) => one.kind === 'Withdrawn').map((one) => one.event.seq));
  const all = {
    gone, texts: of, opened: null, rules: [], players: new Map(), phases: new Map(), rounds: [],
    matches: new Map(), results: new Map(), staff: new Map(), ratings: new Map(), rated: new Map(), records,
  };
  for (const record of records) gather(all, record);
  all.names = namesOf(all);
  all.isShown = (round) => round.stands && !isUnseen(all, round);
  return all;
}

function gather(all, { seq, kind, event }) {
  const stands = !all.gone.has(seq);
  const round = all.rounds.findLast((one) => one.number === event.round);
  const match = all.matches.get(event.pairing);
  if (kind === 'TournamentOpened') all.opened ??= event;
  if (kind === 'TournamentOpened' || (kind === 'RulesetAmended' && event.from_round === null)) all.rules = event.ruleset;
  if (kind === 'StaffNamed') all.staff.set(event.actor, event.name);
  if (kind === 'PlayerEnrolled') {
    all.players.set(event.player, { number: event.player, name: event.name, stands });
  }
  if (kind === 'PlayerRated') all.rated.set(seq, all.ratings.get(event.player) ?? null);
  if (kind === 'PlayerEnrolled' || kind === 'PlayerRated') all.ratings.set(event.player, event.rating);
  if (kind === 'PlayerIdentified' && all.players.has(event.player)) {
    all.players.get(event.player).name = event.name;
  }
  if (kind === 'PhaseStarted' && stands) all.phases.set(event.phase, event);
  if (kind === 'RoundOpened') {
    const { round: number, phase } = event;
    all.rounds.push({ seq, number, phase, stands, matches: [], byes: [], published: null, done: null });
  }
  if (kind === 'PairingsPublished' && stands && round) round.published = seq;
  if (kind === 'RoundCompleted' && stands && round) round.done = seq;
  if (kind === 'PairingMade') {
    const made = {
      seq, of: round, round: event.round, table: event.table, seats: event.seats, results: [],
      group: event.group, slot: event.bracket_slot, advanced: null,
    };
    all.matches.set(seq, made);
    if (stands && round) round.matches.push(made);
  }
  if (kind === 'PlayerAdvanced' && stands && match) match.advanced = event.player;
  if (kind === 'ByeGiven' && stands && round) round.byes.push(event);
  if (kind === 'ResultRecorded' || kind === 'ResultCorrected') {
    all.results.set(seq, event.result);
    if (stands && match) match.results.push({ result: event.result, corrected: kind === 'ResultCorrected' });
  }
}

// Whether a round stands and the players have not seen it: it is drawn, and neither published nor
// completed, nor has anybody a result in it.
const isUnseen = (all, round) => {
  const hasResult = (match) => !all.gone.has(match.seq) && match.results.length > 0;
  return round.stands && round.published === null && round.done === null && !round.matches.some(hasResult);
};

// By number; who is called like somebody else is told apart by it.
function namesOf(all) {
  const plain = new Map();
  for (const player of all.players.values()) {
    plain.set(player.number, all.texts('Name', player.name) ?? `player ${player.number}`);
  }
  const counts = new Map();
  for (const player of all.players.values()) {
    const key = looks(plain.get(player.number));
    if (player.stands) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const told = new Map([...plain].map(([number, name]) => {
    return [number, isolated(counts.get(looks(name)) > 1 ? `${name} (${number})` : name)];
  }));
  return (number) => told.get(number) ?? isolated(`player ${number}`);
}

// What people typed, so that the direction of its letters turns round nothing beside it.
const isolated = (text) => (text === null ? null : `\u2068${unturned(text)}\u2069`);

// What a file says nobody did at a desk: it has the time at which it came in.
const isAtADesk = (record) => record.actor !== 0;

// A time to the second, in UTC.
const timeOf = ({ time }) => {
  const words = timeInWords(time);
  return words.endsWith('Z') ? `${words.slice(0, 10)} ${words.slice(11, 19)} UTC` : '-';
};

// When something was recorded, where that says when it happened.
const whenOf = (all, seq) => {
  const record = all.records[seq - 1];
  return record !== undefined && isAtADesk(record) ? timeOf(record) : null;
};

// To the actor of a player on a device of their own their number is added.
const PLAYERS = 0x40000000;

// Who recorded something, as last named.
const whoOf = (all, { actor }) => all.texts('Staff', all.staff.get(actor))
  ?? (actor > PLAYERS && actor < 2 * PLAYERS ? all.names(actor - PLAYERS).slice(1, -1) : `actor ${actor}`);

// A ruleset's id, and that it is not shipped where it is none that comes with the program; null where
// there is none. SHIPPED are the hashes of those; they stand in the script.
const rulesetNamed = (files) => {
  if (files.length === 0) return null;
  return isolated(files[0].name) + (SHIPPED.includes(rulesetHash(files)) ? '' : ' (not shipped)');
};

const counted = (count, one) => `${count} ${one}${count === 1 ? '' : 's'}`;
const padded = (number, length) => String(number).padStart(length, '0');

/**
 * The title, the line below it, and the sections: each has its `kind`, a `heading`, `lines`, and a
 * `list` or a `grid` of `head` and `rows`. What people typed stands between U+2068 and U+2069.
 */
export function shown(bundle, all = facts(bundle)) {
  const rounds = all.rounds.filter(all.isShown).sort((a, b) => a.number - b.number);
  const stream = bundle.header?.stream ?? '';
  const day = all.opened?.held_on;
  const players = [...all.players.values()].filter((player) => player.stands);
  const about = [
    day ? `${padded(day.year, 4)}-${padded(day.month, 2)}-${padded(day.day, 2)}` : null,
    counted(players.length, 'player'),
    nameless(bundle, all, players),
    counted(rounds.length, 'round'),
    rulesetNamed(all.rules),
    ...all.records.slice(-1).map((last) => `as of ${timeOf(last)}`),
  ];
  return {
    title: all.texts('Title', all.opened?.title) ?? `Tournament ${stream.slice(0, 8)}`,
    about: about.filter((part) => part !== null).join(' · '),
    sections: [
      ...standings(bundle, all),
      ...rounds.map((round) => roundOf(all, round)),
      changes(all),
      { kind: 'records', heading: 'Records', lines: recordLines(bundle) },
    ],
  };
}

// How many names a page with names does not give.
function nameless(bundle, all, players) {
  if (bundle.entries.length === 0) return null;
  const count = players.filter(({ name }) => all.texts('Name', name) === null).length;
  return count > 0 ? `${counted(count, 'name')} not given` : null;
}

function recordLines(bundle) {
  const last = bundle.checkpoints.list.slice(-1);
  return [
    `${counted(bundle.hashes.length, 'record')}, head ${bundle.previous}`,
    ...last.map((one) => `Last checkpoint: ${counted(one.size, 'record')}, root ${one.root}`),
  ];
}

// A hash by which people compare: its first 32 digits, in fours.
const digits = (hash) => hash.slice(0, 32).replace(/(.{4})(?=.)/g, '$1 ');

// For each phase its last round that an announcement knew.
function lastRounds(all, announced, through) {
  const rounds = all.rounds.filter(({ seq, number }) => seq < announced && number <= through);
  // A number that was given again is the later round's.
  const phases = new Map(rounds.map(({ number, phase }) => [number, phase]));
  const last = new Map();
  for (const [number, phase] of phases) last.set(phase, Math.max(number, last.get(phase) ?? 0));
  return last;
}

// Whether a value says that the player is still in: a round beyond the last one, in which nobody
// has gone out of a bracket.
const isStillIn = (id, value, last) => {
  if (id !== 'knocked_out') return false;
  const [num, den] = fraction(value);
  return num > BigInt(last) * den;
};

// Those of the last announcement whose table is there; of later ones how many there are, so that whoever
// takes lines out of a file does not choose which standings count as the last.
function standings(bundle, all) {
  const table = bundle.tables.at(-1);
  const announced = all.records.filter(({ kind }) => kind === 'StandingsAnnounced');
  const later = announced.filter(({ seq }) => seq > (table?.announced ?? 0)).length;
  const what = table === undefined ? 'announced table' : 'later announced table';
  const missing = later > 0 ? [`Not in this file: ${counted(later, what)}`] : [];
  if (table !== undefined) return lastStandings(bundle, all, table, missing);
  return missing.length > 0 ? [{ kind: 'standings', heading: 'Standings', lines: missing }] : [];
}

function lastStandings(bundle, all, table, missing) {
  const record = bundle.record(table.announced);
  const { through_round: through, ruleset, table: hash } = record.event;
  const known = bundle.header?.rulesets.find((one) => one.hash === ruleset);
  const rules = rulesetNamed(known?.files ?? []) ?? digits(ruleset);
  const after = through === 0 ? 'before round 1' : `after round ${through}`;
  const when = whenOf(all, table.announced);
  const at = when === null ? '' : `, ${when},`;
  const line = `Announced in record ${table.announced}${at} under ${rules}, table ${digits(hash)}`;
  const isLater = ({ seq, kind, event }) => seq > table.announced && kind === 'ResultCorrected' && all.matches.get(event.pairing)?.round <= through;
  const later = all.records.filter(isLater).map(({ seq }) => seq);
  const corrected = later.length === 0 ? [] : [`Results were corrected since, which this table does not count: record ${later.join(', ')}`];
  const steps = new Map(table.phases.map((phase) => [phase.phase, phase.steps]));
  const columns = [];
  for (const [id, label] of table.phases.flatMap((phase) => phase.steps)) {
    if (id !== null && !columns.some((one) => one.id === id)) columns.push({ id, label });
  }
  const phases = table.phases.length > 1;
  const head = ['#', 'player', ...(phases ? ['phase'] : []), ...columns.map((one) => isolated(one.label)), 'decided by'];
  const last = lastRounds(all, table.announced, through);
  const shares = (row, other) => other !== undefined && row[0] === other[0];
  const rows = table.rows.map((row, at) => {
    const [rank, player, phase, values, decided] = row;
    const own = steps.get(phase);
    const isShared = shares(row, table.rows[at - 1]) || shares(row, table.rows[at + 1]);
    const value = ({ id }) => {
      const step = own.findIndex((one) => one[0] === id);
      if (step < 0 || isStillIn(id, values[step], last.get(phase) ?? 0)) return '';
      return rounded(values[step], own[step][1]);
    };
    return [
      `${isShared ? '=' : ''}${rank}`,
      all.names(player),
      ...(phases ? [String(phase)] : []),
      ...columns.map(value),
      decidedBy(decided, own),
    ];
  });
  return [{ kind: 'standings', heading: `Standings ${after}`, lines: [line, ...corrected, ...missing], grid: { head, rows } }];
}

function decidedBy(decided, steps) {
  if (decided === null) return '';
  if (typeof decided === 'number') return isolated(steps[decided][1]);
  return { phase: 'did not advance', lots: 'lots', tied: 'tied', 'lots pending': 'tied, lots not drawn' }[decided];
}

/**
 * A fraction as people read it: whole, or with four digits behind the point, halves away from 0. What
 * is labelled with a `%` is a percentage.
 */
export function rounded(text, label) {
  const [part, den] = fraction(text);
  const percent = label.endsWith('%');
  const num = percent ? part * 100n : part;
  if (den === 1n && !percent) return String(num);
  const size = num < 0n ? -num : num;
  const digits = (size * 20000n + den) / (2n * den);
  const sign = num < 0n && digits > 0n ? '-' : '';
  return `${sign}${digits / 10000n}.${padded(digits % 10000n, 4)}${percent ? '%' : ''}`;
}

function roundOf(all, round) {
  const kind = all.phases.size > 1 && all.phases.has(round.phase) ? ` · ${all.phases.get(round.phase).kind}` : '';
  const open = round.done === null ? ' · not completed' : '';
  const table = (match) => match.table ?? Infinity;
  const matches = round.matches.filter((match) => !all.gone.has(match.seq));
  matches.sort((a, b) => (table(a) === table(b) ? a.seq - b.seq : table(a) - table(b)));
  const pairs = matches.every((match) => match.seats.length === 2);
  const head = pairs ? ['table', 'player', 'result', 'opponent'] : ['table', 'players', 'result'];
  const rows = matches.map((match) => {
    const names = match.seats.map((seat) => all.names(seat.player));
    const result = standing(all, match);
    const number = match.table === null ? '' : String(match.table);
    return pairs ? [number, names[0], result, names[1]] : [number, names.join(' · '), result];
  });
  for (const bye of round.byes) {
    const name = all.names(bye.player);
    rows.push(pairs ? ['', name, bye.kind, ''] : ['', name, bye.kind]);
  }
  return { kind: 'round', heading: `Round ${round.number}${kind}${open}`, lines: timesOf(all, round), grid: { head, rows } };
}

// When a round was paired, published and completed; nothing of what came in as a file.
function timesOf(all, round) {
  const steps = [['paired', round.seq], ['published', round.published], ['completed', round.done]];
  const times = steps.map(([what, seq]) => [what, seq === null ? null : whenOf(all, seq)]);
  const known = times.filter(([, when]) => when !== null).map(([what, when]) => `${what} ${when}`);
  return known.length > 0 ? [known.join(' · ')] : [];
}

/** The result that stands. */
export function standing(all, match) {
  const last = match.results.at(-1);
  if (last === undefined) return 'no result';
  return resultText(all, last.result) + (last.corrected ? ', corrected' : '');
}

// A game of chess by what was ruled or scored, when it was played and when somebody was not there.
const PLAYED = { 'win/loss': '1-0', 'loss/win': '0-1', 'draw/draw': '½-½', 'draw/loss': '½-0', 'loss/draw': '0-½', 'loss/loss': '0-0' };
const FORFEITED = { 'win/loss': '+/-', 'loss/win': '-/+', 'loss/loss': '-/-' };
const SCORED = { '1 0 0': 'win/loss', '0 1 0': 'loss/win', '0 0 1': 'draw/draw', ' 0': '', '  0': '', '0 0 0': '' };

// The result of a single game where a ruleset names its first seat, which is white; undefined: it is another one.
function ofChess(all, { score, rulings, how }) {
  const drawn = score.table.reduce((sum, value) => sum + value, 0);
  const scored = SCORED[`${score.seats.map((lines) => lines.join('/')).join(' ')} ${drawn}`];
  const ruled = rulings.join('/');
  if (scored === undefined || (scored !== '' && ruled !== '' && scored !== ruled)) return undefined;
  const isItsLine = (line) => line.includes('=') && line.split('=')[0].trim() === 'first_seat';
  // It is asked for each result; rules that are amended are another list.
  if (all.chess?.rules !== all.rules) all.chess = { rules: all.rules, is: all.rules.some(({ text }) => text.split('\n').some(isItsLine)) };
  return all.chess.is ? (how === 'forfeit' || how === 'no-show' ? FORFEITED : PLAYED)[ruled || scored] : undefined;
}

/** A result by its seats: `2-1`, `2-0-1`, `ruled win/loss (no-show)`; in chess `1-0`, `+/- (no-show)`. */
export function resultText(all, result) {
  const { score, rulings, how } = result;
  const ended = how === 'played' || how === 'unknown' ? '' : `(${how})`;
  const chess = ofChess(all, result);
  if (chess !== undefined) return [chess, ended].filter((part) => part !== '').join(' ');
  const seats = score.seats.map((lines) => lines.join('/'));
  const table = score.table.some((value) => value !== 0) ? score.table.map((value) => `-${value}`).join('') : '';
  const scores = seats.some((text) => text !== '') ? seats.join('-') + table : '';
  const isPostponed = result.grade === 'postponed' && rulings.length > 0 && rulings.every((one) => one === 'no result');
  const words = `ruled ${rulings.map((one) => one ?? '-').join('/')}`;
  const ruled = isPostponed ? 'postponed' : rulings.some((one) => one !== null) ? words : '';
  return [scores, ruled, ended].filter((part) => part !== '').join(' ') || 'no score';
}

function changes(all) {
  const list = all.records.flatMap((record) => {
    const { seq, kind, event } = record;
    const round = all.matches.get(kind === 'PairingMade' ? seq : event.pairing)?.of;
    if (round && isUnseen(all, round)) return [];
    const sentence = TOLD[kind]?.(event, all, seq) ?? null;
    const by = isAtADesk(record) ? `, ${timeOf(record)}, ${isolated(whoOf(all, record))}` : '';
    return sentence === null ? [] : [{ players: concerned(all, record), told: `Record ${seq}${by}: ${sentence}` }];
  });
  const of = (number) => list.filter(({ players }) => players.includes(number)).map(({ told }) => told);
  return { kind: 'changes', heading: 'Changes and rulings', lines: list.length > 0 ? [] : ['There were none.'], list: list.map(({ told }) => told), of };
}

// The players that a record is about; a ruling and what is withdrawn are about those of what they name.
function concerned(all, { seq, kind, event }) {
  const of = { DisputeRuled: event.dispute, Withdrawn: event.seq }[kind] ?? seq;
  if (of < seq) return concerned(all, all.records[of - 1]);
  const seats = all.matches.get(kind === 'PairingMade' ? seq : event.pairing)?.seats ?? [];
  return [event.player, event.by, ...seats.map(({ player }) => player)];
}

const matchOf = (all, seq) => {
  const match = all.matches.get(seq);
  return match === undefined ? `the match of record ${seq}` : sentenceOf(all, match);
};

/** A match: where it was, and whose. */
export const sentenceOf = (all, match) => {
  const names = match.seats.map((seat) => all.names(seat.player)).join(' against ');
  return match.table === null ? `round ${match.round}, ${names}` : `round ${match.round} table ${match.table}, ${names}`;
};

const from = (round) => (round === null ? '' : ` from round ${round}`);

// One sentence for each event that changed or ruled something; null where nothing is told.
const TOLD = {
  PlanAmended: () => 'the plan of the phases changes',
  RulesetAmended: (event) => `${rulesetNamed(event.ruleset) ?? 'no ruleset'} is in force${from(event.from_round)}`,
  SignerChanged: () => 'another key signs the checkpoints',
  SeedRecommitted: () => 'the pairing commitment is replaced',
  KeyRetired: (event) => `a key is not to be trusted beyond ${counted(event.last_size, 'record')}`,
  LogRestored: (event) => `the log was restored from a copy; ${counted(event.known_size, 'record')} had been attested`,
  PlayerDropped: (event, all) => {
    const how = { left: 'drops', 'no-show': 'is dropped as a no-show', disqualified: 'is disqualified' };
    const when = event.after_round === 0 ? 'before round 1' : `after round ${event.after_round}`;
    return `${all.names(event.player)} ${how[event.why]} ${when}`;
  },
  PlayerDivisionChanged: (event, all) => (event.division === null
    ? `${all.names(event.player)} is of no division`
    : `${all.names(event.player)} is of the division ${isolated(event.division)}`),
  PlayerRated: (event, all, seq) => {
    const before = all.rated.get(seq);
    const now = event.rating === null ? 'has no rating' : `has the rating ${event.rating}`;
    return `${all.names(event.player)} ${now}${before === null ? '' : ` (was ${before})`}`;
  },
  ByeRequested: (event, all) => {
    const bye = `${event.kind === 'awarded bye' ? 'an' : 'a'} ${event.kind}`;
    return `${all.names(event.player)} asks for ${bye} in round ${event.round}`;
  },
  DivisionsPaired: (event) => (event.apart
    ? 'divisions are paired apart from now on'
    : 'all divisions are paired together from now on'),
  DivisionRounds: (event) => (event.rounds === null
    ? `${isolated(event.division)} plays as many rounds as everybody`
    : `${isolated(event.division)} plays ${counted(event.rounds, 'round')}`),
  TableKept: (event, all) => (event.table === null
    ? `${all.names(event.player)} keeps no table`
    : `${all.names(event.player)} keeps table ${event.table}`),
  TablesSet: (event) => (event.ranges.length === 0
    ? 'the tables are numbered from 1'
    : `the hall has the tables ${event.ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(', ')}`),
  PlayerReinstated: (event, all) => `${all.names(event.player)} is back${from(event.from_round)}`,
  PairingMade: (event, all, seq) => {
    return event.origin.kind === 'set by hand' ? `${matchOf(all, seq)}: set by hand` : null;
  },
  ResultCorrected: (event, all) => {
    const wrong = all.results.get(event.replaces);
    const not = wrong === undefined ? '' : `, not ${resultText(all, wrong)}`;
    const why = event.dispute === null ? '' : `, after the dispute of record ${event.dispute}`;
    return `${matchOf(all, event.pairing)}: ${resultText(all, event.result)}${not}${why}`;
  },
  PenaltyGiven: (event, all) => {
    const at = event.pairing === null ? '' : `, ${matchOf(all, event.pairing)}`;
    const waits = event.pairing === null && event.kind !== 'warning' ? ' in the next match' : '';
    return `${all.names(event.player)} gets a ${event.kind}${waits}${at}`;
  },
  PlayerAdvanced: (event, all) => `${all.names(event.player)} goes on by ruling, ${matchOf(all, event.pairing)}`,
  DisputeOpened: (event, all) => {
    const who = event.by === null ? 'somebody' : all.names(event.by);
    return `${who} disputes ${matchOf(all, event.pairing)}`;
  },
  DisputeRuled: (event) => `the dispute of record ${event.dispute} is ${event.upheld ? 'upheld' : 'denied'}`,
  LotsDrawn: (event) => {
    if (event.first_place !== 1) return null;
    return `lots are drawn, ${event.source === 'the seed' ? 'from the seed' : event.source}`;
  },
  Withdrawn: (event, all) => {
    const record = all.records.find((one) => one.seq === event.seq);
    return `record ${event.seq} is withdrawn: ${UNDONE[record?.kind] ?? 'it'} never happened`;
  },
};

const UNDONE = {
  PlayerEnrolled: 'that enrollment', PlayerDropped: 'that drop', PlayerReinstated: 'that return',
  ByeRequested: 'that request', PlayerCheckedIn: 'that check-in',
  PhaseStarted: 'that start of a phase', PhaseEnded: 'that end of a phase',
  RoundOpened: 'that round', PairingsPublished: 'that publishing', RoundCompleted: 'that completion',
  PairingMade: 'that pairing', ByeGiven: 'that bye', ResultRecorded: 'that result',
  ResultCorrected: 'that correction', PenaltyGiven: 'that penalty', PlayerAdvanced: 'that ruling',
  DisputeOpened: 'that dispute', DisputeRuled: 'that ruling', LotsDrawn: 'that draw of lots',
  TournamentClosed: 'that closing',
};
