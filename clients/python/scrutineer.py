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


#: What was changed of accounts, links and tokens.
AccountChanges = TypedDict("AccountChanges", {
    "changes": "List[Change]",
}, total=False)

#: An account, without its password.
AccountListed = TypedDict("AccountListed", {
    "made": "str",
    "name": "str",
    "role": "str",
    "sessions": "int",
    "tournament": "Union[str, None]",
}, total=False)

#: Those who sign in by name.
Accounts = TypedDict("Accounts", {
    "accounts": "List[AccountListed]",
}, total=False)

#: A player who goes on by ruling.
AdvanceAnswer = TypedDict("AdvanceAnswer", {
    "player": "Player",
    "table": "int",
    "verb": "str",
}, total=False)

#: The player that somebody is compared with.
Against = TypedDict("Against", {
    "player": "Player",
    "rank": "int",
}, total=False)

#: A ruleset that is in force now.
AmendRulesAnswer = TypedDict("AmendRulesAnswer", {
    "before": "str",
    "rules": "str",
    "verb": "str",
}, total=False)

#: Standings that were announced.
AnnounceAnswer = TypedDict("AnnounceAnswer", {
    "open_tables": "int",
    "table_hash": "str",
    "through": "int",
    "verb": "str",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerAdvance = TypedDict("AnswerAdvance", {
    "player": "Player",
    "table": "int",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerAmendRules = TypedDict("AnswerAmendRules", {
    "before": "str",
    "rules": "str",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerAnnounce = TypedDict("AnswerAnnounce", {
    "open_tables": "int",
    "table_hash": "str",
    "through": "int",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerBye = TypedDict("AnswerBye", {
    "kind": "Union[str, None]",
    "player": "Player",
    "round": "int",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerCheckIn = TypedDict("AnswerCheckIn", {
    "missing": "int",
    "player": "Player",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerClaim = TypedDict("AnswerClaim", {
    "agrees": "Union[bool, None]",
    "player": "Player",
    "players": "List[Player]",
    "result": "Union[str, None]",
    "round": "int",
    "score": "str",
    "table": "int",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerClose = TypedDict("AnswerClose", {
    "first": "List[Ranked]",
    "rounds": "int",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerCorrect = TypedDict("AnswerCorrect", {
    "missing": "int",
    "penalties_served": "List[int]",
    "players": "List[Player]",
    "result": "str",
    "round": "int",
    "table": "int",
    "turned": "bool",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerCut = TypedDict("AnswerCut", {
    "entrants": "List[Player]",
    "kind": "str",
    "passed_over": "List[Player]",
    "phase": "int",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerDescribe = TypedDict("AnswerDescribe", {
    "federation": "Union[str, None]",
    "id": "Union[str, None]",
    "player": "Player",
    "rating": "Union[int, None]",
    "title": "Union[str, None]",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerDisputeOpen = TypedDict("AnswerDisputeOpen", {
    "dispute": "int",
    "verb": "str",
    "where": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerDisputeRule = TypedDict("AnswerDisputeRule", {
    "corrected": "ResultAnswer",
    "dispute": "int",
    "upheld": "bool",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerDrop = TypedDict("AnswerDrop", {
    "after_round": "Union[int, None]",
    "match_lost": "bool",
    "player": "Player",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerEnroll = TypedDict("AnswerEnroll", {
    "already": "List[Player]",
    "from_round": "int",
    "players": "List[Player]",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerKeepTable = TypedDict("AnswerKeepTable", {
    "player": "Player",
    "table": "Union[int, None]",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerLots = TypedDict("AnswerLots", {
    "drawn": "List[Player]",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerNameStaff = TypedDict("AnswerNameStaff", {
    "actor": "int",
    "name": "str",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerNew = TypedDict("AnswerNew", {
    "phases": "str",
    "rules": "str",
    "seed_commitment": "str",
    "slip": "str",
    "title": "str",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerNote = TypedDict("AnswerNote", {
    "about": "Union[int, None]",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerNoteScore = TypedDict("AnswerNoteScore", {
    "players": "List[Player]",
    "round": "int",
    "score": "str",
    "table": "int",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerPair = TypedDict("AnswerPair", {
    "apart": "bool",
    "byes": "List[RoundBye]",
    "called": "Union[str, None]",
    "engine": "Union[str, None]",
    "method": "str",
    "round": "int",
    "seed": "Union[str, None]",
    "seed_number": "Union[int, None]",
    "tables": "List[RoundTable]",
    "verb": "str",
    "version": "int",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerPenalty = TypedDict("AnswerPenalty", {
    "penalty": "str",
    "player": "Player",
    "table": "Union[int, None]",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerPublish = TypedDict("AnswerPublish", {
    "round": "int",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerReinstate = TypedDict("AnswerReinstate", {
    "from_round": "Union[int, None]",
    "player": "Player",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerRemove = TypedDict("AnswerRemove", {
    "reason": "str",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerRename = TypedDict("AnswerRename", {
    "player": "Player",
    "verb": "str",
    "was": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerRepair = TypedDict("AnswerRepair", {
    "byes": "List[Player]",
    "moved": "List[Moved]",
    "out": "List[Player]",
    "tables": "List[NewTable]",
    "unpaired": "List[Player]",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerReseed = TypedDict("AnswerReseed", {
    "seed_commitment": "str",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerSetDivision = TypedDict("AnswerSetDivision", {
    "division": "Union[str, None]",
    "player": "Player",
    "verb": "str",
    "was": "Union[str, None]",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerTables = TypedDict("AnswerTables", {
    "ranges": "List[str]",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerUndo = TypedDict("AnswerUndo", {
    "stays": "List[int]",
    "undone": "List[Undone]",
    "undone_first": "int",
    "undone_last": "int",
    "verb": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: What a verb at the desk of a tournament answers.
AnswerWithdraw = TypedDict("AnswerWithdraw", {
    "seq": "int",
    "verb": "str",
    "what": "str",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: An object.
Anything = Any

#: The moment in the past as of which an answer is given.
AsOf = TypedDict("AsOf", {
    "last": "int",
    "recorded": "str",
    "seq": "int",
}, total=False)

#: What becomes of a player at a cut.
AtCut = Literal["enters", "leaves"]

#: What the places were taken from.
Basis = Literal["counted", "sampled", "bounds"]

#: A bound that counts instead of what was computed.
Bound = Literal["floor", "cap", "dropped-cap", "one-opponent"]

#: A bracket.
Bracket = TypedDict("Bracket", {
    "name": "str",
    "parts": "List[BracketPart]",
    "seeds": "List[BracketSeed]",
}, total=False)

#: A match of a bracket.
BracketMatch = TypedDict("BracketMatch", {
    "head": "str",
    "is_played": "bool",
    "seats": "List[BracketSeat]",
}, total=False)

#: A part of a bracket.
BracketPart = TypedDict("BracketPart", {
    "name": "str",
    "stages": "List[BracketStage]",
}, total=False)

#: A player of a match, or whoever that will be.
BracketSeat = TypedDict("BracketSeat", {
    "name": "str",
    "remark": "str",
    "score": "str",
    "seed": "str",
    "state": "str",
}, total=False)

#: An entrant of a bracket.
BracketSeed = TypedDict("BracketSeed", {
    "now": "str",
    "player": "Person",
    "seed": "int",
}, total=False)

#: A round of a bracket.
BracketStage = TypedDict("BracketStage", {
    "leads": "str",
    "matches": "List[BracketMatch]",
    "name": "str",
}, total=False)

#: The brackets of a tournament.
Brackets = TypedDict("Brackets", {
    "brackets": "List[Bracket]",
}, total=False)

#: A player who has a bye in a round to come, or plays in it after all.
ByeAnswer = TypedDict("ByeAnswer", {
    "kind": "Union[str, None]",
    "player": "Player",
    "round": "int",
    "verb": "str",
}, total=False)

#: A bye in a round that is not paired yet.
ByeToCome = TypedDict("ByeToCome", {
    "kind": "str",
    "round": "int",
}, total=False)

#: How a player stands to the cut.
Chance = Literal["clinched", "open", "out"]

#: A change of who may do what.
Change = TypedDict("Change", {
    "by": "str",
    "seq": "int",
    "time": "str",
    "what": "str",
}, total=False)

#: What would change.
Changes = TypedDict("Changes", {
    "after": "TableName",
    "before": "TableName",
    "cut": "Union[CutChange, None]",
    "cuts_made": "List[CutMade]",
    "moves": "List[Move]",
    "out": "List[PlaceLost]",
    "rounds": "List[LaterRound]",
    "unchanged": "int",
}, total=False)

#: A player who is here.
CheckInAnswer = TypedDict("CheckInAnswer", {
    "missing": "int",
    "player": "Player",
    "verb": "str",
}, total=False)

#: A signed checkpoint.
Checkpoint = TypedDict("Checkpoint", {
    "checkpoint": "str",
    "head": "str",
    "records": "int",
    "root": "str",
    "signers": "List[str]",
    "time": "str",
    "tournament": "TournamentName",
    "verb": "str",
    "verifier_keys": "List[str]",
}, total=False)

#: A signed checkpoint.
CheckpointAnswer = TypedDict("CheckpointAnswer", {
    "checkpoint": "str",
    "head": "str",
    "records": "int",
    "root": "str",
    "signers": "List[str]",
    "time": "str",
    "tournament": "TournamentName",
    "verb": "str",
    "verifier_keys": "List[str]",
}, total=False)

#: Checkpoints that are kept.
Checkpoints = TypedDict("Checkpoints", {
    "checkpoints": "List[CheckpointAnswer]",
}, total=False)

#: What a player reports of their match.
ClaimAnswer = TypedDict("ClaimAnswer", {
    "agrees": "Union[bool, None]",
    "player": "Player",
    "players": "List[Player]",
    "result": "Union[str, None]",
    "round": "int",
    "score": "str",
    "table": "int",
    "verb": "str",
}, total=False)

#: What players report.
Claims = TypedDict("Claims", {
    "claims": "List[Reported]",
}, total=False)

#: A tournament that was closed.
CloseAnswer = TypedDict("CloseAnswer", {
    "first": "List[Ranked]",
    "rounds": "int",
    "verb": "str",
}, total=False)

#: A command that was tried.
CommandTried = TypedDict("CommandTried", {
    "answers": "List[Any]",
    "command": "str",
}, total=False)

#: A tournament's standings under another ruleset.
CompareAnswer = TypedDict("CompareAnswer", {
    "after": "RulesetName",
    "before": "RulesetName",
    "cut": "Union[int, None]",
    "differences": "List[KeyDifference]",
    "moves": "List[Move]",
    "tournament": "TournamentName",
    "unchanged": "int",
}, total=False)

#: An answer as of a moment in the past, if it is one.
Comparison = TypedDict("Comparison", {
    "after": "RulesetName",
    "before": "RulesetName",
    "cut": "Union[int, None]",
    "differences": "List[KeyDifference]",
    "moves": "List[Move]",
    "tournament": "TournamentName",
    "unchanged": "int",
    "as_of": "AsOf",
}, total=False)

#: Who makes a cut.
Cut = TypedDict("Cut", {
    "across_a_tie": "bool",
    "in": "List[Player]",
    "passed": "List[PassedOver]",
    "top": "int",
}, total=False)

#: A phase that began with a cut.
CutAnswer = TypedDict("CutAnswer", {
    "entrants": "List[Player]",
    "kind": "str",
    "passed_over": "List[Player]",
    "phase": "int",
    "verb": "str",
}, total=False)

#: Who would cross a cut that is to come.
CutChange = TypedDict("CutChange", {
    "across_a_tie": "bool",
    "enters": "List[Player]",
    "leaves": "List[Player]",
    "newly_tied": "List[Player]",
    "no_longer_tied_in": "List[Player]",
    "no_longer_tied_out": "List[Player]",
    "top": "int",
}, total=False)

#: A cut that was made and would have been another.
CutMade = TypedDict("CutMade", {
    "by_lots": "bool",
    "enters": "List[Player]",
    "leaves": "List[Player]",
    "phase": "int",
    "reseeded": "bool",
    "top": "int",
}, total=False)

#: An answer as of a moment in the past, if it is one.
DatedDisputeFile = TypedDict("DatedDisputeFile", {
    "by": "Union[Player, None]",
    "claim": "str",
    "claims": "List[DisputeClaim]",
    "corrected_in": "List[int]",
    "dispute": "int",
    "events": "List[LogLine]",
    "floor": "Union[DisputeFloor, None]",
    "next_round": "List[DisputeNext]",
    "opened": "Union[str, None]",
    "plausible": "List[PlausibleResult]",
    "players": "List[Player]",
    "result": "Union[str, None]",
    "round": "int",
    "ruling": "Union[DisputeRuling, None]",
    "seq": "int",
    "slips": "List[DisputeSlip]",
    "standings": "List[DisputeStandings]",
    "state": "str",
    "table": "Union[int, None]",
    "as_of": "AsOf",
}, total=False)

#: An answer as of a moment in the past, if it is one.
DatedDisputes = TypedDict("DatedDisputes", {
    "disputes": "List[DisputeRow]",
    "as_of": "AsOf",
}, total=False)

#: An answer as of a moment in the past, if it is one.
DatedPairings = TypedDict("DatedPairings", {
    "byes": "List[RoundBye]",
    "called": "Union[str, None]",
    "completed": "bool",
    "engine": "Union[str, None]",
    "missing": "int",
    "published": "bool",
    "round": "int",
    "status": "str",
    "tables": "List[RoundTable]",
    "unpaired": "List[Unseated]",
    "verb": "str",
    "as_of": "AsOf",
}, total=False)

#: An answer as of a moment in the past, if it is one.
DatedPlayers = TypedDict("DatedPlayers", {
    "players": "List[RosterRow]",
    "verb": "str",
    "as_of": "AsOf",
}, total=False)

#: A player with another title, federation, rating or id.
DescribeAnswer = TypedDict("DescribeAnswer", {
    "federation": "Union[str, None]",
    "id": "Union[str, None]",
    "player": "Player",
    "rating": "Union[int, None]",
    "title": "Union[str, None]",
    "verb": "str",
}, total=False)

#: What a player reported of their match.
DisputeClaim = TypedDict("DisputeClaim", {
    "by": "str",
    "device": "Union[str, None]",
    "player": "Player",
    "score": "str",
    "seq": "int",
    "time": "str",
}, total=False)

#: What a verb at the desk of a tournament answers.
DisputeFile = TypedDict("DisputeFile", {
    "by": "Union[Player, None]",
    "claim": "str",
    "claims": "List[DisputeClaim]",
    "corrected_in": "List[int]",
    "dispute": "int",
    "events": "List[LogLine]",
    "floor": "Union[DisputeFloor, None]",
    "next_round": "List[DisputeNext]",
    "opened": "Union[str, None]",
    "plausible": "List[PlausibleResult]",
    "players": "List[Player]",
    "result": "Union[str, None]",
    "round": "int",
    "ruling": "Union[DisputeRuling, None]",
    "seq": "int",
    "slips": "List[DisputeSlip]",
    "standings": "List[DisputeStandings]",
    "state": "str",
    "table": "Union[int, None]",
    "as_of": "AsOf",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: All that a head judge needs for a dispute.
DisputeFileAnswer = TypedDict("DisputeFileAnswer", {
    "by": "Union[Player, None]",
    "claim": "str",
    "claims": "List[DisputeClaim]",
    "corrected_in": "List[int]",
    "dispute": "int",
    "events": "List[LogLine]",
    "floor": "Union[DisputeFloor, None]",
    "next_round": "List[DisputeNext]",
    "opened": "Union[str, None]",
    "plausible": "List[PlausibleResult]",
    "players": "List[Player]",
    "result": "Union[str, None]",
    "round": "int",
    "ruling": "Union[DisputeRuling, None]",
    "seq": "int",
    "slips": "List[DisputeSlip]",
    "standings": "List[DisputeStandings]",
    "state": "str",
    "table": "Union[int, None]",
}, total=False)

#: What was done on the floor about a table.
DisputeFloor = TypedDict("DisputeFloor", {
    "done": "List[DisputeFloorLine]",
    "extension": "int",
}, total=False)

#: Something that was done on the floor.
DisputeFloorLine = TypedDict("DisputeFloorLine", {
    "by": "Union[str, None]",
    "time": "str",
    "what": "str",
}, total=False)

#: As what the next round took a player of the match.
DisputeNext = TypedDict("DisputeNext", {
    "against": "List[Player]",
    "paired_as": "Union[str, None]",
    "player": "Player",
    "record": "Union[Record, None]",
    "round": "int",
    "table": "Union[int, None]",
}, total=False)

#: A dispute that was opened.
DisputeOpenAnswer = TypedDict("DisputeOpenAnswer", {
    "dispute": "int",
    "verb": "str",
    "where": "str",
}, total=False)

#: A dispute of the list.
DisputeRow = TypedDict("DisputeRow", {
    "age_seconds": "Union[int, None]",
    "by": "Union[Player, None]",
    "claim": "str",
    "corrected_in": "List[int]",
    "dispute": "int",
    "opened": "Union[str, None]",
    "recorded_by": "Union[str, None]",
    "ruled_in": "Union[int, None]",
    "seq": "int",
    "state": "str",
    "uncorrected": "bool",
    "where": "str",
}, total=False)

#: A dispute that was ruled.
DisputeRuleAnswer = TypedDict("DisputeRuleAnswer", {
    "corrected": "ResultAnswer",
    "dispute": "int",
    "upheld": "bool",
    "verb": "str",
}, total=False)

#: The ruling of a dispute.
DisputeRuling = TypedDict("DisputeRuling", {
    "by": "str",
    "reason": "str",
    "seq": "int",
    "time": "str",
    "upheld": "bool",
}, total=False)

#: A slip of a match as it was typed.
DisputeSlip = TypedDict("DisputeSlip", {
    "by": "str",
    "corrected": "bool",
    "score": "str",
    "seq": "int",
    "time": "str",
    "undone": "Union[DisputeUndone, None]",
}, total=False)

#: The standings around the players of a dispute, at a moment.
DisputeStandings = TypedDict("DisputeStandings", {
    "around": "List[PlaceAround]",
    "players": "List[DisputedPlace]",
    "seq": "int",
    "through": "int",
    "when": "str",
}, total=False)

#: How a slip was taken back.
DisputeUndone = TypedDict("DisputeUndone", {
    "by": "str",
    "seq": "int",
    "time": "str",
}, total=False)

#: The place of a player of the match.
DisputedPlace = TypedDict("DisputedPlace", {
    "player": "Player",
    "rank": "Union[int, None]",
    "record": "Union[Record, None]",
}, total=False)

#: What a verb at the desk of a tournament answers.
Disputes = TypedDict("Disputes", {
    "disputes": "List[DisputeRow]",
    "as_of": "AsOf",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: The disputes.
DisputesAnswer = TypedDict("DisputesAnswer", {
    "disputes": "List[DisputeRow]",
}, total=False)

#: A player's place in their division.
DivisionPlace = TypedDict("DivisionPlace", {
    "decided_by": "str",
    "name": "str",
    "of": "int",
    "rank": "int",
}, total=False)

#: A player who left.
DropAnswer = TypedDict("DropAnswer", {
    "after_round": "Union[int, None]",
    "match_lost": "bool",
    "player": "Player",
    "verb": "str",
}, total=False)

#: An edition as a server has it for everybody.
EditionOffered = TypedDict("EditionOffered", {
    "edition": "str",
    "hash": "str",
    "key": "str",
    "name": "str",
    "replaces": "Union[str, None]",
    "rules": "str",
    "time": "str",
}, total=False)

#: The editions that a server has for everybody.
EditionsOffered = TypedDict("EditionsOffered", {
    "editions": "List[EditionOffered]",
}, total=False)

#: How the match that a player is in may end for them.
End = Literal["win", "draw", "agreed-draw", "loss"]

#: Players who were enrolled.
EnrollAnswer = TypedDict("EnrollAnswer", {
    "already": "List[Player]",
    "from_round": "int",
    "players": "List[Player]",
    "verb": "str",
}, total=False)

#: A store that is enrolled here.
EnrolledStore = TypedDict("EnrolledStore", {
    "forked": "int",
    "id": "str",
    "made": "str",
    "name": "str",
    "rewritten": "List[str]",
    "tournaments": "int",
    "used": "Union[str, None]",
}, total=False)

#: An event with its envelope.
EventShown = TypedDict("EventShown", {
    "by": "str",
    "command": "str",
    "hash": "str",
    "kind": "int",
    "part": "int",
    "parts": "int",
    "payload": "str",
    "previous": "str",
    "schema": "int",
    "sentence": "str",
    "seq": "int",
    "time": "str",
    "word": "str",
}, total=False)

#: An exact value.
Exact = TypedDict("Exact", {
    "den": "Union[Whole, None]",
    "num": "Union[Whole, None]",
    "text": "str",
}, total=False)

#: Why a player has their place.
ExplainAnswer = TypedDict("ExplainAnswer", {
    "against": "Union[Against, None]",
    "division": "Union[DivisionPlace, None]",
    "lots": "Union[bool, None]",
    "measures": "List[MeasureExplained]",
    "of": "int",
    "player": "Player",
    "rank": "int",
    "ruleset": "RulesetName",
    "steps": "List[StepCompared]",
    "through": "int",
    "tournament": "TournamentName",
}, total=False)

#: An answer as of a moment in the past, if it is one.
Explanation = TypedDict("Explanation", {
    "against": "Union[Against, None]",
    "division": "Union[DivisionPlace, None]",
    "lots": "Union[bool, None]",
    "measures": "List[MeasureExplained]",
    "of": "int",
    "player": "Player",
    "rank": "int",
    "ruleset": "RulesetName",
    "steps": "List[StepCompared]",
    "through": "int",
    "tournament": "TournamentName",
    "as_of": "AsOf",
}, total=False)

#: A format, and what it would not hold of this tournament.
ExportFormat = TypedDict("ExportFormat", {
    "ending": "str",
    "format": "str",
    "into": "bool",
    "left_out": "List[str]",
    "name": "str",
    "needs_file": "bool",
    "refused": "Union[Problem, None]",
}, total=False)

#: An export that has names in it.
ExportNoted = TypedDict("ExportNoted", {
    "path": "Union[str, None]",
    "player": "Union[int, None]",
    "time": "str",
    "what": "str",
}, total=False)

#: The formats in which a tournament can be given away.
Exports = TypedDict("Exports", {
    "formats": "List[ExportFormat]",
    "tournament": "TournamentName",
}, total=False)

#: What is done on the floor: `do` names it. A round that is not named is the last one.
FloorChange = Any

#: What the overlay of a stream shows.
FloorOverlaying = Literal["auto", "featured", "standings", "clock", "nothing"]

#: What a screen shows.
FloorShowing = Literal["auto", "pairings", "clock", "standings", "divisions", "bracket", "missing", "announcements"]

#: Somebody who is forgotten, or would be.
Forgotten = TypedDict("Forgotten", {
    "actor": "Union[int, None]",
    "already": "bool",
    "done": "bool",
    "elsewhere": "List[ForgottenElsewhere]",
    "emptied": "List[ForgottenText]",
    "exports": "List[ExportNoted]",
    "exports_unreadable": "int",
    "namesakes": "List[int]",
    "player": "Union[int, None]",
    "stand_in": "str",
    "staying": "List[ForgottenText]",
    "tournament": "TournamentName",
}, total=False)

#: What another tournament holds of somebody who is forgotten.
ForgottenElsewhere = Any

#: A private text of somebody who is forgotten.
ForgottenText = TypedDict("ForgottenText", {
    "because": "str",
    "entry": "int",
    "seq": "Union[int, None]",
    "text": "Union[str, None]",
    "what": "str",
}, total=False)

#: What happened in a step.
Happened = TypedDict("Happened", {
    "first_seq": "int",
    "last_seq": "int",
    "recorded": "str",
    "sentences": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: A command that a hint names. What stands in angle brackets is to be filled in.
HintedCommand = TypedDict("HintedCommand", {
    "arguments": "List[str]",
    "verb": "str",
}, total=False)

#: How far a tournament is.
HowFar = TypedDict("HowFar", {
    "players": "Union[int, None]",
    "round": "Union[int, None]",
    "state": "str",
}, total=False)

#: A file that was imported, or not; a line for each.
ImportAnswer = TypedDict("ImportAnswer", {
    "error": "Union[Problem, None]",
    "file": "str",
    "format": "str",
    "matched": "int",
    "matches": "int",
    "mismatched": "int",
    "oddities": "List[ImportOddity]",
    "places": "int",
    "players": "int",
    "renewed": "List[str]",
    "rounds": "int",
    "rows": "int",
    "rules": "str",
    "same_places": "int",
    "stale": "int",
    "tournament": "TournamentName",
    "unknown": "List[str]",
    "unmatched": "List[Unmatched]",
}, total=False)

#: What became of a file, or would become of it.
ImportDone = TypedDict("ImportDone", {
    "read": "ImportAnswer",
    "sheet": "Union[SheetSeen, None]",
    "stored": "bool",
    "tournament": "TournamentName",
    "what": "str",
}, total=False)

#: Something that looks wrong in a file.
ImportOddity = TypedDict("ImportOddity", {
    "at": "str",
    "sentence": "str",
}, total=False)

#: A player who keeps a table, or no longer.
KeepTableAnswer = TypedDict("KeepTableAnswer", {
    "player": "Player",
    "table": "Union[int, None]",
    "verb": "str",
}, total=False)

#: A key in which two rulesets differ.
KeyDifference = TypedDict("KeyDifference", {
    "after": "Union[str, None]",
    "before": "Union[str, None]",
    "key": "str",
}, total=False)

#: A round that was paired before a change was known.
LaterRound = TypedDict("LaterRound", {
    "by_hand": "List[Place]",
    "instead": "List[Place]",
    "out": "bool",
    "paired": "List[Place]",
    "round": "int",
    "tables": "int",
    "verdict": "PairedWith",
    "why": "Union[str, None]",
}, total=False)

#: Lines of a log.
Lines = TypedDict("Lines", {
    "log": "List[LogLine]",
}, total=False)

#: A link that was made.
LinkMade = TypedDict("LinkMade", {
    "code": "str",
    "id": "str",
    "path": "str",
}, total=False)

#: Links that hold.
Links = TypedDict("Links", {
    "links": "List[Listed]",
}, total=False)

#: A link, a session or a token, without its secret.
Listed = TypedDict("Listed", {
    "id": "str",
    "made": "str",
    "name": "Union[str, None]",
    "once": "bool",
    "role": "str",
    "tournament": "Union[str, None]",
    "until": "Union[str, None]",
    "used": "Union[str, None]",
}, total=False)

#: The end of a log.
LogHead = TypedDict("LogHead", {
    "hash": "str",
    "seq": "int",
}, total=False)

#: A line of `log`.
LogLine = TypedDict("LogLine", {
    "by": "str",
    "kind": "str",
    "sentence": "str",
    "seq": "int",
    "time": "str",
    "undone_in": "Union[int, None]",
    "was": "Union[str, None]",
}, total=False)

#: What a log has behind an event, with a checkpoint over the last of it.
LogPart = TypedDict("LogPart", {
    "checkpoint": "str",
    "other": "Union[str, None]",
    "other_restored": "Union[int, None]",
    "records": "List[str]",
}, total=False)

#: Lots that were drawn.
LotsAnswer = TypedDict("LotsAnswer", {
    "drawn": "List[Player]",
    "verb": "str",
}, total=False)

#: A measure of a player and what it is made of.
MeasureExplained = TypedDict("MeasureExplained", {
    "as_drawn": "int",
    "before_bounds": "Exact",
    "floor_counts": "bool",
    "label": "str",
    "measure": "str",
    "nothing_to_average": "bool",
    "terms": "List[Term]",
    "value": "Exact",
}, total=False)

#: A game of the two who are compared.
Meeting = TypedDict("Meeting", {
    "forfeited": "bool",
    "outcome": "MeetingOutcome",
    "round": "int",
    "theirs": "MeetingOutcome",
}, total=False)

#: How a game came out.
MeetingOutcome = Literal["win", "draw", "loss", "none"]

#: A player whose place differs.
Move = TypedDict("Move", {
    "after": "int",
    "because": "List[str]",
    "before": "Union[int, None]",
    "cut": "Union[AtCut, None]",
    "passes": "Union[Player, None]",
    "passing": "Union[Passing, None]",
    "player": "Player",
    "step_after": "Union[str, None]",
    "step_before": "Union[str, None]",
}, total=False)

#: A player who sits somewhere else now.
Moved = TypedDict("Moved", {
    "name": "str",
    "number": "int",
    "from_table": "Union[int, None]",
}, total=False)

#: A number of the staff with another name.
NameStaffAnswer = TypedDict("NameStaffAnswer", {
    "actor": "int",
    "name": "str",
    "verb": "str",
}, total=False)

#: What a tournament is opened with.
New = TypedDict("New", {
    "best_of": "Union[int, None]",
    "files": "List[OrderRulesetText]",
    "held_on": "Union[str, None]",
    "phases": "List[str]",
    "rules": "str",
    "slip": "Union[str, None]",
    "title": "str",
}, total=False)

#: A tournament that was opened.
NewAnswer = TypedDict("NewAnswer", {
    "phases": "str",
    "rules": "str",
    "seed_commitment": "str",
    "slip": "str",
    "title": "str",
    "verb": "str",
}, total=False)

#: A table that was made.
NewTable = TypedDict("NewTable", {
    "players": "List[Player]",
    "table": "int",
}, total=False)

#: A tournament that is in the store and not read.
NotRead = TypedDict("NotRead", {
    "code": "str",
    "id": "str",
    "message": "str",
}, total=False)

#: A note that was written down.
NoteAnswer = TypedDict("NoteAnswer", {
    "about": "Union[int, None]",
    "verb": "str",
}, total=False)

#: How a match stands that is not finished.
NoteScoreAnswer = TypedDict("NoteScoreAnswer", {
    "players": "List[Player]",
    "round": "int",
    "score": "str",
    "table": "int",
    "verb": "str",
}, total=False)

#: What is asked for at the desk of a tournament: `order` names the verb.
Order = Any

#: Let a player go on by ruling.
OrderAdvance = TypedDict("OrderAdvance", {
    "order": "str",
    "player": "str",
    "reason": "str",
    "round": "Union[int, None]",
    "table": "int",
}, total=False)

#: Go on under another ruleset, for every round.
OrderAmendRules = TypedDict("OrderAmendRules", {
    "files": "List[OrderRulesetText]",
    "order": "str",
    "reason": "str",
    "rules": "str",
}, total=False)

#: Record the standings' hash; completed rounds do it anyway.
OrderAnnounce = TypedDict("OrderAnnounce", {
    "order": "str",
    "through": "Union[int, None]",
}, total=False)

#: What an order answers: what is told of every order, and the answer of its verb.
OrderAnswer = Any

#: Note the bye that a player asks for in a round to come, or that they play after all.
OrderBye = TypedDict("OrderBye", {
    "kind": "OrderByeAskedFor",
    "order": "str",
    "player": "str",
    "round": "int",
}, total=False)

#: What a bye is worth that a player asks for.
OrderByeAskedFor = Literal["half", "zero", "full", "none"]

#: Check a player in: they are here.
OrderCheckIn = TypedDict("OrderCheckIn", {
    "order": "str",
    "player": "str",
}, total=False)

#: Record what a player reports of their match; it is no result.
OrderClaim = TypedDict("OrderClaim", {
    "order": "str",
    "slip": "str",
}, total=False)

#: Close the tournament: its standings are final.
OrderClose = TypedDict("OrderClose", {
    "order": "str",
    "unfinished": "bool",
}, total=False)

#: Correct a result.
OrderCorrect = TypedDict("OrderCorrect", {
    "dispute": "Union[int, None]",
    "order": "str",
    "reason": "str",
    "round": "Union[int, None]",
    "slip": "str",
    "was": "Union[str, None]",
}, total=False)

#: End the phase; those who go on play the next one.
OrderCut = TypedDict("OrderCut", {
    "best_of": "Union[int, None]",
    "decline": "List[str]",
    "division": "Union[str, None]",
    "kind": "Union[str, None]",
    "order": "str",
    "points": "Union[int, None]",
    "top": "Union[int, None]",
}, total=False)

#: Correct a player's title, federation, rating and id.
OrderDescribe = TypedDict("OrderDescribe", {
    "federation": "Union[str, None]",
    "id": "Union[str, None]",
    "order": "str",
    "player": "str",
    "rating": "Union[str, None]",
    "title": "Union[str, None]",
}, total=False)

#: Open a dispute about a match.
OrderDispute = TypedDict("OrderDispute", {
    "by": "Union[str, None]",
    "claim": "str",
    "order": "str",
    "round": "Union[int, None]",
    "table": "str",
}, total=False)

#: Disqualify a player: they take no place.
OrderDisqualify = TypedDict("OrderDisqualify", {
    "order": "str",
    "player": "str",
    "reason": "str",
}, total=False)

#: Drop a player.
OrderDrop = TypedDict("OrderDrop", {
    "no_show": "bool",
    "order": "str",
    "player": "str",
}, total=False)

#: Enroll players.
OrderEnroll = TypedDict("OrderEnroll", {
    "leave_known": "bool",
    "new_division": "bool",
    "now": "bool",
    "order": "str",
    "people": "List[OrderPerson]",
    "same_name": "bool",
}, total=False)

#: Enter a result.
OrderEnter = TypedDict("OrderEnter", {
    "order": "str",
    "round": "Union[int, None]",
    "slip": "str",
}, total=False)

#: How divisions are paired.
OrderHowDivided = Literal["together", "apart"]

#: Keep a table for a player who sits there whenever they are paired, or no longer.
OrderKeepTable = TypedDict("OrderKeepTable", {
    "order": "str",
    "player": "str",
    "table": "Union[int, None]",
}, total=False)

#: Enroll a player after round 1.
OrderLate = TypedDict("OrderLate", {
    "byes": "bool",
    "half_byes": "bool",
    "losses": "bool",
    "new_division": "bool",
    "now": "bool",
    "order": "str",
    "person": "OrderPerson",
    "same_name": "bool",
}, total=False)

#: What one of several orders answers: its place among them, its status, and the answer or why it is refused.
OrderLine = Any

#: Many orders, as one object.
OrderList = TypedDict("OrderList", {
    "orders": "List[Order]",
}, total=False)

#: Draw lots for players whom nothing else tells apart.
OrderLots = TypedDict("OrderLots", {
    "order": "str",
}, total=False)

#: Say for whom of the staff a number in the log stands.
OrderNameStaff = TypedDict("OrderNameStaff", {
    "actor": "int",
    "name": "str",
    "order": "str",
}, total=False)

#: Write a note into the log.
OrderNote = TypedDict("OrderNote", {
    "about": "Union[int, None]",
    "order": "str",
    "text": "str",
}, total=False)

#: Note how a match stands that is not finished.
OrderNoteScore = TypedDict("OrderNoteScore", {
    "order": "str",
    "slip": "str",
}, total=False)

#: Pair the next round.
OrderPair = TypedDict("OrderPair", {
    "again": "bool",
    "dice": "Union[str, None]",
    "divisions": "Union[OrderHowDivided, None]",
    "engine": "Union[str, None]",
    "further": "bool",
    "merge": "List[str]",
    "order": "str",
    "rounds": "List[str]",
}, total=False)

#: Penalize a player.
OrderPenalty = TypedDict("OrderPenalty", {
    "now": "bool",
    "order": "str",
    "player": "str",
    "reason": "str",
    "round": "Union[int, None]",
    "takes": "OrderTakes",
}, total=False)

#: Somebody who is enrolled.
OrderPerson = TypedDict("OrderPerson", {
    "byes": "int",
    "division": "Union[str, None]",
    "federation": "Union[str, None]",
    "id": "Union[str, None]",
    "members": "List[str]",
    "name": "str",
    "rating": "Union[int, None]",
    "title": "Union[str, None]",
}, total=False)

#: Show players the pairings.
OrderPublish = TypedDict("OrderPublish", {
    "order": "str",
}, total=False)

#: Bring back a player who dropped.
OrderReinstate = TypedDict("OrderReinstate", {
    "now": "bool",
    "order": "str",
    "player": "str",
    "reason": "str",
}, total=False)

#: Remove a tournament that was imported and on which nobody built: its import is taken back.
OrderRemove = TypedDict("OrderRemove", {
    "order": "str",
    "reason": "str",
}, total=False)

#: Correct a player's name.
OrderRename = TypedDict("OrderRename", {
    "name": "str",
    "order": "str",
    "player": "str",
    "reason": "Union[str, None]",
    "same_name": "bool",
}, total=False)

#: Pair some tables anew, disturbing as few as can be.
OrderRepair = TypedDict("OrderRepair", {
    "order": "str",
    "out": "List[str]",
    "reason": "str",
    "tables": "List[int]",
}, total=False)

#: Replace the pairing secret where it was lost.
OrderReseed = TypedDict("OrderReseed", {
    "order": "str",
    "reason": "str",
}, total=False)

#: Rule a dispute.
OrderRule = TypedDict("OrderRule", {
    "dispute": "int",
    "order": "str",
    "reason": "str",
    "score": "Union[str, None]",
    "upheld": "bool",
}, total=False)

#: A ruleset's text, under the id by which others name it.
OrderRulesetText = TypedDict("OrderRulesetText", {
    "id": "str",
    "text": "str",
}, total=False)

#: Correct a player's division.
OrderSetDivision = TypedDict("OrderSetDivision", {
    "division": "Union[str, None]",
    "new_division": "bool",
    "order": "str",
    "player": "str",
    "reason": "str",
}, total=False)

#: Seat players by hand.
OrderSetPairing = TypedDict("OrderSetPairing", {
    "order": "str",
    "players": "List[str]",
    "reason": "str",
    "table": "Union[int, None]",
}, total=False)

#: Say which tables the hall has, from the next pairing on.
OrderSetTables = TypedDict("OrderSetTables", {
    "order": "str",
    "ranges": "List[str]",
}, total=False)

#: What a penalty takes away.
OrderTakes = Literal["warning", "game-loss", "match-loss"]

#: Undo a command.
OrderUndo = TypedDict("OrderUndo", {
    "order": "str",
    "reason": "Union[str, None]",
    "seq": "Union[int, None]",
}, total=False)

#: Take one event of the log back.
OrderWithdraw = TypedDict("OrderWithdraw", {
    "order": "str",
    "reason": "str",
    "seq": "int",
}, total=False)

#: One order, or many.
Orders = Any

#: What the overlay of a stream shows.
Overlaying = Literal["auto", "featured", "standings", "clock", "nothing"]

#: A round that was paired.
PairAnswer = TypedDict("PairAnswer", {
    "apart": "bool",
    "byes": "List[RoundBye]",
    "called": "Union[str, None]",
    "engine": "Union[str, None]",
    "method": "str",
    "round": "int",
    "seed": "Union[str, None]",
    "seed_number": "Union[int, None]",
    "tables": "List[RoundTable]",
    "verb": "str",
    "version": "int",
}, total=False)

#: How a round would have been paired, had a change been known.
PairedWith = Literal["same", "otherwise", "not-paired", "unknown"]

#: What a verb at the desk of a tournament answers.
Pairings = TypedDict("Pairings", {
    "byes": "List[RoundBye]",
    "called": "Union[str, None]",
    "completed": "bool",
    "engine": "Union[str, None]",
    "missing": "int",
    "published": "bool",
    "round": "int",
    "status": "str",
    "tables": "List[RoundTable]",
    "unpaired": "List[Unseated]",
    "verb": "str",
    "as_of": "AsOf",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: The tables of a round and the results so far.
PairingsAnswer = TypedDict("PairingsAnswer", {
    "byes": "List[RoundBye]",
    "called": "Union[str, None]",
    "completed": "bool",
    "engine": "Union[str, None]",
    "missing": "int",
    "published": "bool",
    "round": "int",
    "status": "str",
    "tables": "List[RoundTable]",
    "unpaired": "List[Unseated]",
    "verb": "str",
}, total=False)

#: A player because of whom another one moves.
Passed = TypedDict("Passed", {
    "passing": "Passing",
    "player": "Player",
    "step_after": "Union[str, None]",
    "step_before": "Union[str, None]",
}, total=False)

#: A player who stands high enough and does not go on.
PassedOver = TypedDict("PassedOver", {
    "player": "Player",
    "why": "str",
}, total=False)

#: How a player stands to another one, as against before.
Passing = Literal["passes", "passed-by", "now-level", "no-longer-level", "came-in", "gone"]

#: A player with a penalty.
PenaltyAnswer = TypedDict("PenaltyAnswer", {
    "penalty": "str",
    "player": "Player",
    "table": "Union[int, None]",
    "verb": "str",
}, total=False)

#: A player as pages show them.
Person = TypedDict("Person", {
    "name": "str",
    "number": "U32",
}, total=False)

#: A table or a bye.
Place = TypedDict("Place", {
    "because": "Union[str, None]",
    "bracket_slot": "Union[int, None]",
    "bye": "Union[str, None]",
    "origin": "str",
    "players": "List[Player]",
    "seq": "int",
    "table": "Union[int, None]",
}, total=False)

#: A place around those of the match.
PlaceAround = TypedDict("PlaceAround", {
    "player": "Player",
    "rank": "int",
    "record": "Record",
}, total=False)

#: A player whose place is another one after a step.
PlaceChange = TypedDict("PlaceChange", {
    "after": "Union[int, None]",
    "before": "Union[int, None]",
    "player": "Player",
    "points": "Union[Exact, None]",
}, total=False)

#: A player who would take no place any more.
PlaceLost = TypedDict("PlaceLost", {
    "before": "int",
    "player": "Player",
}, total=False)

#: Places from one to another.
Places = TypedDict("Places", {
    "best": "int",
    "worst": "int",
}, total=False)

#: Another result of the match, and what it would change.
PlausibleResult = TypedDict("PlausibleResult", {
    "error": "Union[Problem, None]",
    "slip": "str",
    "stands": "bool",
    "what_if": "Union[Changes, None]",
    "winner": "Union[Player, None]",
}, total=False)

#: A player.
Player = TypedDict("Player", {
    "name": "str",
    "number": "int",
}, total=False)

#: How the link of a player stands.
PlayerLinkListed = TypedDict("PlayerLinkListed", {
    "bound": "bool",
    "player": "U32",
}, total=False)

#: A link that was made for a player.
PlayerLinkMade = TypedDict("PlayerLinkMade", {
    "path": "str",
    "player": "U32",
}, total=False)

#: The links of the players of a tournament.
PlayerLinks = TypedDict("PlayerLinks", {
    "links": "List[PlayerLinkListed]",
}, total=False)

#: Links that were made.
PlayerLinksMade = TypedDict("PlayerLinksMade", {
    "links": "List[PlayerLinkMade]",
}, total=False)

#: A receipt of a player.
PlayerReceipt = TypedDict("PlayerReceipt", {
    "events": "List[int]",
    "player": "int",
    "receipt": "str",
    "records": "int",
}, total=False)

#: What a verb at the desk of a tournament answers.
Players = TypedDict("Players", {
    "players": "List[RosterRow]",
    "verb": "str",
    "as_of": "AsOf",
    "first_seq": "Union[int, None]",
    "last_seq": "Union[int, None]",
    "notes": "List[str]",
    "tournament": "TournamentName",
}, total=False)

#: The roster.
PlayersAnswer = TypedDict("PlayersAnswer", {
    "players": "List[RosterRow]",
    "verb": "str",
}, total=False)

#: What everybody may see of a tournament.
Policy = TypedDict("Policy", {
    "hidden_from": "Union[Policyu16, None]",
    "names": "PolicyShownName",
    "records": "PolicyRecords",
    "wishes": "Dict[str, PolicyShownName]",
}, total=False)

#: Who may read the records of a tournament.
PolicyRecords = Literal["public", "with-token"]

#: How much of a name everybody sees; each shows less than the one before.
PolicyShownName = Literal["full", "first-last-initial", "initials", "number"]

#: 
Policyu16 = int

#: Why something could not be done.
Problem = TypedDict("Problem", {
    "code": "str",
    "commands": "List[HintedCommand]",
    "hint": "Union[str, None]",
    "kind": "str",
    "message": "str",
}, total=False)

#: Why something was refused (RFC 9457).
ProblemDetails = TypedDict("ProblemDetails", {
    "code": "str",
    "detail": "str",
    "head": "str",
    "hint": "Union[str, None]",
    "kind": "str",
    "since": "str",
    "status": "int",
    "title": "str",
    "type": "str",
}, total=False)

#: A proof that a log begins with what it was.
Proof = TypedDict("Proof", {
    "from": "int",
    "from_root": "str",
    "hashes": "List[str]",
    "to": "int",
    "to_root": "str",
}, total=False)

#: A round whose pairings players can see.
PublishAnswer = TypedDict("PublishAnswer", {
    "round": "int",
    "verb": "str",
}, total=False)

#: What came of an end.
PublisherEnded = TypedDict("PublisherEnded", {
    "address": "str",
    "told": "bool",
}, total=False)

#: A tournament that the publisher's server does not take.
PublisherRefused = TypedDict("PublisherRefused", {
    "code": "str",
    "id": "str",
    "why": "str",
}, total=False)

#: Where a store is enrolled, and how its pushing goes.
PublisherStands = TypedDict("PublisherStands", {
    "address": "Union[str, None]",
    "error": "Union[Problem, None]",
    "heard": "Union[int, None]",
    "name": "Union[str, None]",
    "not_pushed": "int",
    "only": "Union[str, None]",
    "refused": "List[PublisherRefused]",
    "there": "int",
}, total=False)

#: A player and their place.
Ranked = TypedDict("Ranked", {
    "player": "Player",
    "rank": "int",
}, total=False)

#: An answer as of a moment in the past, if it is one.
Reach = TypedDict("Reach", {
    "basis": "Basis",
    "combinations": "Union[int, None]",
    "cut": "Union[int, None]",
    "missing": "int",
    "players": "List[Reachable]",
    "rounds_left": "Union[int, None]",
    "ruleset": "RulesetName",
    "through": "int",
    "tournament": "TournamentName",
    "as_of": "AsOf",
}, total=False)

#: What players can still reach.
ReachAnswer = TypedDict("ReachAnswer", {
    "basis": "Basis",
    "combinations": "Union[int, None]",
    "cut": "Union[int, None]",
    "missing": "int",
    "players": "List[Reachable]",
    "rounds_left": "Union[int, None]",
    "ruleset": "RulesetName",
    "through": "int",
    "tournament": "TournamentName",
}, total=False)

#: What a player can still reach.
Reachable = TypedDict("Reachable", {
    "chance": "Union[Chance, None]",
    "places": "Places",
    "sampled": "Union[Places, None]",
    "ends": "List[WithEnd]",
    "player": "Player",
}, total=False)

#: What somebody can still reach.
Reached = TypedDict("Reached", {
    "chance": "Union[Chance, None]",
    "places": "Places",
    "sampled": "Union[Places, None]",
}, total=False)

#: Matches won, lost and drawn.
Record = TypedDict("Record", {
    "draws": "int",
    "losses": "int",
    "wins": "int",
}, total=False)

#: Records of a log.
Records = TypedDict("Records", {
    "full": "bool",
    "page": "int",
    "records": "List[EventShown]",
}, total=False)

#: A player who is back.
ReinstateAnswer = TypedDict("ReinstateAnswer", {
    "from_round": "Union[int, None]",
    "player": "Player",
    "verb": "str",
}, total=False)

#: A tournament that was removed.
RemoveAnswer = TypedDict("RemoveAnswer", {
    "reason": "str",
    "verb": "str",
}, total=False)

#: A player with another name.
RenameAnswer = TypedDict("RenameAnswer", {
    "player": "Player",
    "verb": "str",
    "was": "str",
}, total=False)

#: Tables of a round that were changed.
RepairAnswer = TypedDict("RepairAnswer", {
    "byes": "List[Player]",
    "moved": "List[Moved]",
    "out": "List[Player]",
    "tables": "List[NewTable]",
    "unpaired": "List[Player]",
    "verb": "str",
}, total=False)

#: The least repair of a round.
RepairTold = TypedDict("RepairTold", {
    "broken": "List[int]",
    "byes": "List[Player]",
    "error": "Union[Problem, None]",
    "kept": "int",
    "kept_without": "Union[int, None]",
    "of": "int",
    "out": "List[Player]",
    "round": "int",
    "tables": "List[NewTable]",
    "touched": "List[Player]",
}, total=False)

#: A step of a replay: a round, or what was recorded together.
ReplayStep = TypedDict("ReplayStep", {
    "first_seq": "int",
    "last_seq": "int",
    "recorded": "str",
    "sentences": "List[str]",
    "tournament": "TournamentName",
    "moves": "List[PlaceChange]",
    "round": "int",
    "table_hash": "Union[str, None]",
}, total=False)

#: What a player reported last of one of their matches.
Reported = TypedDict("Reported", {
    "agrees": "Union[bool, None]",
    "own_device": "bool",
    "player": "Player",
    "result": "Union[str, None]",
    "round": "int",
    "score": "str",
    "seq": "int",
    "table": "Union[int, None]",
    "time": "str",
}, total=False)

#: A pairing commitment that replaces the one before.
ReseedAnswer = TypedDict("ReseedAnswer", {
    "seed_commitment": "str",
    "verb": "str",
}, total=False)

#: A result that was entered or corrected.
ResultAnswer = TypedDict("ResultAnswer", {
    "missing": "int",
    "penalties_served": "List[int]",
    "players": "List[Player]",
    "result": "str",
    "round": "int",
    "table": "int",
    "turned": "bool",
    "verb": "str",
}, total=False)

#: What a publisher looks at, over all tournaments of a store.
Review = TypedDict("Review", {
    "changes": "List[ReviewRow]",
    "findings": "List[ReviewFinding]",
    "next": "Union[str, None]",
    "not_read": "List[ReviewNotRead]",
    "tournaments": "int",
    "verified": "int",
}, total=False)

#: What verification found in a tournament.
ReviewFinding = TypedDict("ReviewFinding", {
    "code": "str",
    "sentence": "str",
    "seq": "int",
    "severity": "str",
    "tournament": "TournamentName",
}, total=False)

#: A player with their place before and after.
ReviewMove = TypedDict("ReviewMove", {
    "after": "int",
    "before": "int",
    "player": "Player",
}, total=False)

#: A tournament that could not be read.
ReviewNotRead = TypedDict("ReviewNotRead", {
    "code": "str",
    "message": "str",
    "tournament": "TournamentName",
}, total=False)

#: An event that a publisher looks at.
ReviewRow = TypedDict("ReviewRow", {
    "by": "str",
    "kind": "str",
    "moves": "Union[List[ReviewMove], None]",
    "sentence": "str",
    "seq": "int",
    "time": "str",
    "tournament": "TournamentName",
    "undone_in": "Union[int, None]",
    "was": "Union[str, None]",
    "what": "str",
}, total=False)

#: A player of the roster.
RosterRow = TypedDict("RosterRow", {
    "name": "str",
    "number": "int",
    "after_round": "Union[int, None]",
    "byes": "int",
    "byes_requested": "List[ByeToCome]",
    "checked_in": "bool",
    "division": "Union[str, None]",
    "dropped": "Union[str, None]",
    "federation": "Union[str, None]",
    "from_round": "int",
    "keeps_table": "Union[int, None]",
    "rating": "Union[int, None]",
    "record": "Union[Record, None]",
    "title": "Union[str, None]",
    "without_table": "bool",
}, total=False)

#: A bye of a round.
RoundBye = TypedDict("RoundBye", {
    "name": "str",
    "number": "int",
    "kind": "str",
}, total=False)

#: A table of a round.
RoundTable = TypedDict("RoundTable", {
    "advanced": "Player",
    "players": "List[Seated]",
    "remark": "str",
    "result": "Union[str, None]",
    "table": "int",
}, total=False)

#: A ruleset with its texts.
Ruleset = TypedDict("Ruleset", {
    "files": "List[RulesetText]",
    "keys": "Dict[str, str]",
    "name": "str",
    "ruleset": "RulesetName",
}, total=False)

#: A file that was read as a ruleset.
RulesetChecked = TypedDict("RulesetChecked", {
    "error": "Union[Problem, None]",
    "file": "str",
    "order": "List[str]",
    "ruleset": "Union[RulesetName, None]",
}, total=False)

#: A ruleset of the library.
RulesetListed = TypedDict("RulesetListed", {
    "edition": "str",
    "extends": "Union[str, None]",
    "id": "str",
    "name": "str",
    "source": "str",
}, total=False)

#: A ruleset: anybody can call a text like one that is shipped, so the hash tells them apart.
RulesetName = TypedDict("RulesetName", {
    "hash": "str",
    "id": "str",
    "shipped": "bool",
}, total=False)

#: A text of a ruleset.
RulesetText = TypedDict("RulesetText", {
    "name": "str",
    "text": "str",
}, total=False)

#: Rulesets that are shipped.
Rulesets = TypedDict("Rulesets", {
    "rulesets": "List[RulesetListed]",
}, total=False)

#: The screens of a tournament.
Screens = TypedDict("Screens", {
    "overlay": "Overlaying",
    "path": "Union[str, None]",
    "show": "Showing",
}, total=False)

#: A report of a rebuild.
SeasonFile = TypedDict("SeasonFile", {
    "file": "str",
    "store": "Union[str, None]",
    "tournaments": "int",
}, total=False)

#: How a rebuild as a job of a server goes, or what came of the last one.
SeasonStands = TypedDict("SeasonStands", {
    "begun": "Union[str, None]",
    "by": "Union[str, None]",
    "cut": "Union[int, None]",
    "done": "int",
    "ended": "Union[str, None]",
    "files": "List[SeasonFile]",
    "names": "bool",
    "players": "bool",
    "rules": "Union[str, None]",
    "state": "str",
    "sums": "Union[str, None]",
    "tournaments": "int",
    "why": "Union[str, None]",
}, total=False)

#: A player at a table.
Seated = TypedDict("Seated", {
    "name": "str",
    "number": "int",
    "points": "str",
}, total=False)

#: Browsers that are signed in.
Sessions = TypedDict("Sessions", {
    "sessions": "List[Listed]",
}, total=False)

#: A player with another division.
SetDivisionAnswer = TypedDict("SetDivisionAnswer", {
    "division": "Union[str, None]",
    "player": "Player",
    "verb": "str",
    "was": "Union[str, None]",
}, total=False)

#: A column of a sheet.
SheetColumn = TypedDict("SheetColumn", {
    "holds": "Union[str, None]",
    "name": "str",
    "number": "int",
}, total=False)

#: Something that nobody but a person can tell.
SheetQuestion = TypedDict("SheetQuestion", {
    "candidates": "List[int]",
    "word": "str",
}, total=False)

#: A sheet before it is read.
SheetSeen = TypedDict("SheetSeen", {
    "columns": "List[SheetColumn]",
    "kind": "str",
    "question": "Union[SheetQuestion, None]",
    "rows": "List[List[str]]",
    "sheet": "Union[str, None]",
}, total=False)

#: What a screen shows.
Showing = Literal["auto", "pairings", "clock", "standings", "divisions", "bracket", "missing", "announcements"]

#: Why an opponent does not count.
Skipped = Literal["no-opponent", "unfinished", "forfeited", "met-before", "lowest", "highest"]

#: An answer as of a moment in the past, if it is one.
Standings = TypedDict("Standings", {
    "cut": "Union[Cut, None]",
    "division": "Union[str, None]",
    "divisions": "List[str]",
    "final": "bool",
    "fold_version": "int",
    "log_head": "LogHead",
    "program": "str",
    "rows": "List[StandingsRow]",
    "ruleset": "RulesetName",
    "table_hash": "str",
    "through": "int",
    "tournament": "TournamentName",
    "as_of": "AsOf",
}, total=False)

#: The standings after a round.
StandingsAnswer = TypedDict("StandingsAnswer", {
    "cut": "Union[Cut, None]",
    "division": "Union[str, None]",
    "divisions": "List[str]",
    "final": "bool",
    "fold_version": "int",
    "log_head": "LogHead",
    "program": "str",
    "rows": "List[StandingsRow]",
    "ruleset": "RulesetName",
    "table_hash": "str",
    "through": "int",
    "tournament": "TournamentName",
}, total=False)

#: A player's place.
StandingsRow = TypedDict("StandingsRow", {
    "decided_by": "str",
    "division": "Union[DivisionPlace, None]",
    "measures": "Dict[str, Exact]",
    "phase": "int",
    "player": "Player",
    "rank": "int",
    "record": "Union[Record, None]",
}, total=False)

#: Where a tournament stands.
Stands = TypedDict("Stands", {
    "hash": "str",
    "missing": "int",
    "next": "Union[str, None]",
    "players": "int",
    "published": "bool",
    "round": "int",
    "seq": "int",
    "state": "str",
    "tournament": "TournamentName",
}, total=False)

#: A step of the order, for a player and the one they are compared with.
StepCompared = TypedDict("StepCompared", {
    "met": "List[Meeting]",
    "other": "Union[Exact, None]",
    "own": "Union[Exact, None]",
    "step": "str",
    "verdict": "Verdict",
}, total=False)

#: A tournament again, step by step.
Steps = TypedDict("Steps", {
    "steps": "List[ReplayStep]",
}, total=False)

#: A link that was made.
StoreLinkMade = TypedDict("StoreLinkMade", {
    "id": "str",
    "link": "str",
}, total=False)

#: Stores that are enrolled here, and links that are good still.
Stores = TypedDict("Stores", {
    "links": "List[Listed]",
    "stores": "List[EnrolledStore]",
}, total=False)

#: A table of standings, by what it came from.
TableName = TypedDict("TableName", {
    "ruleset": "RulesetName",
    "table_hash": "str",
}, total=False)

#: The tables of the hall.
TablesAnswer = TypedDict("TablesAnswer", {
    "ranges": "List[str]",
    "verb": "str",
}, total=False)

#: A part of a value.
Term = Any

#: Why a round adds what it adds.
TermNote = Literal["counted", "bye-skipped", "not-of-interest", "averaged", "bounded", "as-draw"]

#: A token that was made.
TokenMade = TypedDict("TokenMade", {
    "id": "str",
    "token": "str",
}, total=False)

#: Tokens that hold.
Tokens = TypedDict("Tokens", {
    "tokens": "List[Listed]",
}, total=False)

#: A tournament of a store.
TournamentListed = TypedDict("TournamentListed", {
    "players": "Union[int, None]",
    "round": "Union[int, None]",
    "state": "str",
    "as_of": "AsOf",
    "events": "int",
    "file": "Union[str, None]",
    "held_on": "Union[str, None]",
    "rewritten": "bool",
    "rules": "str",
    "tournament": "TournamentName",
}, total=False)

#: The tournament that an answer is about.
TournamentName = TypedDict("TournamentName", {
    "id": "Union[str, None]",
    "title": "Union[str, None]",
}, total=False)

#: The tournaments of the store.
Tournaments = TypedDict("Tournaments", {
    "tournaments": "List[TournamentListed]",
    "unread": "List[NotRead]",
}, total=False)

#: A step that moved the player of a trace.
TraceStep = TypedDict("TraceStep", {
    "first_seq": "int",
    "last_seq": "int",
    "recorded": "str",
    "sentences": "List[str]",
    "tournament": "TournamentName",
    "after": "Union[int, None]",
    "before": "Union[int, None]",
    "player": "Player",
    "points": "Union[Exact, None]",
    "because": "List[Passed]",
}, total=False)

#: What moved a player.
Traced = TypedDict("Traced", {
    "steps": "List[TraceStep]",
}, total=False)

#: A command that was undone.
UndoAnswer = TypedDict("UndoAnswer", {
    "stays": "List[int]",
    "undone": "List[Undone]",
    "undone_first": "int",
    "undone_last": "int",
    "verb": "str",
}, total=False)

#: An event that was taken back.
Undone = TypedDict("Undone", {
    "seq": "int",
    "what": "str",
}, total=False)

#: A published row or place that is not the computed one.
Unmatched = Any

#: A player without a table.
Unseated = TypedDict("Unseated", {
    "name": "str",
    "number": "int",
    "from_round": "int",
}, total=False)

#: What a step of the order says of two players.
Verdict = Literal["tied", "decides", "not-reached"]

#: For whom a link or a token is made.
Wanted = TypedDict("Wanted", {
    "hours": "Union[int, None]",
    "name": "Union[str, None]",
    "once": "bool",
    "role": "str",
    "tournament": "Union[str, None]",
}, total=False)

#: What an account is to be.
WantedAccount = TypedDict("WantedAccount", {
    "password": "Union[str, None]",
    "role": "str",
    "tournament": "Union[str, None]",
}, total=False)

#: Who is to be forgotten.
WantedForget = TypedDict("WantedForget", {
    "also": "List[int]",
    "dry_run": "bool",
    "everywhere": "bool",
    "player": "str",
}, total=False)

#: For whom links are made.
WantedPlayerLinks = TypedDict("WantedPlayerLinks", {
    "players": "List[U32]",
    "without_device": "bool",
}, total=False)

#: With which link a store is enrolled.
WantedPublisher = TypedDict("WantedPublisher", {
    "link": "str",
    "only": "Union[str, None]",
}, total=False)

#: Which link of a screen is wanted.
WantedScreenLink = TypedDict("WantedScreenLink", {
    "another": "bool",
}, total=False)

#: What a season is ranked by.
WantedSeason = TypedDict("WantedSeason", {
    "cut": "Union[int, None]",
    "no_names": "bool",
    "players": "bool",
    "rules": "str",
}, total=False)

#: For which store a link is made.
WantedStore = TypedDict("WantedStore", {
    "hours": "Union[int, None]",
    "name": "str",
}, total=False)

#: An address that is to be told what happens.
WantedWebhook = TypedDict("WantedWebhook", {
    "tournament": "Union[str, None]",
    "url": "str",
}, total=False)

#: A webhook, without its secret.
WebhookListed = TypedDict("WebhookListed", {
    "delivered": "int",
    "id": "str",
    "is": "str",
    "last": "Union[str, None]",
    "made": "str",
    "next": "Union[str, None]",
    "paused": "Union[str, None]",
    "tournament": "Union[str, None]",
    "tries": "int",
    "trouble": "Union[str, None]",
    "url": "str",
}, total=False)

#: A webhook that was made.
WebhookMade = TypedDict("WebhookMade", {
    "id": "str",
    "secret": "str",
}, total=False)

#: Whether it is paused, from now on.
WebhookPaused = TypedDict("WebhookPaused", {
    "paused": "bool",
}, total=False)

#: Whether something arrived.
WebhookTried = TypedDict("WebhookTried", {
    "delivered": "bool",
    "trouble": "Union[str, None]",
}, total=False)

#: Webhooks.
Webhooks = TypedDict("Webhooks", {
    "webhooks": "List[WebhookListed]",
}, total=False)

#: What commands would do.
WhatIf = TypedDict("WhatIf", {
    "after": "TableName",
    "before": "TableName",
    "cut": "Union[CutChange, None]",
    "cuts_made": "List[CutMade]",
    "moves": "List[Move]",
    "out": "List[PlaceLost]",
    "rounds": "List[LaterRound]",
    "unchanged": "int",
    "commands": "List[CommandTried]",
    "log_head": "LogHead",
    "repair": "Union[RepairTold, None]",
    "tournament": "TournamentName",
}, total=False)

#: A whole number; a text where it is beyond 2^53, up to which every reader of JSON is exact.
Whole = Any

#: What a player can reach where their match ends like this.
WithEnd = TypedDict("WithEnd", {
    "chance": "Union[Chance, None]",
    "places": "Places",
    "sampled": "Union[Places, None]",
    "end": "End",
}, total=False)

#: An event of the log that was taken back.
WithdrawAnswer = TypedDict("WithdrawAnswer", {
    "seq": "int",
    "verb": "str",
    "what": "str",
}, total=False)

#: 
U32 = int


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

    def list_changes(self, *, after: Optional[int] = None) -> AccountChanges:
        """Lists who changed accounts, links and tokens."""
        return self._ask("GET", f"/changes", {"after": after}, {})

    def list_editions(self, *, if_none_match: Optional[str] = None) -> EditionsOffered:
        """Lists the editions of rules that are here for everybody, the newest first."""
        return self._ask("GET", f"/editions", {}, {"If-None-Match": if_none_match})

    def put_edition(self, body: Anything, *, key: str) -> EditionOffered:
        """Keeps an edition here for everybody."""
        return self._ask("POST", f"/editions", {"key": key}, {}, body)

    def get_edition(self, edition: str) -> Anything:
        """Gives an edition as it was signed."""
        return self._ask("GET", f"/editions/{_part(edition)}", {}, {})

    def import_file(self, body: bytes, *, name: str, dry_run: Optional[bool] = None, rules: Optional[str] = None, columns: Optional[str] = None) -> ImportDone:
        """Stores a file of another program, or says what would become of it."""
        return self._ask("POST", f"/imports", {"name": name, "dry-run": dry_run, "rules": rules, "columns": columns}, {}, body)

    def list_links(self) -> Links:
        """Lists the links that hold."""
        return self._ask("GET", f"/links", {}, {})

    def make_link(self, body: Wanted, *, idempotency_key: Optional[str] = None) -> LinkMade:
        """Makes a link for staff."""
        return self._ask("POST", f"/links", {}, {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}, body)

    def end_link(self, link: str) -> Any:
        """Takes a link back."""
        return self._ask("DELETE", f"/links/{_part(link)}", {}, {})

    def describe(self) -> Anything:
        """Gives this description."""
        return self._ask("GET", f"/openapi.json", {}, {})

    def end_enrollment(self) -> PublisherEnded:
        """Ends the enrollment here, and says so there."""
        return self._ask("DELETE", f"/publisher", {}, {})

    def get_publisher(self) -> PublisherStands:
        """Says where this store is enrolled, and how its pushing goes."""
        return self._ask("GET", f"/publisher", {}, {})

    def enroll(self, body: WantedPublisher) -> PublisherStands:
        """Enrolls this store at a publisher's server, by a link that is good once."""
        return self._ask("POST", f"/publisher", {}, {}, body)

    def review(self, *, since: Optional[str] = None, until: Optional[str] = None, by: Optional[str] = None, tournament: Optional[str] = None, only: Optional[str] = None, verify: Optional[bool] = None, before: Optional[str] = None) -> Review:
        """Says what was corrected, ruled and signed in all tournaments, and who moved."""
        return self._ask("GET", f"/review", {"since": since, "until": until, "by": by, "tournament": tournament, "only": only, "verify": verify, "before": before}, {})

    def list_rulesets(self) -> Rulesets:
        """Lists the rulesets that are shipped."""
        return self._ask("GET", f"/rulesets", {}, {})

    def check_ruleset(self, body: str) -> RulesetChecked:
        """Reads a ruleset that somebody wrote, and says what is wrong with it."""
        return self._ask("POST", f"/rulesets/check", {}, {}, body)

    def get_ruleset(self, rules: str) -> Ruleset:
        """Gives a ruleset with its texts."""
        return self._ask("GET", f"/rulesets/{_part(rules)}", {}, {})

    def stop_season(self) -> SeasonStands:
        """Stops the one that runs. It ends at the next tournament."""
        return self._ask("DELETE", f"/season", {}, {})

    def get_season(self) -> SeasonStands:
        """Says how the ranking of all tournaments under other rules goes, or what came of the last one."""
        return self._ask("GET", f"/season", {}, {})

    def rank_season(self, body: WantedSeason) -> SeasonStands:
        """Ranks all tournaments of this server under other rules, as a job: one at a time."""
        return self._ask("POST", f"/season", {}, {}, body)

    def get_season_file(self, file: str) -> str:
        """Gives a report of the last one: of everything, or of one store; or the page of who moves."""
        return self._ask("GET", f"/season/{_part(file)}", {}, {})

    def list_sessions(self) -> Sessions:
        """Lists the browsers that are signed in."""
        return self._ask("GET", f"/sessions", {}, {})

    def end_session(self, session: str) -> Any:
        """Ends a session."""
        return self._ask("DELETE", f"/sessions/{_part(session)}", {}, {})

    def list_accounts(self) -> Accounts:
        """Lists the accounts."""
        return self._ask("GET", f"/staff", {}, {})

    def remove_account(self, name: str) -> Any:
        """Removes an account; its sessions end."""
        return self._ask("DELETE", f"/staff/{_part(name)}", {}, {})

    def put_account(self, name: str, body: WantedAccount) -> Accounts:
        """Makes an account, or changes one; its sessions end."""
        return self._ask("PUT", f"/staff/{_part(name)}", {}, {}, body)

    def list_stores(self) -> Stores:
        """Lists the stores that are enrolled here, and links that no store has used yet."""
        return self._ask("GET", f"/stores", {}, {})

    def make_store_link(self, body: WantedStore, *, idempotency_key: Optional[str] = None) -> StoreLinkMade:
        """Makes a link that enrolls a store, once for all its tournaments."""
        return self._ask("POST", f"/stores", {}, {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}, body)

    def end_store(self, store: str) -> Any:
        """Ends the enrollment of a store, or takes a link back."""
        return self._ask("DELETE", f"/stores/{_part(store)}", {}, {})

    def list_tokens(self) -> Tokens:
        """Lists the tokens that hold."""
        return self._ask("GET", f"/tokens", {}, {})

    def make_token(self, body: Wanted, *, idempotency_key: Optional[str] = None) -> TokenMade:
        """Makes a token for a program."""
        return self._ask("POST", f"/tokens", {}, {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}, body)

    def end_token(self, token: str) -> Any:
        """Takes a token back."""
        return self._ask("DELETE", f"/tokens/{_part(token)}", {}, {})

    def list_tournaments(self, *, state: Optional[str] = None, after: Optional[str] = None, limit: Optional[int] = None) -> Tournaments:
        """Lists the tournaments of the store."""
        return self._ask("GET", f"/tournaments", {"state": state, "after": after, "limit": limit}, {})

    def open_tournament(self, body: New, *, idempotency_key: Optional[str] = None) -> OrderAnswer:
        """Opens a tournament."""
        return self._ask("POST", f"/tournaments", {}, {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}, body)

    def get_tournament(self, id: str, *, if_none_match: Optional[str] = None) -> Stands:
        """Says where a tournament stands."""
        return self._ask("GET", f"/tournaments/{_part(id)}", {}, {"If-None-Match": if_none_match})

    def get_bracket_at(self, id: str, head: str, *, if_none_match: Optional[str] = None) -> Brackets:
        """Gives the brackets as they stood at an event, with numbers and no names."""
        return self._ask("GET", f"/tournaments/{_part(id)}/at/{_part(head)}/bracket", {}, {"If-None-Match": if_none_match})

    def get_round_at(self, id: str, head: str, round: int, *, if_none_match: Optional[str] = None) -> Pairings:
        """Gives a round as it stood at an event, with numbers and no names."""
        return self._ask("GET", f"/tournaments/{_part(id)}/at/{_part(head)}/rounds/{_part(round)}", {}, {"If-None-Match": if_none_match})

    def get_standings_at(self, id: str, head: str, *, through: Optional[int] = None, measures: Optional[str] = None, division: Optional[str] = None, after: Optional[int] = None, if_none_match: Optional[str] = None) -> Standings:
        """Gives the standings as they stood at an event, with numbers and no names."""
        return self._ask("GET", f"/tournaments/{_part(id)}/at/{_part(head)}/standings", {"through": through, "measures": measures, "division": division, "after": after}, {"If-None-Match": if_none_match})

    def explain_place_at(self, id: str, head: str, player: int, *, through: Optional[int] = None, against: Optional[int] = None, if_none_match: Optional[str] = None) -> Explanation:
        """Says why a player stood where they stood at an event, with numbers and no names."""
        return self._ask("GET", f"/tournaments/{_part(id)}/at/{_part(head)}/standings/{_part(player)}/explanation", {"through": through, "against": against}, {"If-None-Match": if_none_match})

    def get_audit(self, id: str) -> bytes:
        """Gives every private text of a tournament, reasons and notes too, and no secret: for an auditor."""
        return self._ask("GET", f"/tournaments/{_part(id)}/audit", {}, {})

    def get_bracket(self, id: str, *, if_none_match: Optional[str] = None) -> Brackets:
        """Gives the brackets, once their rounds are out."""
        return self._ask("GET", f"/tournaments/{_part(id)}/bracket", {}, {"If-None-Match": if_none_match})

    def get_bundle(self, id: str) -> bytes:
        """Gives the tournament in one file, without names."""
        return self._ask("GET", f"/tournaments/{_part(id)}/bundle", {}, {})

    def get_checkpoint(self, id: str, *, if_none_match: Optional[str] = None) -> Checkpoint:
        """Gives the last checkpoint that is kept."""
        return self._ask("GET", f"/tournaments/{_part(id)}/checkpoint", {}, {"If-None-Match": if_none_match})

    def sign_checkpoint(self, id: str) -> Checkpoint:
        """Signs the log as it stands."""
        return self._ask("POST", f"/tournaments/{_part(id)}/checkpoint", {}, {})

    def list_checkpoints(self, id: str, *, if_none_match: Optional[str] = None) -> Checkpoints:
        """Gives every checkpoint that is kept."""
        return self._ask("GET", f"/tournaments/{_part(id)}/checkpoints", {}, {"If-None-Match": if_none_match})

    def list_claims(self, id: str, *, round: Optional[int] = None, table: Optional[int] = None, open: Optional[bool] = None, if_none_match: Optional[str] = None) -> Claims:
        """Gives the last report of each player in each of their matches."""
        return self._ask("GET", f"/tournaments/{_part(id)}/claims", {"round": round, "table": table, "open": open}, {"If-None-Match": if_none_match})

    def compare_rules(self, id: str, *, as_of: Optional[str] = None, through: Optional[int] = None, rules: str, cut: Optional[int] = None) -> Comparison:
        """Says who would stand elsewhere under another ruleset, and because of what."""
        return self._ask("GET", f"/tournaments/{_part(id)}/compare", {"as-of": as_of, "through": through, "rules": rules, "cut": cut}, {})

    def list_disputes(self, id: str, *, as_of: Optional[str] = None, open: Optional[bool] = None, if_none_match: Optional[str] = None) -> Disputes:
        """Lists the disputes."""
        return self._ask("GET", f"/tournaments/{_part(id)}/disputes", {"as-of": as_of, "open": open}, {"If-None-Match": if_none_match})

    def get_dispute_file(self, id: str, dispute: int, *, as_of: Optional[str] = None, cut: Optional[int] = None) -> DisputeFile:
        """Gives all that a head judge needs for a dispute."""
        return self._ask("GET", f"/tournaments/{_part(id)}/disputes/{_part(dispute)}/file", {"as-of": as_of, "cut": cut}, {})

    def list_exports(self, id: str) -> Exports:
        """Lists the formats of other programs, with what each would not hold of the tournament."""
        return self._ask("GET", f"/tournaments/{_part(id)}/exports", {}, {})

    def export_file(self, id: str, format: str, body: Optional[bytes], *, names: Optional[bool] = None) -> Union[bytes, str]:
        """Gives the tournament as a file of another program."""
        return self._ask("POST", f"/tournaments/{_part(id)}/exports/{_part(format)}", {"names": names}, {}, body)

    def get_floor(self, id: str) -> Anything:
        """Says how the floor stands: clock, announcements, featured tables."""
        return self._ask("GET", f"/tournaments/{_part(id)}/floor", {}, {})

    def change_floor(self, id: str, body: FloorChange, *, idempotency_key: Optional[str] = None) -> Anything:
        """Does something on the floor."""
        return self._ask("PATCH", f"/tournaments/{_part(id)}/floor", {}, {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}, body)

    def call_judge(self, id: str, body: Anything, *, idempotency_key: Optional[str] = None) -> Anything:
        """Calls a judge: `table` and `what`."""
        return self._ask("POST", f"/tournaments/{_part(id)}/floor/calls", {}, {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}, body)

    def list_floor(self, id: str) -> Anything:
        """Gives everything that was done on the floor, by whom and when."""
        return self._ask("GET", f"/tournaments/{_part(id)}/floor/entries", {}, {})

    def forget(self, id: str, body: WantedForget) -> Forgotten:
        """Empties the private texts that are somebody's or name them, for good."""
        return self._ask("POST", f"/tournaments/{_part(id)}/forget", {}, {}, body)

    def get_handover(self, id: str) -> bytes:
        """Gives the file by which another desk carries the tournament on."""
        return self._ask("GET", f"/tournaments/{_part(id)}/handover", {}, {})

    def get_log(self, id: str, *, after: Optional[int] = None, wait: Optional[int] = None, player: Optional[int] = None, table: Optional[int] = None, round: Optional[int] = None, kind: Optional[str] = None, person: Optional[str] = None, changed: Optional[bool] = None, if_none_match: Optional[str] = None) -> Lines:
        """Gives the log in sentences."""
        return self._ask("GET", f"/tournaments/{_part(id)}/log", {"after": after, "wait": wait, "player": player, "table": table, "round": round, "kind": kind, "person": person, "changed": changed}, {"If-None-Match": if_none_match})

    def give_orders(self, id: str, body: Orders, *, idempotency_key: Optional[str] = None, if_match: Optional[str] = None) -> Union[OrderAnswer, List[OrderLine]]:
        """Carries out one order or many."""
        return self._ask("POST", f"/tournaments/{_part(id)}/orders", {}, {"Idempotency-Key": idempotency_key or uuid.uuid4().hex, "If-Match": if_match}, body)

    def list_player_links(self, id: str) -> PlayerLinks:
        """Lists the links of the players, and whether a device is bound to each."""
        return self._ask("GET", f"/tournaments/{_part(id)}/player-links", {}, {})

    def make_player_links(self, id: str, body: WantedPlayerLinks, *, idempotency_key: Optional[str] = None) -> PlayerLinksMade:
        """Makes links for players: those who are named, or everybody who takes part and has none."""
        return self._ask("POST", f"/tournaments/{_part(id)}/player-links", {}, {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}, body)

    def free_player_link(self, id: str, player: int) -> Any:
        """Frees the link of a player from its device: the next one that opens it is theirs."""
        return self._ask("DELETE", f"/tournaments/{_part(id)}/player-links/{_part(player)}/device", {}, {})

    def list_players(self, id: str, *, as_of: Optional[str] = None, through: Optional[int] = None, if_none_match: Optional[str] = None) -> Players:
        """Lists the players."""
        return self._ask("GET", f"/tournaments/{_part(id)}/players", {"as-of": as_of, "through": through}, {"If-None-Match": if_none_match})

    def get_player(self, id: str, player: int, *, as_of: Optional[str] = None, through: Optional[int] = None, if_none_match: Optional[str] = None) -> RosterRow:
        """Gives a player of the roster."""
        return self._ask("GET", f"/tournaments/{_part(id)}/players/{_part(player)}", {"as-of": as_of, "through": through}, {"If-None-Match": if_none_match})

    def get_policies(self, id: str, *, if_none_match: Optional[str] = None) -> Policy:
        """Says what everybody may see of the tournament."""
        return self._ask("GET", f"/tournaments/{_part(id)}/policies", {}, {"If-None-Match": if_none_match})

    def put_policies(self, id: str, body: Policy) -> Policy:
        """Chooses what everybody may see of the tournament."""
        return self._ask("PUT", f"/tournaments/{_part(id)}/policies", {}, {}, body)

    def get_proof(self, id: str, *, from_: int, to: Optional[int] = None, if_none_match: Optional[str] = None) -> Proof:
        """Proves that the log begins with what it was."""
        return self._ask("GET", f"/tournaments/{_part(id)}/proof", {"from": from_, "to": to}, {"If-None-Match": if_none_match})

    def get_reach(self, id: str, *, as_of: Optional[str] = None, rules: Optional[str] = None, cut: Optional[int] = None, after: Optional[int] = None, if_none_match: Optional[str] = None) -> Reach:
        """Says what everybody can still reach."""
        return self._ask("GET", f"/tournaments/{_part(id)}/reach", {"as-of": as_of, "rules": rules, "cut": cut, "after": after}, {"If-None-Match": if_none_match})

    def get_player_reach(self, id: str, player: int, *, as_of: Optional[str] = None, rules: Optional[str] = None, cut: Optional[int] = None, after: Optional[int] = None, if_none_match: Optional[str] = None) -> Reach:
        """Says what a player can still reach, with each end of their match."""
        return self._ask("GET", f"/tournaments/{_part(id)}/reach/{_part(player)}", {"as-of": as_of, "rules": rules, "cut": cut, "after": after}, {"If-None-Match": if_none_match})

    def get_receipt(self, id: str, player: int, *, if_none_match: Optional[str] = None) -> PlayerReceipt:
        """Gives a receipt for what was recorded of a player, without names."""
        return self._ask("GET", f"/tournaments/{_part(id)}/receipt/{_part(player)}", {}, {"If-None-Match": if_none_match})

    def follow_records(self, id: str, *, after: Optional[int] = None, wait: Optional[int] = None) -> LogPart:
        """Gives the records behind an event, with a checkpoint over the last of them."""
        return self._ask("GET", f"/tournaments/{_part(id)}/records", {"after": after, "wait": wait}, {})

    def get_records(self, id: str, page: int, *, if_none_match: Optional[str] = None) -> Records:
        """Gives a page of records with their bytes, 256 each."""
        return self._ask("GET", f"/tournaments/{_part(id)}/records/{_part(page)}", {}, {"If-None-Match": if_none_match})

    def replay(self, id: str, *, as_of: Optional[str] = None, through: Optional[int] = None, rules: Optional[str] = None, by: Optional[str] = None, after: Optional[int] = None) -> Steps:
        """Gives the tournament again, step by step: what happened, and who moved."""
        return self._ask("GET", f"/tournaments/{_part(id)}/replay", {"as-of": as_of, "through": through, "rules": rules, "by": by, "after": after}, {})

    def get_round(self, id: str, round: int, *, if_none_match: Optional[str] = None) -> Pairings:
        """Gives a round: tables, results, byes."""
        return self._ask("GET", f"/tournaments/{_part(id)}/rounds/{_part(round)}", {}, {"If-None-Match": if_none_match})

    def get_screens(self, id: str, *, if_none_match: Optional[str] = None) -> Screens:
        """Says what screens and overlays show, and by which link a device shows it."""
        return self._ask("GET", f"/tournaments/{_part(id)}/screens", {}, {"If-None-Match": if_none_match})

    def make_screen_link(self, id: str, body: WantedScreenLink) -> Screens:
        """Makes the link by which a device shows the screen, with whole names, and does nothing."""
        return self._ask("POST", f"/tournaments/{_part(id)}/screens", {}, {}, body)

    def get_standings(self, id: str, *, as_of: Optional[str] = None, through: Optional[int] = None, rules: Optional[str] = None, measures: Optional[str] = None, division: Optional[str] = None, after: Optional[int] = None, if_none_match: Optional[str] = None) -> Standings:
        """Gives the standings."""
        return self._ask("GET", f"/tournaments/{_part(id)}/standings", {"as-of": as_of, "through": through, "rules": rules, "measures": measures, "division": division, "after": after}, {"If-None-Match": if_none_match})

    def explain_place(self, id: str, player: int, *, as_of: Optional[str] = None, through: Optional[int] = None, rules: Optional[str] = None, against: Optional[int] = None, if_none_match: Optional[str] = None) -> Explanation:
        """Says why a player stands where they stand."""
        return self._ask("GET", f"/tournaments/{_part(id)}/standings/{_part(player)}/explanation", {"as-of": as_of, "through": through, "rules": rules, "against": against}, {"If-None-Match": if_none_match})

    def trace(self, id: str, player: int, *, as_of: Optional[str] = None, through: Optional[int] = None, rules: Optional[str] = None, by: Optional[str] = None) -> Traced:
        """Says what moved a player, and because of whom."""
        return self._ask("GET", f"/tournaments/{_part(id)}/trace/{_part(player)}", {"as-of": as_of, "through": through, "rules": rules, "by": by}, {})

    def try_orders(self, id: str, body: Orders, *, cut: Optional[int] = None) -> WhatIf:
        """Says what orders would do; nothing is recorded."""
        return self._ask("POST", f"/tournaments/{_part(id)}/what-if", {"cut": cut}, {}, body)

    def list_webhooks(self) -> Webhooks:
        """Lists the webhooks: addresses that are told what happens."""
        return self._ask("GET", f"/webhooks", {}, {})

    def make_webhook(self, body: WantedWebhook, *, idempotency_key: Optional[str] = None) -> WebhookMade:
        """Makes a webhook."""
        return self._ask("POST", f"/webhooks", {}, {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}, body)

    def end_webhook(self, webhook: str) -> Any:
        """Removes a webhook."""
        return self._ask("DELETE", f"/webhooks/{_part(webhook)}", {}, {})

    def pause_webhook(self, webhook: str, body: WebhookPaused) -> WebhookListed:
        """Pauses a webhook, or lets it go on at once."""
        return self._ask("PATCH", f"/webhooks/{_part(webhook)}", {}, {}, body)

    def try_webhook(self, webhook: str) -> WebhookTried:
        """Sends a webhook a delivery of nothing, to try whether it arrives."""
        return self._ask("POST", f"/webhooks/{_part(webhook)}/try", {}, {})


def _problem(error: urllib.error.HTTPError) -> dict:
    try:
        return json.loads(error.read().decode())
    except (OSError, http.client.HTTPException, ValueError):
        return {"title": error.reason}
