// Every event's fields (docs/FORMAT.md, "Structs", "Codes" and "Events").

import {
  blob, bool, code, hash, i32, list, option, Reader, ruling, string, struct, tuple, u16, u32, u64,
  u8, Unreadable,
} from './payload.js';

const Per = code({ 1: 'seat', 2: 'table' });
const PhaseKind = code({
  1: 'swiss', 2: 'single elimination', 3: 'double elimination', 4: 'round robin', 5: 'pods',
});
const ByeKind = code({
  1: 'bye', 2: 'awarded bye', 3: 'half bye', 4: 'zero bye', 5: 'awarded loss', 6: 'vacant',
});
const DropReason = code({ 1: 'left', 2: 'no-show', 3: 'disqualified' });
const How = code({
  1: 'played', 2: 'conceded', 3: 'forfeit', 4: 'no-show', 5: 'agreed draw', 6: 'unknown',
});
const OriginKind = code({ 1: 'drawn', 2: 'set by hand', 3: 'as given' });
const Because = code({
  1: 'first round', 2: 'same points', 3: 'odd group', 4: 'rematch avoided',
  5: 'unavoidable rematch', 6: 'next in the order', 7: 'bracket', 8: 'seeds', 9: 'schedule',
  10: 'pod', 11: 'pairing engine', 12: 'colors', 20: 'lowest points', 21: 'lowest in the order', 22: 'second bye avoided',
  23: 'unavoidable second bye', 24: 'awarded beforehand', 25: 'free place in the bracket',
  26: 'opponent gone', 27: 'left over', 28: 'requested',
});
const PenaltyKind = code({ 1: 'warning', 2: 'game loss', 3: 'match loss' });
const LotsSource = code({ 1: 'the seed', 2: 'by hand', 3: 'as published' });
const UnknownFact = code({
  1: 'sign-up order', 2: 'times', 3: 'tables', 4: 'kind of bye', 5: 'drops', 6: 'games',
  7: 'how matches ended', 8: 'earlier rounds', 9: 'seeds',
});

/** The codes of the fields of private texts. */
export const FIELDS = {
  Title: 1, Name: 2, PublisherId: 3, Staff: 4, Reason: 5, Note: 6, File: 7, Other: 8,
};

// The digest of a private text; `field` says of which, and is not in the bytes.
const commitment = (field) => ({ ...struct({ number: u32, digest: hash }), field });
const Title = commitment('Title');
const Name = commitment('Name');
const PublisherId = commitment('PublisherId');
const Staff = commitment('Staff');
const Reason = commitment('Reason');
const Note = commitment('Note');
const File = commitment('File');
const Other = commitment('Other');

const Day = struct({ year: u16, month: u8, day: u8 });
const ScoreLine = struct({ name: string, per: Per, min: i32, max: i32, unit: string });
const Scoresheet = struct({ lines: list(ScoreLine), best_of: option(u8) });
const RulesetFile = struct({ name: string, text: string });
const PlannedPhase = struct({
  kind: PhaseKind, rounds: option(u16), players: option(u32), scoresheet: option(Scoresheet),
});
const TableRange = struct({ first: u32, last: u32 });
const PassedOver = struct({ player: u32, reason: Reason });
const RoundWeight = struct({ num: u16, den: u16 });
const DrawUsed = struct({
  method: string, version: u16, draw: u32, seed: hash, dice: option(blob),
});
const Seat = struct({ player: u32, role: u8 });
const Origin = struct({ kind: OriginKind, because: option(Because), reason: option(Reason) });
const Score = struct({ seats: list(list(i32)), table: list(i32) });
const Part = struct({ number: u16, score: Score, rulings: list(option(ruling)) });
const MatchResult = struct({
  score: Score,
  rulings: list(option(ruling)),
  how: How,
  grade: option(string),
  penalties_served: list(u64),
  parts: list(Part),
});

const EVENTS = {
  1: ['TournamentOpened', {
    title: Title, held_on: option(Day), scoresheet: Scoresheet, ruleset: list(RulesetFile),
    plan: list(PlannedPhase), seed_commitment: option(hash), signer: option(hash),
  }],
  2: ['PlanAmended', { plan: list(PlannedPhase), reason: Reason }],
  3: ['RulesetAmended', { ruleset: list(RulesetFile), from_round: option(u16), reason: Reason }],
  4: ['SignerChanged', { signer: hash, reason: Reason }],
  5: ['SeedRecommitted', { seed_commitment: hash, reason: Reason }],
  6: ['Imported', {
    source_file: hash, source_event: Other, format: string, file: File,
    unknown: list(UnknownFact),
  }],
  7: ['TournamentClosed', {}],
  8: ['NoteAdded', { note: Note, about: option(u64) }],
  9: ['StaffNamed', { actor: u32, name: Staff }],
  10: ['KeyRetired', { key: hash, last_size: u64, reason: Reason }],
  11: ['LogRestored', { known_size: u64, known_root: hash, reason: Reason }],
  12: ['TextsForgotten', { numbers: list(u32) }],
  20: ['PlayerEnrolled', {
    player: u32, name: Name, publisher_id: option(PublisherId), sign_up: option(u32),
    from_round: u16, awarded_byes: u8, rating: option(i32), division: option(string),
    members: list(Name),
  }],
  21: ['PlayerIdentified', { player: u32, name: Name }],
  22: ['PlayerCheckedIn', { player: u32 }],
  23: ['PlayerDropped', { player: u32, why: DropReason, after_round: u16 }],
  24: ['PlayerReinstated', { player: u32, from_round: u16 }],
  25: ['PlayerDivisionChanged', { player: u32, division: option(string), reason: Reason }],
  26: ['ByeRequested', { player: u32, round: u16, kind: ByeKind }],
  27: ['PlayerDescribed', { player: u32, title: option(string), federation: option(string) }],
  28: ['PlayerRated', { player: u32, rating: option(i32) }],
  29: ['PlayerIdCorrected', { player: u32, publisher_id: option(PublisherId) }],
  30: ['PhaseStarted', {
    phase: u16, kind: PhaseKind, first_seed: u32, entrants: list(u32), group_sizes: list(u32),
    passed_over: list(PassedOver), scoresheet: option(Scoresheet),
  }],
  31: ['PhaseEnded', { phase: u16 }],
  32: ['DivisionsPaired', { apart: bool, merged: list(list(string)) }],
  33: ['DivisionRounds', { division: string, rounds: option(u16) }],
  40: ['RoundOpened', {
    round: u16, phase: u16, phase_round: u16, weight: RoundWeight, drawn: option(DrawUsed),
  }],
  41: ['PairingMade', {
    round: u16, table: option(u32), seats: list(Seat), group: option(u32),
    bracket_slot: option(u32), origin: Origin,
  }],
  42: ['ByeGiven', {
    round: u16, player: u32, kind: ByeKind, reported: option(Score), bracket_slot: option(u32),
    origin: Origin,
  }],
  43: ['PairingsPublished', { round: u16 }],
  44: ['RoundCompleted', { round: u16 }],
  45: ['EnginePaired', {
    round: u16, engine: string, version: option(string), arguments: string, input: hash,
    output: string,
  }],
  50: ['ResultClaimed', { pairing: u64, seat: u8, result: MatchResult }],
  51: ['ScoreNoted', { pairing: u64, score: Score }],
  52: ['ResultRecorded', { pairing: u64, result: MatchResult }],
  53: ['ResultCorrected', {
    pairing: u64, replaces: u64, result: MatchResult, reason: Reason, dispute: option(u64),
  }],
  54: ['PenaltyGiven', { player: u32, kind: PenaltyKind, pairing: option(u64), reason: Reason }],
  55: ['PlayerAdvanced', { pairing: u64, player: u32, reason: Reason }],
  56: ['DisputeOpened', { pairing: u64, by: option(u32), claim: Reason }],
  57: ['DisputeRuled', { dispute: u64, upheld: bool, reason: Reason }],
  60: ['LotsDrawn', {
    source: LotsSource, first_place: u32, order: list(u32), seed: option(tuple(u32, hash)),
  }],
  61: ['StandingsAnnounced', {
    head: u64, through_round: u16, ruleset: hash, fold_version: u32, table: hash,
  }],
  70: ['Withdrawn', { seq: u64, reason: Reason }],
  100: ['TableKept', { player: u32, table: option(u32) }],
  101: ['TablesSet', { ranges: list(TableRange) }],
};

const KINDS = new Map(Object.entries(EVENTS).map(([kind, [name, fields]]) => {
  return [Number(kind), { name, type: struct(fields), fields: Object.entries(fields) }];
}));

/**
 * The event of a payload: its name, its fields, its readable form and the commitments in it.
 * Throws `Unreadable`.
 */
export function readEvent(kind, schema, payload) {
  const known = KINDS.get(kind);
  if (known === undefined || schema !== 1) {
    throw new Unreadable(`an event of kind ${kind}, version ${schema} is not known`);
  }
  const reader = new Reader(payload);
  const event = known.type.read(reader);
  if (reader.at !== payload.length) throw new Unreadable('bytes are left over in its payload');
  return {
    kind: known.name,
    event,
    spelled: known.type.spell(event),
    commitments: commitmentsOf(known.name, event),
  };
}

// Where commitments can stand, besides a field of their own.
function commitmentsOf(kind, event) {
  const found = [];
  const add = (field, value) => {
    if (value) found.push({ field, number: value.number, digest: value.digest });
  };
  add('Title', event.title);
  add('Reason', event.reason);
  add('Reason', event.claim);
  add('Note', event.note);
  add('File', event.file);
  add('Other', event.source_event);
  add('PublisherId', event.publisher_id);
  add('Reason', event.origin?.reason);
  add(kind === 'StaffNamed' ? 'Staff' : 'Name', event.name);
  for (const member of event.members ?? []) add('Name', member);
  for (const one of event.passed_over ?? []) add('Reason', one.reason);
  return found;
}
