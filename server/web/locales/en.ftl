# What players read: on their pages, on screens and on paper. Every key stands in each file here.

## Words
table = Table
table-n = Table { $table }
player = Player
players = Players
name = Name
number = Number
place = Place
points = Points
points-n = { $points ->
    [one] { $points } point
   *[other] { $points } points
  }
record = Record
result = Result
note = Note
bye = bye
won = won
here = Here
standings = Standings
bracket = Bracket

## Rounds
round-n = Round { $round }
round-final = Final
round-semi-final = Semi-final
round-quarter-final = Quarter-final
round-of = Round of { $players }

## Standings
standings-empty = Nobody takes a place yet.
standings-before = before round 1
standings-in = { $missing ->
    [one] in { $round }, { $missing } of its results missing
   *[other] in { $round }, { $missing } of its results missing
  }
standings-within = in { $round }
standings-after = after { $round }
place-shared = { $place } (shared)
order-final = final order
order-running = running order
standings-postponed = { $matches ->
    [one] 1 match is postponed and counts for nobody yet: places can change when it is played.
   *[other] { $matches } matches are postponed and count for nobody yet: places can change when they are played.
  }
standings-unsettled = { $matches ->
    [one] One result is not settled yet: places can change.
   *[other] { $matches } results are not settled yet: places can change.
  }
decided-by = Decided by
division = Division
division-all = All
division-choose = Which division
division-tables = { $division }: tables { $tables }
division-places = { $place } of { $division }, { $all } of all
paper-prize = Prizes: places { $places }
paper-prize-one = Prizes: place { $place }
paper-no-prize = Without a prize
table-hash = table
cut-line = cut to top { $size }
cut-line-tie = cut to top { $size }, across a tie
cut-another = Another cut was made: to a top { $size } who are not the first { $size } of these standings.
letter-win = W
letter-loss = L
letter-draw = D
letter-forfeit-win = +F
letter-forfeit-loss = −F
letter-bye = B
letter-half-bye = H
letter-zero-bye = Z
chess-signs = U bye · F full-point bye · H half-point bye · Z absent · + and − forfeit
letter-none = –
letter-open = ·
letter-later = *
word-win = win
word-loss = loss
word-draw = draw
word-forfeit-win = win by forfeit
word-forfeit-loss = loss by forfeit
word-bye = bye
word-none = did not play
word-open = no result
word-later = postponed, to be played
word-and = and
come-to-table = { $names }: please come to table { $table }
decided-phase = did not advance
decided-division = another division’s bracket
decided-lots = lots
decided-published = the file’s order
decided-tied = tied
decided-tied-division = tied with another division
decided-lots-pending = tied, lots not drawn
step-lowest-first = { $measure } (lowest first)
step-head-to-head = head-to-head
step-head-to-head-all-met = head-to-head, if all have met
step-head-to-head-beat-all = head-to-head, beat all others
step-by = { $step }, by { $measure }
out-dropped = dropped
out-no-show = no-show
out-disqualified = disqualified
out-declined = declined
out-knocked-out = knocked out
out-not-here = not here
event-digits = event { $event }, { $digits }

## Bracket
bracket-none = There is no bracket. It begins with the cut.
bracket-hidden = Results are hidden until they are announced, and so is the bracket as it stands. Who meets whom stands with the pairings.
bracket-top = Top { $players }
bracket-elimination = Single elimination
bracket-double-elimination = Double elimination
bracket-other = Bracket
bracket-upper = Upper bracket
bracket-lower = Lower bracket
bracket-grand-final = Grand final
match-ruling = by ruling
match-finished = finished
match-played = being played
match-to-come = to come
match-bye = bye
match-winner = winner of { $round } { $match }
where-not-yet = has not played yet
where-playing = playing the { $round }
where-won = won the { $round }
where-unplayed = won the bracket; the final was not played
where-out = out in the { $round }
where-lost = lost in the { $round }

## Paper
paper-draft = Not public: a draft
paper-private = Not public: for the head judge
paper-hidden = Not public: results are hidden
paper-replaced = Not from the desk: it is on another laptop now
paper-final = Final standings
paper-not-final = Standings, not final
paper-missing = { $round }: results are missing
paper-none-missing = { $round }: no result is missing
paper-postponed = Postponed matches
paper-seats = Seats for everybody
paper-number-table = Each number is a table.
paper-number-player = Each number is the player’s own.
paper-number-sign-up = Each number is that of the sign-up, not the starting rank.
paper-roster = Players
paper-ranks = Starting rank list
paper-cross-rank = Cross table by place
paper-cross-start = Cross table by starting rank
paper-cross-line = Each round names the opponent by their line, and how it came out
paper-cross-number = Each round names the opponent by their starting rank, and how it came out
paper-line = Line
starting-rank = Starting rank
federation = Federation
paper-decks-before = Before round 1: lists and decks
paper-receipts = Receipts
receipts-none = There is no result yet.
receipt-code = The result of table { $table } as a code
receipt-what = Scan it: your browser checks that this result is in the record.
receipt-digits = Keep these digits: they say which record this result is.
paper-nobody = Nobody is here.
paper-no-table = There is no table.
paper-counted = table numbers are counted through: the file has none
paper-checkpoint = Take a photo: with it anybody can check later that nothing before was changed.
paper-public = Pairings and standings on your phone:
paper-code-checkpoint = The checkpoint as a code
paper-code-address = The address as a code
name-and-table = Name and table
tables-by-number = Tables by number
list-deck = List, deck
slips-of = { $round }: slips
color-white = W
color-black = B
colors-told = W: white, B: black
white = White
black = Black
white-black = White – Black
slip-games = Games won: one box a player
slip-score = Score
slip-drops = drops
slip-drawn = drawn games
slip-signs = { $seat ->
    [1] First player signs
    [2] Second player signs
   *[other] Player { $seat } signs
  }
code-of-table = Table { $table } as a code
poster-alone = No phone reaches this server: it listens on this machine alone. Start it where the room reaches it, and print this anew.
poster-what = Pairings, standings and the bracket on your phone
poster-wifi = Scan the code, or type the address. Your phone has to be in the same network.

## Around every page
skip = Skip to the page
tabs = Pages of this tournament
check-it = The whole record on one page, checked in your browser
languages = Languages
pairings = Pairings
event-n = event { $event }
live-words = {"{n}"} new result|{"{n}"} new results|something new|round {"{n}"} is out|a correction|the tournament is closed|not connected since {"{n}"}|Show the page as it is now|the final is out|the semi-final is out|the quarter-final is out|the round of {"{n}"} is out
state-closed = closed
state-elsewhere = played elsewhere
state-sign-up = sign-up
state-complete = complete
state-in = { $postponed ->
    [0] every result is in
   *[other] every other result is in, { $postponed } postponed
  }
state-draft = draft
state-playing = being played
state-tables = { $entered } of { $tables } tables in
state-hidden = results are hidden until they are announced
players-n = { $players ->
    [one] { $players } player
   *[other] { $players } players
  }

## Which standings
view-through = through round
view-last = the last
view-as-of = as of event or time
view-now = now
view-under = under
view-own-rules = own rules
view-show = Show
view-more = Another round, time or ruleset …
not-now = Not as it is now:
not-now-as-of = as of event { $event } of { $last }, recorded { $time }
not-now-through = only the rounds up to { $round }
not-now-rules = under { $rules }, not the tournament's own rules
standings-now = Standings now
standings-why = A name says why it stands there.
why-title = why this place
move = Move

## Why a place
why-head-hidden = Where { $name } stood { $when }
why-head-of = Why is { $name } { $place } of { $of }?
why-disqualified = { $name } was disqualified { $when }
why-no-place = { $name } takes no place in these standings.
why-reason = The reason that was noted: { $reason }
why-nobody = There is nobody to compare with.
why-decides-values = { $step } decides against { $name }, who is { $place }: { $own } to { $other }.
why-phase = Who goes on to the next phase stands above all others; { $name }, who is { $place }, went on.
why-decides = { $step } decides against { $name }, who is { $place }.
why-published = The order in the file decided against { $name }.
why-lots = Lots decided against { $name }.
why-lots-pending = Lots will decide against { $name }; they have not been drawn.
why-shared = They share their place with { $name }.
reach-title = What they can still reach
reach-end = If their match
reach-places = Places
reach-sampled = Sampled
reach-cut = Top { $size }
reach-all = All in all
reach-win = is won
reach-draw = is drawn
reach-agreed-draw = is drawn by agreement
reach-loss = is lost
reach-clinched = clinched
reach-open = open
reach-out = cannot reach the cut
reach-from-to = { $best } to { $worst }
reach-missing = { $missing ->
    [0] Every result is in
    [one] One result is missing or not settled
   *[other] { $missing } results are missing or not settled
  }{ $rounds ->
    [0] .
    [one] , and one round is to come.
   *[other] , and { $rounds } rounds are to come.
  }
reach-missing-unknown = The plan does not say how many rounds are to come.
reach-counted = Counted through: { $count ->
    [one] the one combination
   *[other] all { $count } combinations
  } of results.
reach-sample = No better and no worse place comes out; those sampled came out in { $count ->
    [one] one combination
   *[other] { $count } combinations
  } of results.
reach-bounds = No better and no worse place comes out, whatever the results and the pairings.
reach-as-long = This holds as long as nobody drops, is penalized or has a result ruled, or one corrected that was neither postponed nor disputed.
reach-disputed = The result of table { $table } in { $round } is disputed: until the ruling any other can come.
why-steps = Step by step, in the order of the rules
why-step = Step
why-says = Says
why-was = Was
why-adds = Adds
why-rule = Rule applied
why-exactly = Exactly
why-counts = Counts as
why-floor = { $value } was computed; the floor counts instead.
why-bounds = { $value } before the bounds and the rounding of the rules.
why-still-in = not out
why-scored = scored { $points }
why-table = { $points } of { $games } games are { $hundredths } in a hundred: FIDE's table has { $difference } for it, from the mean of the ratings, { $mean }.
why-rated = { $points } of { $games } games against rated opponents, whose mean is { $mean } ({ $hundredths } in a hundred{ $difference }).
why-met-win = they met in round { $round }: won
why-met-draw = they met in round { $round }: drawn
why-met-loss = they met in round { $round }: lost
why-met-both-lost = they met in round { $round }: both lost
why-met-forfeited = { $met } by forfeit
why-met-open = they met in round { $round }: no result
why-as-drawn = As if every table of round { $round } had been drawn.
about-mw = Match-win percentage: the points that they have from matches, of those that they could have.
about-omw = Opponents' match-win percentage: the mean of the match-win percentages of those whom they met.
about-oomw = Opponents' opponents' match-win percentage: the mean of the OMW% of those whom they met.
about-gw = Game-win percentage: the points that they have from games, of those that they could have.
about-ogw = Opponents' game-win percentage: the mean of the game-win percentages of those whom they met.
why-nothing = There is nothing to average.
why-by-round = { $measure }, round by round
why-by-opponent = { $measure }, opponent by opponent
why-after = as after round { $round }, when they left
against = Against
compare = Compare
round = Round
opponent = Opponent
nobody = nobody
verdict-tied = equal
verdict-decides = decides
verdict-not-reached = not reached
note-bye-skipped = byes do not count here
note-not-of-interest = does not count here
note-averaged = the mean of the rounds played
note-bounded = raised or lowered to the bound of a round
note-postponed = counts for nobody yet
note-as-draw = a bye asked for at the end, counted as a draw
skipped-no-opponent = no opponent: does not count
skipped-unfinished = no result yet: does not count
skipped-forfeited = forfeited: does not count
skipped-met-before = met before: counts once
skipped-lowest = left out by the cut
skipped-highest = one of the highest: left out
bound-floor = the floor
bound-cap = the cap
bound-dropped-cap = the cap for those who dropped
bound-one-opponent = the bound of one opponent
kind-played = played
kind-won = won
kind-drawn = drawn
kind-lost = lost
kind-forfeit-win = win by forfeit
kind-forfeit-loss = loss by forfeit
kind-double-loss = double loss
kind-bye = bye
kind-awarded-bye = awarded bye
kind-half-bye = half bye
kind-zero-bye = zero bye
kind-awarded-loss = awarded loss
kind-vacant = opponent gone
kind-unfinished = no result yet

## A round
pairings-none = No round has been paired.
round-draft = Draft, nobody sees it
round-draft-again = Draft again, who saw it has seen it
round-published = Published
round-in = { $postponed ->
    [0] Every result is in
   *[other] Every other result is in, { $postponed } postponed
  }
round-completed = Completed
tables-n = { $tables ->
    [one] { $tables } table
   *[other] { $tables } tables
  }
rounds = Rounds
why = Why
corrected = corrected
by-hand = by hand
goes-on = { $name } goes on by ruling
remark-upper-bracket = upper bracket
remark-lower-bracket = lower bracket
remark-grand-final = grand final
bye-bye = bye
bye-awarded-bye = awarded bye
bye-half-bye = half bye
bye-zero-bye = zero bye
bye-awarded-loss = awarded loss
bye-vacant = opponent gone
because-first-round = first round
because-same-points = same points
because-odd-group = odd group
because-colors = colors
because-rematch-avoided = rematch avoided
because-unavoidable-rematch = unavoidable rematch
because-next-in-the-order = next in the order
because-bracket = bracket
because-seeds = seeds
because-schedule = schedule
because-pod = pod
because-pairing-engine = pairing engine
because-lowest-points = lowest points
because-lowest-in-the-order = lowest in the order
because-second-bye-avoided = second bye avoided
because-unavoidable-second-bye = unavoidable second bye
because-awarded-beforehand = awarded beforehand
because-free-place-in-the-bracket = free place in the bracket
because-opponent-gone = opponent gone
because-left-over = left over
because-requested = requested

## Seeds, rules, the screen
seeds = Seeds and where they are
seed = Seed
now = Now
rules = Rules
rules-letter = as they stand in the log, to the letter
rules-hash = Hash of the texts
rules-builds-on = which it builds on
seats = Where everybody sits
pages-n = { $pages ->
    [one] { $pages } page
   *[other] { $pages } pages
  }
page-turns = Until the page turns
welcome = Welcome

## The tournaments
tournament = Tournament
tournaments = Tournaments
tournaments-none = There are no tournaments here yet.
tournaments-caption = Tournaments of this store, the newest first
held-on = Held on
state = State
events = Events
tournament-enrolling = enrolling
tournament-running = running
tournament-closed = closed
tournament-imported = imported
tournament-not-read = not read

## What else pages say
upper-final = Upper final
upper-semi-final = Upper semi-final
upper-round = Upper round { $round }
lower-final = Lower final
lower-round = Lower round { $round }
grand-final-again = Grand final, again
state-tables-put = {"{n}"} of { $tables } tables in
saved = Saved { $time }
copy-as-of = A copy, as of event { $event }, { $time }.
copy-heard = The venue was last heard: { $time }.
copy-not-heard = The venue was not heard since this server started.
removed = Removed: this tournament stands in no list, and nobody but the staff sees it. Its log stays as it was, and nothing more is recorded in it.
copy-forked = The log of this tournament was rewritten where it is run: another history was signed than the one that is shown here. Only what goes on from this one is shown.
copy-said-forked = Another history of this tournament was signed too, says the server from which this is a copy: the log may have been rewritten where it is run. What is kept here cannot prove it yet.
copy-rewritten = rewritten
copy-restored = The log of this tournament went on otherwise where it is run than is shown here. Event { $event } of it says that it was restored from a copy: what was recorded after that copy is shown here alone. Only what goes on from this one is shown.
view-find = Find
found-some = { $some } of { $all }: only names with
found-all = All
found-nobody = Nobody of that name takes a place.
rows-part = { $first } to { $until } of { $all }
rows-before = Those before
rows-behind = Those behind
screen-waits = Waiting for the desk since {"{n}"}
screen-clock = Time left
screen-announcements = Announcements
screen-paused = paused
screen-no-clock = no clock
screen-missing = Tables without a result
screen-playing = { $tables ->
    [one] 1 table still plays
   *[other] { $tables } tables still play
}

## Coming in, and what is refused
sign-in = Sign in
sign-in-is = This browser is signed in:
sign-out = Sign out
sign-in-refused = Not signed in:
sign-in-wrong = Name or password is not right.
sign-in-later = Too many tries for this name: wait a while.
sign-in-not-now = This cannot be done just now: try it again.
password = Password
my-laptop = This is my laptop: stay signed in for 14 days
sign-in-code = With a code from the owner
code = Code
sign-in-about = Over plain http from another machine nobody is more than a scorekeeper.
come-in = Come in
come-in-as = This browser comes in as: { $role }
come-in-lowered = Over this connection, to which others in the network can listen, you come in as { $role }, not as { $more }. For all of it, open the link over https or on the desk’s own computer; or ask the owner to start with --allow-plain-staff.
come-in-name = Your name, as the log has it
role-owner = owner
role-head-judge = head judge
role-scorekeeper = scorekeeper
role-judge = judge
role-helper = helper
refused-elsewhere = The desk is elsewhere
refused-not-found = Nothing is here
refused-sign-in = Sign in first
refused-forbidden = This is for others
refused-slow-down = Too many tries
refused-busy = Not just now
refused-other = This was not done

## What many rulesets have
measure-Out-in-round = Out in round
measure-last-phase = last phase
measure-Points = Points
measure-game-points = game points
measure-possible-game-points = possible game points
measure-Wins = Wins
measure-Games-won = Games won
measure-Buchholz-cut-1 = Buchholz cut 1
measure-Sonneborn-Berger-cut-1 = Sonneborn-Berger cut 1
measure-Progressive-score = Progressive score
measure-Adjusted-score = Adjusted score
measure-Match-points = Match points
measure-Game-points = Game points
slip-agreed = agreed
slip-conceded = conceded
slip-forfeit = forfeit
slip-no-show = no-show
slip-void = void
slip-postponed = postponed
slip-place = place
slip-w = win
slip-l = loss
slip-d = draw
slip-nobody = nobody wins
round-prepared = { $round } is being prepared; its pairings stand here as soon as they are published.
refused-nobody = Nobody has signed in here, and this page is for the staff of the tournament. A projector gets a link of its own: the desk page leads to it beside “Screen”, and it is opened on the computer of the projector.

## A player's own page
paper-badges = Links of players
badge-code = The link of { $name } as a code
badge-what = Scan it: where you sit, report your result. It is yours alone and belongs to the first phone that opens it.
badge-what-paper = Scan it: where you sit, how you stand. Results go on the paper slip. It is yours alone and belongs to the first phone that opens it.
offline = You are offline
offline-about = Nothing of your page is kept on this phone, or it is too old to be right. What stands on the wall and on the screen counts; open your page when you have a network again.
offline-again = Try again
notice-seat = { $round }: you are at table { $table }
notice-bye = { $round }: you have a bye
notice-upheld = { $round }: the dispute of your match is decided: upheld
notice-rejected = { $round }: the dispute of your match is decided: not upheld
notice-words = Tell this phone when pairings are up|This phone is told when pairings are up, also while this page is closed.|Tell it no more|Your browser allows no notices from here. Allow them in its settings, then press again.|That did not work. Try it again later; the page itself tells you as before.
me-is-it-you = Is this you?
me-are-you = Are you { $name }?
me-bind-about = This link then belongs to this phone: with it you see where you sit, report results, call a judge. Another phone needs the desk.
me-bind-about-paper = This link then belongs to this phone: with it you see where you sit, call a judge. Results go on the paper slip. Another phone needs the desk.
me-bind-others = This phone belongs already to: { $names }. Two players on one phone are reported for by hand: their desk confirms each result.
me-led-about = The desk is on another laptop now, and your phone is to be known there too: press once, and all goes on as before.
me-led-not-you = Not you? Then somebody sent you the way to their own page. Close this one; nothing has happened yet.
me-this-is-me = This is me
me-not-you = Not you? Give it back at the desk; nothing has happened yet.
me-forgotten = Your name is erased here. You play on as number { $player }.
me-forgotten-out = Your name is erased here. You were number { $player }.
me-unknown-head = This phone is not known
me-unknown = No link of this tournament was opened on this phone, or the desk has freed it. Open your own link here again; who has none gets it at the desk. Where everybody sits is there without one.
me-staff-signs-in = Sign in, if you are of the staff
player-number = player { $player }
names-less = Who does not want to stand here by name tells the desk: first name and an initial, initials alone or a number will do.
file-records = All records
file-checkpoint = The last checkpoint
me-whose = Whose page
me-words = On this phone, not sent yet: {"{n}"}|It is sent by itself when the connection is back, and never twice. Keep this page open; fill in the paper slip as well if the round is ending.|Take it back|Try now|was not recorded:|Leave it|not connected since {"{n}"}|connected|Sent.|Recorded: both of you reported the same.|This phone is not known any more: open your own link again.|Being sent…|That was too much in a minute: it is sent again by itself in a moment|sent, no answer yet: it may be recorded already, and counts once
me-kept = You are offline, or the desk does not answer: this is what stood here at {"{time}"}. It may be otherwise by now.
me-refused = Not done:
me-done-sent = Sent. Below stands where it is: nothing is recorded before the desk has it.
me-away-claim = Your report, { $round }, { $score }
me-away-check-in = That you are here
me-away-call = Your call for a judge
me-away-dispute = Your dispute
me-away-drop = Your wish to drop
me-away-stay = Your wish to stay
me-away-sent = sent; the desk has not fetched it yet
me-away-at-the-desk = at the desk
me-away-recorded = noted by the desk
me-away-ended = ended by the desk; you were not dropped
me-away-reported = with the desk as your report; by itself it is no result
me-away-differs = with the desk as your report; your opponent reported something else, and the desk decides
me-away-refused = not recorded: { $why }
me-paused = paused
me-extra = { $minutes ->
    [one] { $minutes } minute more
   *[other] { $minutes } minutes more
  }
me-against = against
me-recorded = Recorded:
me-you-say = You reported:
me-won = you won { $score }
me-lost = you lost { $score }
me-won-no-show = you won { $score } by no-show
me-lost-no-show = you lost { $score } by no-show
me-both-lost = both lost { $score }
me-drew = a draw, { $score }
me-no-result = void
me-by-forfeit = by forfeit
me-by-no-show = by no-show
me-by-conceded = by concession
me-they-say = { $name } reported, as you would say it: { $words }
me-desk-decided = The desk has another result than you reported. If it is wrong, call a judge or dispute it.
me-judge-decided = The head judge has decided. This result stands.
me-both-same = Both of you reported the same. The desk confirms it.
me-differ = Your reports differ, and nothing is recorded. Stay at the table: a judge comes. If you were wrong, change yours.
me-waits-for = Sent. It is recorded when { $name } reports the same, or by the desk.
me-they-reported = { $name } has reported. It counts when you report the same.
me-report = How did it end?
me-report-else = Report something else…
me-scores-about = Your own games first.
me-report-about = It counts when both of you report the same; you can change it until then.
me-number-own = You: { $line }
me-number-theirs = { $name }: { $line }
me-number-range = Each from { $low } to { $high }.
me-number-report = Report it
me-number-typed = Your report
me-on-paper = The slip of this tournament has more than a phone can say: fill in the paper.
me-you-won = You won
me-they-won = { $name } won
me-draw = A draw
me-agreed = agreed draw
me-call = Call a judge
me-call-what = What for (may be empty)
me-call-back = Take the call back
me-called = A judge is called to your table.
me-call-taken = A judge is on the way to your table.
me-call-earlier = { $round }, still open: { $call }
me-dispute = Dispute this match…
me-dispute-what = What is wrong; the head judge reads it
me-dispute-earlier = Dispute an earlier match…
me-dispute-which = Which match
me-check-in = I am here
me-is-here = You are checked in. Your table stands here as soon as round 1 is published.
me-sign-up = You take part. Say that you are here.
me-bye = You have a bye in this round.
me-bye-of = You have no table in this round: { $kind }.
me-bye-to-come = In round { $round }: { $kind }, as you asked.
me-no-table = You have no table in this round. If you play, go to the desk.
me-not-paired = Your division is not paired in this round yet. Your table stands here as soon as it is.
me-from-round = You take part from round { $round } on.
me-played-all = Your division has played its { $rounds ->
    [one] round
   *[other] { $rounds } rounds
  }. If it has a cut that you make, your table stands here.
me-cut-to-come = Another division plays its bracket. The cut of yours has not been made yet; who makes it finds their table here.
me-other-bracket = { $division } plays its bracket. If your division has one too, your table stands here.
me-passed-over = You were passed over in the cut. If that is wrong, go to the desk.
me-not-in = You are not in the top { $top }{ $later ->
    [0] : your tournament is over.
   *[other] .
  }
me-not-in-of = You are not in the top { $top } of { $division }{ $later ->
    [0] : your tournament is over.
   *[other] .
  }
me-out-in = You are out in the { $round }{ $later ->
    [0] : your tournament is over.
   *[other] .
  }
me-out-disputed = You lost in the { $round }, and the result is disputed: the head judge decides whether you are out.
me-later = { $round }: your match against { $names } is postponed and still to be played.
me-through = You are in it still. Your next table stands here.
me-through-waits = You are through. You wait for the match of { $names }.
me-won-all = You won the tournament.
me-won-bracket = You won the bracket.
me-won-of = You won: first of { $division }.
me-place = Your place: { $place } of { $players }
me-place-now = { $place } by now
me-place-then = { $place }, { $when }
me-is-out = You have dropped. If that is wrong, go to the desk.
me-is-out-after = You have dropped. This match is yours still, unless the desk takes you out of it.
me-is-disqualified = You are disqualified.
me-is-over = The tournament is closed.
me-final-place = Your final place: { $place } of { $players }
me-disputes = Disputes
me-dispute-own = { $round }: you disputed it.
me-dispute-theirs = { $round }: { $name } disputed it.
me-dispute-judges = { $round }: a judge looks into it.
me-ruled-open = The head judge decides.
me-ruled-upheld = Decided: upheld.
me-ruled-uncorrected = Decided: upheld. The result is still to be corrected.
me-ruled-rejected = Decided: not upheld.
my-page = My page
me-penalties = Penalties
me-penalty = { $round }: { $kind }
me-penalty-before = Before round 1: { $kind }
me-penalty-waits = { $round }, given: { $kind }; it counts in your next match
me-penalty-first = Given before round 1: { $kind }; it counts in your next match
penalty-warning = warning
penalty-game-loss = game loss
penalty-match-loss = match loss
me-why = Where do I stand, and why?
me-rounds = My rounds
me-drop = Drop…
me-drop-about = The desk drops you when your match is over. Until then you can take it back.
me-drop-now = I wish to drop
me-wished = You wish to drop. The desk drops you when your match is over.
me-stay = I stay after all
me-receipt = My receipt
me-receipt-about = proves what was recorded of you until the last completed round was signed; what was corrected since is in the next one. It is a file for the program Scrutineer, with which anybody checks it: scrutineer check-receipt receipt.txt
me-proof = in the record
me-code = Receipt as a code
me-code-about = { $round }: whoever scans the code sees your result of it in the record, checked in their own browser.
me-code-of = The result as a code: { $round }
me-done-claim = Sent.
me-done-recorded = Recorded: both of you reported the same.
me-done-check-in = You are checked in.
me-done-call = A judge is called to your table.
me-done-end-call = The call is taken back.
me-done-dispute = The head judge looks into it.
me-done-wish = The desk knows that you wish to drop.
me-done-stay = You stay.
me-no-slow-down = That was too much in a minute: wait, then try it again.
me-no-closed = The tournament is closed.
me-no-busy = The desk has its hands full: try it again in a second.
me-no-link = This phone is not known: open your own link again.
## The log, as far as it is public
log = Log
log-events = { $events ->
    [one] { $events } event; nothing is ever deleted
   *[other] { $events } events, the newest first; nothing is ever deleted
}
log-player = Player
log-everybody = everybody
log-table = Table
log-round = Round
log-all = all
log-kind = What
log-words = Words
log-changed = only what was changed
log-show = Show
log-whole = The whole log
log-nothing = Nothing speaks of it.
log-caption = What was recorded, command by command
log-time = Time
log-by = By
log-what = What happened
log-event = Event
log-older = Older
log-stays = What was undone stays, crossed out, and names the event that undid it. Reasons are private: pages of players do not have them.

## What others check a tournament by
audit = Check this tournament
audit-about = Each record of the log holds the hash of the one before it, and a checkpoint, signed with the organizer's key, stands for all records up to it. Who holds one finds whatever was changed, removed or put in under it since.
audit-records = Records
audit-head = Hash of the last record
audit-root = Root over all records
audit-key = Key that signs
audit-no-key = none: nobody signs this tournament
audit-key-about = Its fingerprint. Compare it with what the organizer gave you in another way, such as on a sheet on the wall.
audit-checkpoints = Checkpoints
audit-copy = This is a copy of a tournament that is run elsewhere: it takes in only what goes on from its own records and was signed with the key of the tournament.
audit-nobody = This page was checked by nobody but the server that made it.
audit-nobody-held = This page was checked by nobody but the server that made it: each checkpoint was held against the records here, and nothing else was looked at.
audit-some-differ = { $differ ->
    [one] { $differ } checkpoint does not stand for the records that are here.
   *[other] { $differ } checkpoints do not stand for the records that are here.
}
audit-none = Nothing was signed yet.
audit-restored = { $records ->
    [one] Event { $event } says that the log was restored from a copy; { $records } record had been signed before.
   *[other] Event { $event } says that the log was restored from a copy; { $records } records had been signed before.
}
audit-not-covered = { $records ->
    [one] The last record is covered by no checkpoint yet.
   *[other] The last { $records } records are covered by no checkpoint yet.
}
audit-caption = Every checkpoint, the newest first
audit-time = Last record of
audit-short = Root, in short
audit-signer = Signed with
audit-no-signer = no key of this tournament
audit-stands = Held against the records
audit-fits = the records are those that were signed
audit-lost = other records: the log says that its store was restored from a copy
audit-differs = the records are not those that were signed, or the key is another one
audit-whole = The whole checkpoint
audit-code = As a code
audit-code-of = { $records ->
    [one] The checkpoint over { $records } record as a code
   *[other] The checkpoint over { $records } records as a code
}
audit-json = As JSON
audit-files = To download
audit-bundle = The bundle: every record in one file, without names
audit-csv = The standings as CSV
audit-records-json = The records as JSON, page by page
audit-checkpoints-json = Every checkpoint as JSON
audit-tokens = The organizer gives the records to programs with a token, so nobody else can check them. What stands above can be kept, and compared later.
audit-elsewhere = Check without this server
audit-elsewhere-about = With the program Scrutineer on a computer of your own:
audit-command-key = Checks every record, pairs every round again and counts every announced table again. Name the key that the organizer gave you: the one on this page proves nothing about this page.
audit-command-plain = Checks every record, pairs every round again and counts every announced table again. Nobody signed it, so nothing proves that it was not all written anew:
audit-command-known = Holds it against a checkpoint that you keep, such as the text of a code from a sheet, in a file:
audit-command-follow = Keeps a copy as it happens, and says so when what was signed is not what is served any more:

## The sentences of the log, and its kinds of event
told-opened = { $title } is opened under { $rules }
told-imported = imported from { $file } ({ $format })
told-unknown = ; unknown: { $facts }
told-enrolled = { $name } takes part
told-enrolled-from = { $name } takes part from round { $round }
told-called = player { $number } is called { $name }
told-division = { $name } is of the division { $division }: { $why }
told-division-none = { $name } is of no division: { $why }
told-divisions-together = from now on all divisions are paired together
told-divisions-apart = from now on each division is paired by itself
told-divisions-merged = from now on each division is paired by itself, { $groups } as one
told-described = { $name } is { $title }, of { $federation }
told-title = { $name } is { $title }
told-federation = { $name } is of { $federation }
told-title-none = { $name } has no title
told-rated = { $name } has the rating { $rating }
told-rated-was = { $name } has the rating { $rating } (was { $was })
told-rated-not = { $name } has no rating
told-rated-not-was = { $name } has no rating (was { $was })
told-id = { $name } has the id { $id }
told-id-none = { $name } has no id
told-keeps-table = { $name } keeps table { $table }
told-keeps-no-table = { $name } keeps no table
told-tables = the hall has the tables { $tables }
told-tables-from-1 = the tables are numbered from 1
told-division-rounds = { $division } plays { $rounds ->
    [one] { $rounds } round
   *[other] { $rounds } rounds
  }
told-division-rounds-all = { $division } plays as many rounds as everybody
told-asks-bye = { $name } asks for { $bye } in round { $round }
told-here = { $name } is here
told-before-rounds = before round 1
told-after = after round { $round }
told-leaves = { $name } drops { $when }
told-leaves-no-show = { $name } is dropped as a no-show { $when }
told-leaves-disqualified = { $name } is disqualified { $when }
told-back = { $name } is back from round { $round }
told-more-entrants = { $players ->
    [one] { $players } more entrant
   *[other] { $players } more entrants
  } of phase { $phase }
told-phase = phase { $phase } begins: { $kind }, { $players ->
    [one] { $players } player
   *[other] { $players } players
  }
told-passed-over = ; { $name } is passed over: { $why }
told-phase-over = phase { $phase } is over
told-round-opened = round { $round } is opened
told-stage-opened = round { $round }, the { $stage }, is opened
told-drawn-engine = , to be paired by an engine, with seed { $seed }
told-drawn = , paired by { $method } { $version } from seed { $seed }
told-dice = {" "}and public dice
told-against = against
told-slot = , place { $slot } of the bracket
told-by-hand = , set by hand
told-by-hand-why = , set by hand: { $why }
told-bye = { $name } has { $bye }
told-engine = round { $round } is paired by { $engine }, started with { $arguments }
told-engine-unknown = { $engine } of unknown version
told-published = the pairings of round { $round } are out
told-completed = round { $round } is completed
told-claimed = { $result }, claimed by seat { $seat }
told-so-far = { $result }, not finished
told-corrected = { $result }, corrected (event { $event } was wrong): { $why }
told-corrected-dispute = { $result }, corrected after { $dispute } (event { $event } was wrong): { $why }
told-played-postponed = { $result }, played (postponed by event { $event }): { $why }
told-penalty = { $name }: { $kind }: { $why }
told-penalty-next = { $name }: { $kind }, in their next match: { $why }
told-goes-on = { $name } goes on by ruling: { $why }
told-at = R{ $round } T{ $table }
told-at-round = R{ $round }
told-somebody = somebody
told-disputed = { $dispute }: { $name } disputes { $match }: { $claim }
told-dispute-n = dispute { $number }
told-dispute-of = the dispute of event { $event }
told-match-of = the match of event { $event }
told-no-match = result of event { $event }, which does not stand
told-upheld = { $dispute } is upheld: { $why }
told-denied = { $dispute } is denied: { $why }
told-lots = lots for { $players ->
    [one] { $players } player
   *[other] { $players } players
  }, { $source }
told-lots-seed-n = drawn from seed { $seed }
told-lots-seed = drawn from the seed
lots-the-seed = the seed
lots-by-hand = by hand
lots-as-published = as published
told-announced = standings after round { $round } are announced
told-withdrawn = event { $event } is withdrawn: { $why }
told-plan = the plan changes: { $why }
told-rules = { $rules } is in force: { $why }
told-rules-from = { $rules } is in force from round { $round }: { $why }
told-signer = another key signs: { $why }
told-key-retired = a key is not to be trusted beyond { $records ->
    [one] { $records } record
   *[other] { $records } records
  }: { $why }
told-restored = the log was restored; { $records ->
    [one] { $records } record
   *[other] { $records } records
  } had been attested: { $why }
told-seed = the pairing commitment is replaced: { $why }
told-closed = the tournament is closed
told-note = note: { $note }
told-note-on = note on event { $event }: { $note }
told-forgotten = { $texts ->
    [one] { $texts } text forgotten: entry { $numbers }
   *[other] { $texts } texts forgotten: entries { $numbers }
  }
told-staff = actor { $number } is { $name }
told-actor = actor { $number }
told-import = import
told-not-public = (not public)
told-not-given = (not given)
told-erased = (erased)
told-ruled = , ruled { $rulings }
told-place = place { $place }
told-served = { $count ->
    [one] , penalty of event { $events } served
   *[other] , penalties of events { $events } served
  }
told-undone = undone by event
told-corrected-by = corrected by event
told-took-back = event { $event } took this back: { $what }
told-more = { $more } more
a-bye = a bye
a-awarded-bye = an awarded bye
a-half-bye = a half bye
a-zero-bye = a zero bye
a-awarded-loss = an awarded loss
a-vacant = a vacant
phase-kind-swiss = swiss
phase-kind-single-elimination = single-elimination
phase-kind-double-elimination = double-elimination
phase-kind-round-robin = round-robin
phase-kind-pods = pods
how-conceded = conceded
how-forfeit = forfeit
how-no-show = no-show
how-agreed-draw = agreed draw
logged-tournament-opened = tournament opened
logged-plan-amended = plan amended
logged-ruleset-amended = ruleset amended
logged-signer-changed = signer changed
logged-seed-replaced = seed replaced
logged-imported = imported
logged-tournament-closed = tournament closed
logged-note = note
logged-staff-named = staff named
logged-key-retired = key retired
logged-log-restored = log restored
logged-texts-forgotten = texts forgotten
logged-player-enrolled = player enrolled
logged-players-name-corrected = player's name corrected
logged-player-checked-in = player checked in
logged-player-dropped = player dropped
logged-player-reinstated = player reinstated
logged-players-division-changed = player's division changed
logged-table-kept = table kept
logged-tables-of-the-hall = tables of the hall
logged-players-title-and-federation = player's title and federation
logged-players-rating-corrected = player's rating corrected
logged-players-id-corrected = player's id corrected
logged-bye-requested = bye requested
logged-phase-started = phase started
logged-phase-ended = phase ended
logged-how-divisions-are-paired = how divisions are paired
logged-rounds-of-a-division = rounds of a division
logged-round-opened = round opened
logged-pairing = pairing
logged-bye = bye
logged-pairings-published = pairings published
logged-round-completed = round completed
logged-paired-by-an-engine = paired by an engine
logged-result-claimed = result claimed
logged-score-noted = score noted
logged-result = result
logged-result-corrected = result corrected
logged-penalty = penalty
logged-player-advanced = player advanced
logged-dispute-opened = dispute opened
logged-dispute-ruled = dispute ruled
logged-lots-drawn = lots drawn
logged-standings-announced = standings announced
logged-withdrawn = withdrawn

## Files of other programs
import-title = Import a file
import-about = A tournament that another program kept, or a sheet with its matches. What the file says is shown before anything is stored. A bundle of another store of Scrutineer, such as one for an auditor, is checked to its end first.
import-files = Files
import-files-help = Each file is a tournament; up to { $files } at once, { $size } MiB together. What they are is recognized by what stands in them.
import-rules-help = Empty: as the file or its platform says.
import-look = Look at it
import-not-taken = Not taken:
import-all = All tournaments
import-another = Another file
import-all-files = { $files } files
import-file = File
import-format = Format
import-matches = Matches
import-open = Matches without a result
import-understood = What was understood
standings-cannot = These rules cannot count the matches of this tournament.
standings-others = Rules that can count them; nothing changes by looking:
import-no-day = the file says no day
import-no-day-there = none: it came in without one, and a file that comes in again changes none
import-no-day-sheet = no day was found; a line above the columns says it, such as # date: 2026-10-02
import-guessed = Nothing in the file names its rules: they go by what stands on its slips.
import-store = Store it
import-new = It will be a tournament of its own.
import-store-all = { $files ->
    [one] Store { $files } of them
   *[other] Store { $files } of them
  }
import-stored = Stored
import-known = The store has all of it already
import-renews = It brings a tournament that is there up to date
import-renews-about = Nothing is overwritten: what is new is recorded behind what stands, and a result that differs is corrected with the file as its reason.
import-renews-bundle = Nothing that stands here changes. Only this is added:
import-renew = Bring it up to date
import-refused = It cannot be stored:
import-refused-short = not stored
import-asks = Which column is this: { $word }?
import-asks-how = Choose it above the column, then read the sheet so.
import-asks-short = Its columns have to be chosen
import-no-rules = Nothing says by which rules it was played: choose them below.
import-more = … and { $more } more
import-odd = What is odd
import-odd-n = { $count ->
    [one] { $count } odd thing
   *[other] { $count } odd things
  }
import-unknown = Not in the file
import-published = Published standings beside computed ones
import-rows-match = { $matched } of { $rows } rows match: { $what }.
import-rows-rank = { $same } of { $rows } have the published rank.
import-rows-stale = { $stale } have the values of an earlier round: their players had left by then.
import-places-match = { $same } of { $places } final places are the published ones.
import-again = Look again
import-sheet = Columns: a sheet of { $kind }
import-sheet-matches = matches
import-sheet-roster = players
import-sheet-standings = standings
import-rows = The first rows, and what each column is taken for
import-rows-of-files = The files, and what becomes of each
import-column-n = Column { $number } { $name }
import-not-read = not read
import-maybe = maybe
import-pick = Read it so
import-columns-left-out = { $columns } further columns are taken as they are named.
unknown-sign-up-order = order of sign-up
unknown-times = times
unknown-tables = tables
unknown-kind-of-bye = kind of bye
unknown-drops = who left, and when
unknown-games = games
unknown-how-matches-ended = how matches ended
unknown-earlier-rounds = earlier rounds
unknown-seeds = seeds
column-round = Round
column-table = Table
column-player-a = First player
column-player-b = Second player
column-pairing = Both players
column-result = Result
column-games-a = Games of the first
column-games-b = Games of the second
column-games-drawn = Games drawn
column-points-a = Points of the first
column-points-b = Points of the second
column-winner = Winner
column-name = Name
column-first-name = First name
column-last-name = Last name
column-first-name-a = First name of the first
column-last-name-a = Last name of the first
column-first-name-b = First name of the second
column-last-name-b = Last name of the second
column-rank = Rank
column-points = Points
column-wins = Wins
column-losses = Losses
column-draws = Draws
column-omw = Opponents' match wins %
column-gw = Game wins %
column-ogw = Opponents' game wins %
column-sos = Sum of opponents' scores
column-esos = Sum of opponents' sums
column-id = Id
column-id-a = Id of the first
column-id-b = Id of the second
column-rating = Rating
column-division = Division
column-sign-up = Number of sign-up
column-date = Date
export-title = Export
export-about = A file for another program. What a format cannot hold of this tournament stands beside it.
export-none = There is nothing to export yet:
export-refused = Cannot hold it:
export-needs-file = It is not made anew, but written into the file that the program has of this tournament: choose that file below.
export-into = It can also be written into the file that the program has of this tournament; everything else in that file stays.
export-whole = Holds all that it is made for.
export-left-out = Not in it:
export-file = File to write into
export-file-help = Only for TOM, OpenGotha, TRF, Chess-Results and Netrunner; { $size } MiB at most.
export-names = with names
export-names-help = It is noted that names left this store, so that whoever asks to be forgotten can be told.
export-download = Download
export-own = With its proof
export-own-about = Whoever checks a tournament wants its log, not a table:
export-bundle = bundle without names
export-page = page that checks itself
export-sheet-workbook = A workbook: standings, matches and players, which an import reads again
export-sheet-standings = Standings for a spreadsheet
export-sheet-matches = Matches for a spreadsheet
export-as-tdf = TOM (Pokémon)
export-as-trf = FIDE tournament report
export-as-cobra = Cobra and NRTM
export-as-challonge = Challonge
export-as-opengotha = OpenGotha
export-as-chess-results = Chess-Results
calendar = Calendar (iCalendar)
export-as-trf26 = FIDE tournament report of 2026

## Refusals that a player or a reader meets, by their codes
refusal-address-not-public = This address leads into the network here, and nothing is sent there.
refusal-bad-phone-address = What your browser gave is no address to which notices can be sent.
refusal-bad-request = The desk did not understand this. Load the page again, then try it once more.
refusal-bad-slip = This is no score that this match can end with.
refusal-check-in-over = The first round is paired: check in at the desk.
refusal-closed = The tournament is closed.
refusal-command-id-reused = Something else was sent under the same key. Load the page again, then try it once more.
refusal-desk-is-elsewhere = The desk is on another laptop now.
refusal-disputed-already = This match is disputed already; the head judge decides.
refusal-house-not-kept = The desk cannot keep anything now: tell the staff.
refusal-impossible-score = This is no score that this match can end with.
refusal-is-a-copy = This is a copy; the tournament is run elsewhere.
refusal-link-of-another-kind = This link is good for something else.
refusal-link-taken = This link belongs to another phone. Open it there, or ask the desk to free it.
refusal-log-forked = The log of this tournament was rewritten where it is run; nothing newer is taken.
refusal-log-not-read = The desk cannot read its disk now: tell the staff.
refusal-log-not-written = The desk cannot write to its disk now; nothing was recorded. Tell the staff, and fill in the paper.
refusal-method-not-allowed = This address does nothing of the kind. Go back to the page, then try it once more.
refusal-moved = Something happened meanwhile. Look at the page as it is now, then try it again.
refusal-no-bracket = There is no bracket in this tournament yet.
refusal-no-divisions = This tournament has no divisions.
refusal-no-match-now = You have no match in this round.
refusal-no-open-round = No round is being played.
refusal-no-place = This player takes no place in these standings.
refusal-no-such-dispute = There is no such dispute.
refusal-no-such-link = This link is nobody’s, or another one was made. Ask the desk for a new one.
refusal-no-such-page = There is no such page.
refusal-no-such-round = There is no such round, or it is not published yet.
refusal-no-such-table = There is no such table in this round.
refusal-no-table = You have no table in this round. If you play, go to the desk.
refusal-not-allowed = This phone is not known here: open your own link on it. Whoever is of the staff signs in.
refusal-nothing-signed = Nothing of this tournament is signed yet: there is a receipt once a round is complete.
refusal-other-host = This server is not called that. Use the address on the poster.
refusal-other-origin = This came from another site. Open your page here, then try it again.
refusal-outcome-unknown = Nobody knows yet whether this was recorded. Send it again: it is recorded once.
refusal-request-not-done = The desk failed at this, and nothing is known of it. Try it again; tell the staff if it stays.
refusal-result-stands = This table has a result already. If it is wrong, dispute it.
refusal-seated-elsewhere = You sit elsewhere now. Look where, then report again.
refusal-sign-in = Sign in first.
refusal-slow-down = That was too much in a minute: wait, then try it again.
refusal-store-not-opened = The desk is being started or moved. Try it again in a minute.
refusal-too-busy = The desk has its hands full: try it again in a second.
refusal-too-large = This is too long.
refusal-unknown-division = There is no such division.
refusal-unknown-player = There is no such player.
refusal-unknown-tournament = There is no such tournament, or nothing of it is public yet.
refusal-wrong-password = Name and password do not fit together.

## The file of a dispute
file-title = Dispute { $number }
file-recorded = What was recorded
file-who = Who
file-what = What
file-both = What both say
file-typed = Typed
file-differ = They differ.
file-alone = A report alone is never a result.
file-floor = On the floor
file-claim = The claim
file-by = by
file-somebody = somebody
file-stood = Where they stood
file-moment = Moment
file-change = What each result would change
file-copy = counted on a copy, nothing is saved
file-cut = The cut
file-as-it-is = as it is
file-same = the same
file-cut-so-far = as it stands, { $missing ->
    [one] one table
   *[other] { $missing } tables
  } missing
file-cut-in = in: { $names }
file-cut-out = out: { $names }
file-cut-untied-in = no longer tied across the line, in: { $names }
file-cut-untied-out = no longer tied across the line, out: { $names }
file-cut-tied = newly tied across the line: { $names }
file-cut-tie = lots decide at the line
file-cut-made = the cut that was made would have been another: in { $enters }; out { $leaves }
file-cut-seeds = those in the cut that was made would have had other seeds
file-cut-lots = lots that were not drawn would have decided the cut that was made
file-others = Others who move
file-later = Later rounds
file-as-they-are = as they are
file-refused = refused: { $why }
file-result = recorded
file-opened = opened { $time }
file-state-open = open
file-state-upheld = Upheld
file-state-denied = Denied
file-sign-time = Date and time
file-sign-ruling = Ruling and reason
file-sign-judge = Head judge
file-same-tables = { $round }: the same tables
file-differing = { $round }: { $differ } of { $tables } would differ{ $byes ->
    [0] {""}
    [one] , and the bye
   *[other] , and { $byes } byes
  }
file-byes-differ = { $round }: { $byes ->
    [one] the bye alone
   *[other] byes alone
  } would differ
file-not-said = { $round }: cannot be said
file-wrongly-played = LOOK: { $round } was played by { $out }, by this result out, without { $missing }: the head judge has to say what becomes of it
file-wrongly-playing = LOOK: { $round } is being played by { $out }, by this result out, without { $missing }: the head judge has to say what becomes of it
file-stands = The record stands
file-draw = Draw
file-wins = { $name } wins
file-when-paired = when it was paired
file-when-disputed = when it was disputed
file-now = now
file-corrected = corrected to { $score }
file-after-draw = after a draw
file-as-winner = as the winner
file-as-loser = as the loser
file-without = without a result
file-paired = { $round } paired { $name } { $took }: table { $table }, against { $against }
file-bye = { $round } gave { $name } { $took } a bye
floor-more = table { $table }: { $minutes } min more
floor-less = table { $table }: { $minutes } min taken back
floor-call = table { $table }: a judge is called
floor-players = table { $table }: its players are called
floor-sits = table { $table }: a judge sits there
floor-decks = table { $table }: decks checked
floor-not-decks = table { $table }: decks marked as checked by mistake
floor-featured = table { $table } is featured
floor-not-featured = table { $table } is not featured any more
