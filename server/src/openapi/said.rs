//! What is said of each path.

use crate::exports::WORKBOOK_KIND;
use crate::kept::LINES;

/// An answer: what it is, of which kind, and its schema.
pub struct Gives {
    /// What it is.
    pub what: &'static str,
    /// Its media type; empty where there is no body.
    pub kind: &'static str,
    /// The name of its schema; empty where it is a text.
    pub of: &'static str,
}

/// What is said of a path.
pub struct Said {
    /// The method.
    pub method: &'static str,
    /// The path, behind `/api/v1`.
    pub path: &'static str,
    /// What it is called.
    pub id: &'static str,
    /// What it does.
    pub says: &'static str,
    /// What is to be known beside.
    pub more: &'static str,
    /// What may stand in the query.
    pub query: &'static [(&'static str, &'static str)],
    /// What of it has to stand there.
    pub needed: &'static [&'static str],
    /// Headers, and whether they are needed.
    pub headers: &'static [(&'static str, &'static str, bool)],
    /// The schema of the body.
    pub takes: Option<&'static str>,
    /// The answers.
    pub gives: &'static [(u16, Gives)],
    /// The codes with which it refuses, beside those of every path.
    pub codes: &'static [&'static str],
}

const NOTHING: Said = Said {
    method: "GET",
    path: "",
    id: "",
    says: "",
    more: "",
    query: &[],
    needed: &[],
    headers: &[],
    takes: None,
    gives: &[],
    codes: &[],
};

const fn json(what: &'static str, of: &'static str) -> Gives {
    Gives { what, kind: "application/json", of }
}

const KEY: (&str, &str, bool) = (
    "Idempotency-Key",
    "1 to 64 printable characters. What is sent again under its key is not done again. It is a key of the token \
     that sends it, and within one tournament: another token's is another key.",
    true,
);
const BEHIND: (&str, &str) = ("after", "Only what comes behind this event.");
const WAIT: (&str, &str) =
    ("wait", "How many seconds to wait where there is nothing yet, up to 25.");
const AS_OF: (&str, &str) =
    ("as-of", "Only what had been recorded by then: the number of an event, or a time.");
const THROUGH: (&str, &str) = ("through", "Only the rounds up to this one.");
const RULES: (&str, &str) = ("rules", "Under this ruleset, by its id.");
/// What can be asked of what is still to be reached.
const REACH: &[(&str, &str)] = &[
    AS_OF,
    RULES,
    ("cut", "How many make the cut; otherwise as the plan says."),
    ("after", "Behind the row of this player, by their number."),
];
const UNCHANGED: (&str, &str, bool) =
    ("If-None-Match", "The ETag of the last answer: 304 where nothing was recorded since.", false);

/// What is kept in between for good.
const NEVER_CHANGES: &str = "Only of events that everybody knows. Whoever asks is answered the same, for ever: it may be \
                             kept for a year without asking again.";

/// What stands where a body is no JSON but a file, and where a file may be left out.
pub const FILE: &str = "a file";
/// As [`FILE`], of one that may be left out.
pub const OPTIONAL_FILE: &str = "a file, or nothing";
/// What stands where a body is a text.
pub const TEXT: &str = "a text";
/// The schema of one order or many.
pub const ORDERS: &str = "Orders";

const CREATED: (u16, Gives) = (201, json("recorded, and on the disk", "OrderAnswer"));
const GONE: (u16, Gives) = (204, Gives { what: "taken back", kind: "", of: "" });

/// What cannot be done on the floor.
const FLOOR_CODES: &[&str] = &[
    "bad-minutes",
    "command-id-reused",
    "no-clock",
    "no-reason",
    "no-round",
    "no-such-announcement",
    "no-such-call",
    "no-such-round",
    "no-such-table",
    "text-not-printable",
    "text-too-long",
    "too-many",
];

/// What is said of what stands in a path: what it is, and of which type.
pub fn in_path(name: &str) -> (&'static str, &'static str) {
    match name {
        "id" => ("The tournament: its id, the first eight digits of it, or its title.", "string"),
        "round" => ("The number of the round.", "integer"),
        "head" => (
            "The number of an event and eight or more digits of its hash, as an ETag of staff or `log_head` of standings has \
             them: `57-9f3a1c04`.",
            "string",
        ),
        "player" => ("The number of the player.", "integer"),
        "dispute" => ("The number of the dispute.", "integer"),
        "page" => ("The number of the page, from 1.", "integer"),
        "rules" => ("The id of the ruleset.", "string"),
        "file" => ("The name of the report, as the list has it; or `page.html`.", "string"),
        "format" => ("The word of the format, as the list has it.", "string"),
        "edition" => ("The name of the edition, as the list has it.", "string"),
        "code" => ("The code.", "string"),
        "name" => ("The name of the account.", "string"),
        _ => ("The id, as the list has it.", "string"),
    }
}

/// The type of what stands in a query.
pub fn kind_of(path: &str, name: &str) -> &'static str {
    match name {
        // Behind an id, and not behind a number.
        "after" if path == "/tournaments" => "string",
        "through" | "against" | "after" | "cut" | "wait" | "from" | "to" | "limit" | "player"
        | "table" | "round" => "integer",
        "open" | "changed" | "names" | "dry-run" | "verify" => "boolean",
        _ => "string",
    }
}

/// Every path.
pub const SAID: &[Said] = &[
    Said {
        path: "/tournaments",
        id: "listTournaments",
        says: "Lists the tournaments of the store.",
        query: &[
            ("state", "Only those that are `enrolling`, `running`, `closed` or `imported`."),
            ("after", "Only what comes behind the tournament with this id."),
            ("limit", "How many at once, from 1; otherwise all of them."),
        ],
        gives: &[(200, json("the tournaments, by title", "Tournaments"))],
        codes: &["unknown-tournament"],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/tournaments",
        id: "openTournament",
        says: "Opens a tournament.",
        headers: &[KEY],
        takes: Some("New"),
        gives: &[CREATED, (200, json("opened before, under this key", "OrderAnswer"))],
        codes: &[
            "bad-title",
            "bad-ruleset",
            "bad-phase",
            "bad-day",
            "bad-scoresheet",
            "command-id-reused",
        ],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/imports",
        id: "importFile",
        says: "Stores a file of another program, or says what would become of it.",
        more: "The body is the file as it is, up to 64 MiB; its format is recognized by what stands in it. The same \
               file is stored once, without a key. A newer file of a tournament that is there brings it up to date. \
               Nothing is stored with `dry-run`, or where only a person can tell which column holds something: \
               that is refused, and with `dry-run` answered with the sheet.",
        query: &[
            ("name", "The name of the file: a sheet without a title is known by it."),
            ("dry-run", "Only say what would become of it."),
            RULES,
            (
                "columns",
                "What the columns of a sheet hold, such as `round=1,player_a=2,player_b=3,result=4`.",
            ),
        ],
        needed: &["name"],
        takes: Some(FILE),
        gives: &[
            (201, json("stored, and on the disk", "ImportDone")),
            (200, json("stored before, or looked at only", "ImportDone")),
        ],
        codes: &[
            "bad-ruleset",
            "bad-value",
            "changed-file",
            "empty-file",
            "file-too-large",
            "impossible-score",
            "missing",
            "no-ruleset",
            "too-deep",
            "too-many",
            "unknown-format",
            "which-column",
        ],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/exports",
        id: "listExports",
        says: "Lists the formats of other programs, with what each would not hold of the tournament.",
        gives: &[(200, json("the formats", "Exports"))],
        codes: &["missing-score-line"],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/tournaments/{id}/exports/{format}",
        id: "exportFile",
        says: "Gives the tournament as a file of another program.",
        more: "The body is the file to write into, where the format takes one. With names it is noted that they left \
               the store.",
        query: &[("names", "Whether names stand in it.")],
        takes: Some(OPTIONAL_FILE),
        gives: &[
            (200, Gives { what: "the file", kind: "application/octet-stream", of: "" }),
            (200, Gives { what: "the file", kind: "text/csv", of: "" }),
            (200, Gives { what: "the file", kind: WORKBOOK_KIND, of: "" }),
        ],
        codes: &[
            "differs-from-its-file",
            "into-not-read",
            "missing-score-line",
            "needs-its-file",
            "not-as-report",
            "not-in-its-file",
            "not-written-into",
            "report-too-large",
            "unknown-format",
        ],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}",
        id: "getTournament",
        says: "Says where a tournament stands.",
        more: "Its ETag is what `If-Match` takes.",
        headers: &[UNCHANGED],
        gives: &[(200, json("where it stands", "Stands"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/tournaments/{id}/orders",
        id: "giveOrders",
        says: "Carries out one order or many.",
        more: "One order, or an array of up to 1,000 (or `{\"orders\": […]}`, or one a line, as `application/x-ndjson`). \
               Of an array each has its own line in the answer, and one that is refused does not stop \
               the rest, but for one with 412: behind it nothing is carried out. Which role may give which order stands in docs/API.md.",
        headers: &[
            KEY,
            (
                "If-Match",
                "The ETag of what was seen. Needed for `advance`, `amend-rules`, `close`, `cut`, \
                 `publish`, `remove`, `repair`, `reseed`, `set-pairing` and `withdraw`. Each order of many is \
                 held to what stands behind the one before; the first that saw something else is \
                 the last that is answered.",
                false,
            ),
        ],
        takes: Some(ORDERS),
        gives: &[
            CREATED,
            (200, json("recorded before, under this key; of many a line each", "OrderAnswer")),
            (
                200,
                Gives {
                    what: "recorded before, under this key; of many a line each",
                    kind: LINES,
                    of: "OrderLine",
                },
            ),
        ],
        codes: &[
            "bad-order",
            "if-match-needed",
            "moved",
            "command-id-reused",
            "log-not-written",
            "waiting-for-database",
            "outcome-unknown",
        ],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/tournaments/{id}/what-if",
        id: "tryOrders",
        says: "Says what orders would do; nothing is recorded.",
        more: "The body is that of `/tournaments/{id}/orders`, in each of its forms; reasons, and what a dispute claims, \
               may be left out. All of them are tried one after another, or none where one is refused: that is told \
               with its line.",
        query: &[("cut", "How many make the cut.")],
        takes: Some(ORDERS),
        gives: &[(200, json("what would change", "WhatIf"))],
        codes: &["no-what-if", "no-such-cut"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/players",
        id: "listPlayers",
        says: "Lists the players.",
        query: &[AS_OF, THROUGH],
        headers: &[UNCHANGED],
        gives: &[(200, json("the players", "Players"))],
        codes: &["bad-moment", "before-opening", "no-such-round"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/rounds/{round}",
        id: "getRound",
        says: "Gives a round: tables, results, byes.",
        more: "A draft is shown to those who may see it alone.",
        headers: &[UNCHANGED],
        gives: &[(200, json("the round", "Pairings"))],
        codes: &["no-such-round"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/standings",
        id: "getStandings",
        says: "Gives the standings.",
        more: "500 rows a page; `Link: rel=\"next\"` leads to the next one, which is of the same events.",
        query: &[
            AS_OF,
            THROUGH,
            RULES,
            ("measures", "`ranking`, as without it: those that rank; or `all`."),
            ("division", "Only the players of this division, by their places in it."),
            ("after", "Behind the row of this player, by their number."),
        ],
        headers: &[UNCHANGED],
        gives: &[(200, json("the standings", "Standings"))],
        codes: &[
            "bad-moment",
            "before-opening",
            "no-such-round",
            "bad-ruleset",
            "missing-score-line",
            "no-divisions",
            "unknown-division",
        ],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/standings/{player}/explanation",
        id: "explainPlace",
        says: "Says why a player stands where they stand.",
        query: &[AS_OF, THROUGH, RULES, ("against", "Beside this player; otherwise a neighbor.")],
        headers: &[UNCHANGED],
        gives: &[(200, json("why", "Explanation"))],
        codes: &["no-place", "same-player", "bad-moment", "no-such-round"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/reach",
        id: "getReach",
        says: "Says what everybody can still reach.",
        more: "Who has clinched the cut, who is out, and the best and the worst place. 500 rows a page; \
               `Link: rel=\"next\"` leads to the next one, which is of the same events.",
        query: REACH,
        headers: &[UNCHANGED],
        gives: &[(200, json("what can be reached", "Reach"))],
        codes: &["nothing-to-reach", "no-such-round", "no-such-cut", "bad-moment"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/reach/{player}",
        id: "getPlayerReach",
        says: "Says what a player can still reach, with each end of their match.",
        query: REACH,
        headers: &[UNCHANGED],
        gives: &[(200, json("what they can reach", "Reach"))],
        codes: &["nothing-to-reach", "no-place", "no-such-round", "no-such-cut", "bad-moment"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/log",
        id: "getLog",
        says: "Gives the log in sentences.",
        more: "Up to the horizon and without reasons for those who may not see drafts. `Link: rel=\"next\"` \
               leads to the next page. With `Accept: application/x-ndjson` all of it comes at once, one \
               line an event, and with `wait` it stays open for so many seconds and has what comes.",
        query: &[
            BEHIND,
            WAIT,
            ("player", "Only what is about this player."),
            ("table", "Only what is about this table."),
            ("round", "Only what is about this round."),
            ("kind", "Only of this kind in words, such as `result`."),
            ("person", "Only what this person recorded."),
            ("changed", "Only what was changed, with what changed it."),
        ],
        headers: &[UNCHANGED],
        gives: &[
            (200, json("up to 1,000 lines; line by line all of them", "Lines")),
            (
                200,
                Gives {
                    what: "up to 1,000 lines; line by line all of them",
                    kind: LINES,
                    of: "LogLine",
                },
            ),
        ],
        codes: &["no-such-kind", "no-such-round", "no-such-table", "no-such-person"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/claims",
        id: "listClaims",
        says: "Gives the last report of each player in each of their matches.",
        more: "A report is no result.",
        query: &[
            ("round", "Only those of this round."),
            ("table", "Only those of this table."),
            ("open", "Only those of matches without a result."),
        ],
        headers: &[UNCHANGED],
        gives: &[(200, json("the reports, in the order of the log", "Claims"))],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/handover",
        id: "getHandover",
        says: "Gives the file by which another desk carries the tournament on.",
        more: "It holds every private text and the secret of the pairings, and it is noted that names left \
               the store. What was done on the floor is given by `/floor/entries`.",
        gives: &[(200, Gives { what: "the file", kind: "application/octet-stream", of: "" })],
        codes: &["bundle-too-large"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/audit",
        id: "getAudit",
        says: "Gives every private text of a tournament, reasons and notes too, and no secret: for an auditor.",
        more: "It is a bundle, which `/import` of another server takes in. It is noted that names left the store.",
        gives: &[(200, Gives { what: "the file", kind: "application/octet-stream", of: "" })],
        codes: &["bundle-too-large"],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/tournaments/{id}/forget",
        id: "forget",
        says: "Empties the private texts that are somebody's or name them, for good.",
        more: "With `dry_run` nothing is emptied, and the answer has the texts that would be. Sent again, it \
               says that nothing of them is left.",
        takes: Some("WantedForget"),
        gives: &[(200, json("what was emptied, what stays, and where copies are", "Forgotten"))],
        codes: &[
            "unknown-player",
            "which-player",
            "whole-name-needed",
            "no-such-entry",
            "anothers-entry",
            "not-about-person",
            "words-lost",
            "log-forked",
            "log-shorter",
        ],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/disputes",
        id: "listDisputes",
        says: "Lists the disputes.",
        query: &[AS_OF, ("open", "Only what is open.")],
        headers: &[UNCHANGED],
        gives: &[(200, json("the disputes", "Disputes"))],
        codes: &["bad-moment"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/disputes/{dispute}/file",
        id: "getDisputeFile",
        says: "Gives all that a head judge needs for a dispute.",
        query: &[AS_OF, ("cut", "How many make the cut.")],
        gives: &[(200, json("the file", "DisputeFile"))],
        codes: &["no-such-dispute", "no-such-cut"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/player-links",
        id: "listPlayerLinks",
        says: "Lists the links of the players, and whether a device is bound to each.",
        gives: &[(200, json("the links, without their secrets", "PlayerLinks"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/tournaments/{id}/player-links",
        id: "makePlayerLinks",
        says: "Makes links for players: those who are named, or everybody who takes part and has none.",
        more: "Each is told once. It is bound to the first device that opens it and says that it is its \
               player's; one that a player had ends.",
        headers: &[KEY],
        takes: Some("WantedPlayerLinks"),
        gives: &[(201, json("the links", "PlayerLinksMade"))],
        codes: &["command-id-reused", "made-already", "unknown-player", "house-not-kept"],
        ..NOTHING
    },
    Said {
        method: "DELETE",
        path: "/tournaments/{id}/player-links/{player}/device",
        id: "freePlayerLink",
        says: "Frees the link of a player from its device: the next one that opens it is theirs.",
        gives: &[GONE],
        codes: &["no-such-link", "house-not-kept"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/bundle",
        id: "getBundle",
        says: "Gives the tournament in one file, without names.",
        more: "Up to the horizon for those who may not see drafts; where the policy says so, with a token alone.",
        gives: &[(200, Gives { what: "the file", kind: "application/octet-stream", of: "" })],
        codes: &["bundle-too-large"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/floor",
        id: "getFloor",
        says: "Says how the floor stands: clock, announcements, featured tables.",
        more: "Staff also see extensions, calls, deck checks and who sits where.",
        gives: &[(200, json("how it stands", "Anything"))],
        ..NOTHING
    },
    Said {
        method: "PATCH",
        path: "/tournaments/{id}/floor",
        id: "changeFloor",
        says: "Does something on the floor.",
        more: "`do` names what; docs/API.md has who may do what. With `note` an extension or a deck \
               check is written into the log as well.",
        headers: &[KEY],
        takes: Some("FloorChange"),
        gives: &[
            (201, json("done, and on the disk", "Anything")),
            (200, json("done before, under this key", "Anything")),
        ],
        codes: FLOOR_CODES,
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/floor/entries",
        id: "listFloor",
        says: "Gives everything that was done on the floor, by whom and when.",
        gives: &[(200, json("the entries, the oldest first", "Anything"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/tournaments/{id}/floor/calls",
        id: "callJudge",
        says: "Calls a judge: `table` and `what`.",
        headers: &[KEY],
        takes: Some("Anything"),
        gives: &[
            (201, json("called, with the number of the call", "Anything")),
            (200, json("called before, under this key", "Anything")),
        ],
        codes: FLOOR_CODES,
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/live",
        id: "watch",
        says: "Tells what happens as it happens, as server-sent events.",
        query: &[
            ("after", "Goes on behind this event, where `Last-Event-ID` names none."),
            ("page", "`1`: an event, `alive`, tells that the line is alive, and no comment."),
        ],
        headers: &[("Last-Event-ID", "Goes on behind this event.", false)],
        gives: &[(200, Gives { what: "a stream", kind: "text/event-stream", of: "" })],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/players/{player}",
        id: "getPlayer",
        says: "Gives a player of the roster.",
        query: &[AS_OF, THROUGH],
        headers: &[UNCHANGED],
        gives: &[(200, json("the player", "RosterRow"))],
        codes: &["unknown-player", "bad-moment", "no-such-round"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/compare",
        id: "compareRules",
        says: "Says who would stand elsewhere under another ruleset, and because of what.",
        query: &[AS_OF, THROUGH, RULES, ("cut", "How many make the cut.")],
        needed: &["rules"],
        gives: &[(200, json("who moves", "Comparison"))],
        codes: &["bad-request", "bad-ruleset", "bad-moment", "no-such-cut", "missing-score-line"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/replay",
        id: "replay",
        says: "Gives the tournament again, step by step: what happened, and who moved.",
        more: "`Link: rel=\"next\"` leads to the steps behind.",
        query: &[
            AS_OF,
            THROUGH,
            RULES,
            ("by", "`round`, as without it, or `event`."),
            ("after", "Only steps that begin behind this event."),
        ],
        gives: &[(200, json("up to 1,000 steps", "Steps"))],
        codes: &["bad-request", "bad-moment", "bad-ruleset"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/trace/{player}",
        id: "trace",
        says: "Says what moved a player, and because of whom.",
        query: &[AS_OF, THROUGH, RULES, ("by", "`round`, as without it, or `event`.")],
        gives: &[(200, json("the steps that moved them", "Traced"))],
        codes: &["bad-request", "bad-moment", "bad-ruleset", "unknown-player"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/records",
        id: "followRecords",
        says: "Gives the records behind an event, with a checkpoint over the last of them.",
        more: "Up to the horizon, 1 MiB or a little more at a time; `scrutineer follow` keeps a copy by it. \
               Where the policy says so, with a token alone.",
        query: &[BEHIND, WAIT],
        gives: &[(200, json("the records and the checkpoint", "LogPart"))],
        codes: &["nothing-signed", "signed-damaged", "log-forked", "log-shorter"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/records/{page}",
        id: "getRecords",
        says: "Gives a page of records with their bytes, 256 each.",
        more: "A full page never changes. Up to the horizon for those who may not see drafts; where the policy \
               says so, with a token alone.",
        headers: &[UNCHANGED],
        gives: &[(200, json("the records", "Records"))],
        codes: &["no-such-event"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/checkpoint",
        id: "getCheckpoint",
        says: "Gives the last checkpoint that is kept.",
        headers: &[UNCHANGED],
        gives: &[(200, json("the checkpoint", "Checkpoint"))],
        codes: &["nothing-signed", "signed-damaged"],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/tournaments/{id}/checkpoint",
        id: "signCheckpoint",
        says: "Signs the log as it stands.",
        more: "Sent again, it gives the same one.",
        gives: &[(200, json("the checkpoint", "Checkpoint"))],
        codes: &["no-signer", "no-key", "key-not-read", "key-damaged", "log-forked", "log-shorter"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/checkpoints",
        id: "listCheckpoints",
        says: "Gives every checkpoint that is kept.",
        headers: &[UNCHANGED],
        gives: &[(200, json("the checkpoints, the smallest first", "Checkpoints"))],
        codes: &["signed-damaged"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/at/{head}/standings",
        id: "getStandingsAt",
        says: "Gives the standings as they stood at an event, with numbers and no names.",
        more: NEVER_CHANGES,
        query: &[
            THROUGH,
            ("measures", "`ranking`, as without it: those that rank; or `all`."),
            ("division", "Only the players of this division, by their places in it."),
            ("after", "Behind the row of this player, by their number."),
        ],
        headers: &[UNCHANGED],
        gives: &[(200, json("the standings", "Standings"))],
        codes: &[
            "bad-request",
            "no-such-event",
            "no-such-round",
            "missing-score-line",
            "no-divisions",
            "unknown-division",
        ],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/at/{head}/standings/{player}/explanation",
        id: "explainPlaceAt",
        says: "Says why a player stood where they stood at an event, with numbers and no names.",
        more: NEVER_CHANGES,
        query: &[THROUGH, ("against", "Beside this player, by their number.")],
        headers: &[UNCHANGED],
        gives: &[(200, json("why", "Explanation"))],
        codes: &["bad-request", "no-such-event", "no-such-round", "unknown-player"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/at/{head}/rounds/{round}",
        id: "getRoundAt",
        says: "Gives a round as it stood at an event, with numbers and no names.",
        more: NEVER_CHANGES,
        headers: &[UNCHANGED],
        gives: &[(200, json("the round", "Pairings"))],
        codes: &["bad-request", "no-such-event", "no-such-round"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/at/{head}/bracket",
        id: "getBracketAt",
        says: "Gives the brackets as they stood at an event, with numbers and no names.",
        more: NEVER_CHANGES,
        headers: &[UNCHANGED],
        gives: &[(200, json("the brackets", "Brackets"))],
        codes: &["bad-request", "no-such-event", "no-such-round"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/bracket",
        id: "getBracket",
        says: "Gives the brackets, once their rounds are out.",
        headers: &[UNCHANGED],
        gives: &[(200, json("the brackets", "Brackets"))],
        codes: &["no-such-round"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/proof",
        id: "getProof",
        says: "Proves that the log begins with what it was.",
        query: &[
            ("from", "How many records are known, at least 1."),
            ("to", "How many the log has; left out, all that it has now."),
        ],
        needed: &["from"],
        headers: &[UNCHANGED],
        gives: &[(200, json("the proof", "Proof"))],
        codes: &["bad-request", "no-such-event"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/receipt/{player}",
        id: "getReceipt",
        says: "Gives a receipt for what was recorded of a player, without names.",
        more: "It goes up to the last checkpoint.",
        headers: &[UNCHANGED],
        gives: &[(200, json("the receipt", "PlayerReceipt"))],
        codes: &["nothing-signed", "signed-damaged", "unknown-player"],
        ..NOTHING
    },
    Said {
        path: "/rulesets",
        id: "listRulesets",
        says: "Lists the rulesets that are shipped.",
        gives: &[(200, json("the rulesets", "Rulesets"))],
        ..NOTHING
    },
    Said {
        path: "/rulesets/{rules}",
        id: "getRuleset",
        says: "Gives a ruleset with its texts.",
        gives: &[(200, json("the ruleset", "Ruleset"))],
        codes: &["bad-ruleset", "not-allowed"],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/rulesets/check",
        id: "checkRuleset",
        says: "Reads a ruleset that somebody wrote, and says what is wrong with it.",
        more: "The body is its text, in TOML.",
        takes: Some(TEXT),
        gives: &[(200, json("what it is, or what is wrong", "RulesetChecked"))],
        ..NOTHING
    },
    Said {
        path: "/links",
        id: "listLinks",
        says: "Lists the links that hold.",
        gives: &[(200, json("the links", "Links"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/links",
        id: "makeLink",
        says: "Makes a link for staff.",
        more: "Its code is told once.",
        headers: &[KEY],
        takes: Some("Wanted"),
        gives: &[(201, json("the link", "LinkMade"))],
        codes: &["command-id-reused", "made-already", "unknown-tournament"],
        ..NOTHING
    },
    Said {
        method: "DELETE",
        path: "/links/{link}",
        id: "endLink",
        says: "Takes a link back.",
        gives: &[GONE],
        codes: &["no-such-link"],
        ..NOTHING
    },
    Said {
        path: "/tokens",
        id: "listTokens",
        says: "Lists the tokens that hold.",
        gives: &[(200, json("the tokens", "Tokens"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/tokens",
        id: "makeToken",
        says: "Makes a token for a program.",
        more: "It is told once.",
        headers: &[KEY],
        takes: Some("Wanted"),
        gives: &[(201, json("the token", "TokenMade"))],
        codes: &["command-id-reused", "made-already", "unknown-tournament"],
        ..NOTHING
    },
    Said {
        method: "DELETE",
        path: "/tokens/{token}",
        id: "endToken",
        says: "Takes a token back.",
        gives: &[GONE],
        codes: &["no-such-token"],
        ..NOTHING
    },
    Said {
        path: "/webhooks",
        id: "listWebhooks",
        says: "Lists the webhooks: addresses that are told what happens.",
        gives: &[(200, json("the webhooks", "Webhooks"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/webhooks",
        id: "makeWebhook",
        says: "Makes a webhook.",
        more: "From now on it is told what everybody may know. Its secret is told once.",
        headers: &[KEY],
        takes: Some("WantedWebhook"),
        gives: &[(201, json("the webhook", "WebhookMade"))],
        codes: &[
            "address-not-public",
            "bad-address",
            "command-id-reused",
            "too-many",
            "unknown-tournament",
        ],
        ..NOTHING
    },
    Said {
        method: "PATCH",
        path: "/webhooks/{webhook}",
        id: "pauseWebhook",
        says: "Pauses a webhook, or lets it go on at once.",
        more: "It goes on behind what was delivered last.",
        takes: Some("WebhookPaused"),
        gives: &[(200, json("how it is now", "WebhookListed"))],
        codes: &["no-such-webhook"],
        ..NOTHING
    },
    Said {
        method: "DELETE",
        path: "/webhooks/{webhook}",
        id: "endWebhook",
        says: "Removes a webhook.",
        gives: &[GONE],
        codes: &["no-such-webhook"],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/webhooks/{webhook}/try",
        id: "tryWebhook",
        says: "Sends a webhook a delivery of nothing, to try whether it arrives.",
        gives: &[(200, json("whether it did", "WebhookTried"))],
        codes: &["no-such-webhook"],
        ..NOTHING
    },
    Said {
        path: "/sessions",
        id: "listSessions",
        says: "Lists the browsers that are signed in.",
        gives: &[(200, json("the sessions", "Sessions"))],
        ..NOTHING
    },
    Said {
        method: "DELETE",
        path: "/sessions/{session}",
        id: "endSession",
        says: "Ends a session.",
        gives: &[GONE],
        codes: &["no-such-session"],
        ..NOTHING
    },
    Said {
        path: "/staff",
        id: "listAccounts",
        says: "Lists the accounts.",
        gives: &[(200, json("the accounts", "Accounts"))],
        ..NOTHING
    },
    Said {
        method: "PUT",
        path: "/staff/{name}",
        id: "putAccount",
        says: "Makes an account, or changes one; its sessions end.",
        takes: Some("WantedAccount"),
        gives: &[(200, json("changed", "Accounts")), (201, json("made", "Accounts"))],
        codes: &["bad-password", "bad-name", "too-many", "unknown-tournament"],
        ..NOTHING
    },
    Said {
        method: "DELETE",
        path: "/staff/{name}",
        id: "removeAccount",
        says: "Removes an account; its sessions end.",
        gives: &[GONE],
        codes: &["no-such-account"],
        ..NOTHING
    },
    Said {
        path: "/changes",
        id: "listChanges",
        says: "Lists who changed accounts, links and tokens.",
        more: "`Link: rel=\"next\"` leads to the next ones.",
        query: &[("after", "Only what comes behind this change.")],
        gives: &[(200, json("up to 500 changes", "AccountChanges"))],
        ..NOTHING
    },
    Said {
        path: "/review",
        id: "review",
        says: "Says what was corrected, ruled and signed in all tournaments, and who moved.",
        more: "The newest first, 200 at a time; `next` is the `before` of those behind. With `verify=true` \
               tournaments are verified for some seconds, and the next answer goes on: `verified` says \
               how many are.",
        query: &[
            ("since", "From when on: a day, or a time."),
            ("until", "Until when."),
            ("by", "Only what this person recorded."),
            ("tournament", "Only in tournaments of this title, or of an id that begins so."),
            (
                "only",
                "Only this: `correction`, `dispute`, `penalty`, `rules`, `key` or `forgotten`.",
            ),
            ("verify", "Whether tournaments are verified too."),
            ("before", "Only what stands behind the row of an earlier answer."),
        ],
        gives: &[(200, json("what was found", "Review"))],
        codes: &["bad-moment", "unknown-tournament"],
        ..NOTHING
    },
    Said {
        path: "/publisher",
        id: "getPublisher",
        says: "Says where this store is enrolled, and how its pushing goes.",
        gives: &[(200, json("how it stands", "PublisherStands"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/publisher",
        id: "enroll",
        says: "Enrolls this store at a publisher's server, by a link that is good once.",
        more: "From then on what is public is pushed there, also after a restart. Sent again with the same \
               link it is the same enrollment.",
        takes: Some("WantedPublisher"),
        gives: &[(201, json("enrolled", "PublisherStands"))],
        codes: &[
            "bad-address",
            "bad-store-link",
            "copy-not-taken",
            "demo-is-local",
            "elsewhere-not-heard",
            "enrolled-already",
            "enrollment-not-kept",
            "link-of-another-kind",
            "no-such-link",
            "slow-down",
        ],
        ..NOTHING
    },
    Said {
        method: "DELETE",
        path: "/publisher",
        id: "endEnrollment",
        says: "Ends the enrollment here, and says so there.",
        gives: &[(200, json("ended", "PublisherEnded"))],
        codes: &["demo-is-local", "enrollment-not-kept", "not-enrolled"],
        ..NOTHING
    },
    Said {
        path: "/editions",
        id: "listEditions",
        says: "Lists the editions of rules that are here for everybody, the newest first.",
        headers: &[UNCHANGED],
        gives: &[(200, json("the editions", "EditionsOffered"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/editions",
        id: "putEdition",
        says: "Keeps an edition here for everybody.",
        more: "The body is the file as `scrutineer rules sign` writes it.",
        query: &[("key", "All 64 digits of the public key that has to have signed it.")],
        needed: &["key"],
        takes: Some("Anything"),
        gives: &[(201, json("kept", "EditionOffered"))],
        codes: &[
            "bad-ruleset",
            "demo-is-local",
            "edition-altered",
            "edition-not-signed",
            "file-not-read",
            "not-an-edition",
            "too-many",
        ],
        ..NOTHING
    },
    Said {
        path: "/editions/{edition}",
        id: "getEdition",
        says: "Gives an edition as it was signed.",
        more: "Under its name it never changes, and may be kept for good. Check its signature.",
        gives: &[(200, json("the file", "Anything"))],
        codes: &["file-not-read", "no-such-edition"],
        ..NOTHING
    },
    Said {
        path: "/season",
        id: "getSeason",
        says: "Says how the ranking of all tournaments under other rules goes, or what came of the last one.",
        gives: &[(200, json("how it stands", "SeasonStands"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/season",
        id: "rankSeason",
        says: "Ranks all tournaments of this server under other rules, as a job: one at a time.",
        more: "It runs behind whatever the desks ask for. What the last one found goes.",
        takes: Some("WantedSeason"),
        gives: &[(202, json("begun", "SeasonStands"))],
        codes: &[
            "bad-ruleset",
            "demo-is-local",
            "file-not-written",
            "no-such-edition",
            "season-runs-already",
        ],
        ..NOTHING
    },
    Said {
        method: "DELETE",
        path: "/season",
        id: "stopSeason",
        says: "Stops the one that runs. It ends at the next tournament.",
        gives: &[(202, json("it will end", "SeasonStands"))],
        codes: &["no-season"],
        ..NOTHING
    },
    Said {
        path: "/season/{file}",
        id: "getSeasonFile",
        says: "Gives a report of the last one: of everything, or of one store; or the page of who moves.",
        gives: &[
            (200, Gives { what: "a report", kind: "text/csv", of: "" }),
            (200, Gives { what: "`page.html`", kind: "text/html", of: "" }),
        ],
        codes: &["file-not-written", "no-season"],
        ..NOTHING
    },
    Said {
        path: "/stores",
        id: "listStores",
        says: "Lists the stores that are enrolled here, and links that no store has used yet.",
        gives: &[(200, json("the stores", "Stores"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/stores",
        id: "makeStoreLink",
        says: "Makes a link that enrolls a store, once for all its tournaments.",
        more: "It is told once, and good for one store. A store of this name that is enrolled already gets a \
               new token by it, and its old one ends.",
        headers: &[KEY],
        takes: Some("WantedStore"),
        gives: &[(201, json("the link", "StoreLinkMade"))],
        codes: &["command-id-reused", "made-already"],
        ..NOTHING
    },
    Said {
        method: "DELETE",
        path: "/stores/{store}",
        id: "endStore",
        says: "Ends the enrollment of a store, or takes a link back.",
        gives: &[GONE],
        codes: &["no-such-link", "no-such-token"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/screens",
        id: "getScreens",
        says: "Says what screens and overlays show, and by which link a device shows it.",
        more: "What they show is changed on the floor, by `show` and `overlay`.",
        headers: &[UNCHANGED],
        gives: &[(200, json("the screens", "Screens"))],
        ..NOTHING
    },
    Said {
        method: "POST",
        path: "/tournaments/{id}/screens",
        id: "makeScreenLink",
        says: "Makes the link by which a device shows the screen, with whole names, and does nothing.",
        more: "Where `another` is wanted, one that is there ends; otherwise the one that is there is told, and one is \
               made where there is none: sent again, that answers the same.",
        takes: Some("WantedScreenLink"),
        gives: &[(201, json("the screens", "Screens"))],
        codes: &["house-not-kept"],
        ..NOTHING
    },
    Said {
        path: "/tournaments/{id}/policies",
        id: "getPolicies",
        says: "Says what everybody may see of the tournament.",
        headers: &[UNCHANGED],
        gives: &[(200, json("what was chosen", "Policy"))],
        ..NOTHING
    },
    Said {
        method: "PUT",
        path: "/tournaments/{id}/policies",
        id: "putPolicies",
        says: "Chooses what everybody may see of the tournament.",
        more: "What is left out is as usual. What was public stays so.",
        takes: Some("Policy"),
        gives: &[(200, json("what was chosen", "Policy"))],
        codes: &["unknown-player"],
        ..NOTHING
    },
    Said {
        path: "/openapi.json",
        id: "describe",
        says: "Gives this description.",
        gives: &[(200, Gives { what: "OpenAPI 3.1", kind: "application/json", of: "Anything" })],
        ..NOTHING
    },
];
