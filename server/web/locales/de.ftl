# Was Spielende lesen: auf ihren Seiten, auf Bildschirmen und auf Papier. Jeder Schlüssel steht in jeder Datei hier.

## Wörter
table = Tisch
table-n = Tisch { $table }
player = Name
players = Spielende
name = Name
number = Nummer
place = Platz
points = Punkte
points-n = { $points ->
    [one] { $points } Punkt
   *[other] { $points } Punkte
  }
record = Bilanz
result = Ergebnis
note = Notiz
bye = Freilos
won = gewonnen
here = Da
standings = Tabelle
bracket = Turnierbaum

## Runden
round-n = Runde { $round }
round-final = Finale
round-semi-final = Halbfinale
round-quarter-final = Viertelfinale
round-of = Runde der letzten { $players }

## Tabelle
standings-empty = Noch hat niemand einen Platz.
standings-before = vor Runde 1
standings-in = { $missing ->
    [one] { $round }, { $missing } Ergebnis fehlt
   *[other] { $round }, { $missing } Ergebnisse fehlen
  }
standings-within = { $round }
standings-after = nach { $round }
place-shared = { $place } (geteilt)
order-final = Endstand
order-running = Zwischenstand
standings-postponed = { $matches ->
    [one] 1 Partie ist verlegt und zählt noch nicht: Wird sie gespielt, können sich Plätze ändern.
   *[other] { $matches } Partien sind verlegt und zählen noch nicht: Werden sie gespielt, können sich Plätze ändern.
  }
standings-unsettled = { $matches ->
    [one] Ein Ergebnis steht noch nicht fest: Plätze können sich ändern.
   *[other] { $matches } Ergebnisse stehen noch nicht fest: Plätze können sich ändern.
  }
decided-by = Entscheidet
division = Klasse
division-all = Alle
division-choose = Welche Klasse
division-tables = { $division }: Tische { $tables }
division-places = { $place } in { $division }, { $all } von allen
paper-prize = Preise: Plätze { $places }
paper-prize-one = Preise: Platz { $place }
paper-no-prize = Ohne Preis
table-hash = Tabelle
cut-line = Schnitt: die besten { $size } kommen weiter
cut-line-tie = Schnitt: die besten { $size }, mitten durch einen Gleichstand
cut-another = Der Schnitt fiel anders aus: Unter den { $size }, die weiterkamen, sind andere als die ersten { $size } dieser Tabelle.
letter-win = S
letter-loss = N
letter-draw = U
letter-forfeit-win = +k
letter-forfeit-loss = −k
letter-bye = F
letter-half-bye = H
letter-zero-bye = Z
chess-signs = U spielfrei · F ganzer Punkt ohne Gegner · H halber Punkt · Z abwesend · + und − kampflos
letter-none = –
letter-open = ·
letter-later = *
word-win = Sieg
word-loss = Niederlage
word-draw = Unentschieden
word-forfeit-win = kampflos gewonnen
word-forfeit-loss = kampflos verloren
word-bye = Freilos
word-none = nicht gespielt
word-open = noch offen
word-later = verlegt, noch zu spielen
word-and = und
come-to-table = { $names }: bitte kommt an Tisch { $table }
decided-phase = nicht weiter
decided-division = Turnierbaum einer anderen Klasse
decided-lots = Los
decided-published = Reihenfolge der Datei
decided-tied = gleich
decided-tied-division = gleich mit einer anderen Klasse
decided-lots-pending = gleich, noch nicht gelost
step-lowest-first = { $measure } (das niedrigste zuerst)
step-head-to-head = direkter Vergleich
step-head-to-head-all-met = direkter Vergleich, wenn alle sich trafen
step-head-to-head-beat-all = direkter Vergleich, alle anderen geschlagen
step-by = { $step } nach { $measure }
out-dropped = ausgestiegen
out-no-show = nicht erschienen
out-disqualified = disqualifiziert
out-declined = verzichtet
out-knocked-out = ausgeschieden
out-not-here = nicht da
event-digits = Ereignis { $event }, { $digits }

## Turnierbaum
bracket-none = Es gibt keinen Turnierbaum. Er beginnt mit dem Schnitt.
bracket-hidden = Die Ergebnisse sind bis zur Bekanntgabe verdeckt, und damit auch der Stand im Turnierbaum. Wer wen trifft, steht bei den Paarungen.
bracket-top = Top { $players }
bracket-elimination = K.-o.-System
bracket-double-elimination = Doppel-K.-o.
bracket-other = Turnierbaum
bracket-upper = Gewinnerseite
bracket-lower = Verliererseite
bracket-grand-final = Großes Finale
match-ruling = durch Entscheid
match-finished = beendet
match-played = läuft
match-to-come = kommt noch
match-bye = Freilos
match-winner = Sieg aus { $round } { $match }
where-not-yet = hat noch nicht gespielt
where-playing = { $round }: läuft
where-won = { $round }: gewonnen
where-unplayed = gewonnen; das Finale wurde nicht gespielt
where-out = { $round }: ausgeschieden
where-lost = { $round }: verloren

## Papier
paper-draft = Nicht öffentlich: Entwurf
paper-private = Nicht öffentlich: für die Turnierleitung
paper-hidden = Nicht öffentlich: Ergebnisse sind verdeckt
paper-replaced = Nicht von der Turnierleitung: sie ist auf einem anderen Laptop
paper-final = Endstand
paper-not-final = Tabelle, nicht endgültig
paper-missing = { $round }: Ergebnisse fehlen
paper-none-missing = { $round }: kein Ergebnis fehlt
paper-postponed = Verlegte Partien
paper-seats = Plätze für alle
paper-number-table = Jede Zahl ist ein Tisch.
paper-number-player = Jede Zahl ist die Startnummer.
paper-number-sign-up = Jede Zahl ist die Nummer der Anmeldung, nicht der Startrang.
paper-roster = Spielende
paper-ranks = Startrangliste
paper-cross-rank = Kreuztabelle nach Platz
paper-cross-start = Kreuztabelle nach Startrang
paper-cross-line = Jede Runde nennt die Zeile des Gegenübers und das Ergebnis
paper-cross-number = Jede Runde nennt den Startrang des Gegenübers und das Ergebnis
paper-line = Zeile
starting-rank = Startrang
federation = Föderation
paper-decks-before = Vor Runde 1: Listen und Decks
paper-receipts = Belege
receipts-none = Es gibt noch kein Ergebnis.
receipt-code = Das Ergebnis von Tisch { $table } als Code
receipt-what = Scannen: Der Browser prüft, dass dieses Ergebnis im Protokoll steht.
receipt-digits = Diese Ziffern aufheben: Sie sagen, welcher Eintrag dieses Ergebnis ist.
paper-nobody = Niemand ist da.
paper-no-table = Es gibt keinen Tisch.
paper-counted = Tischnummern sind durchgezählt: die Datei hat keine
paper-checkpoint = Ein Foto genügt: damit lässt sich später prüfen, dass nichts Früheres geändert wurde.
paper-public = Paarungen und Tabelle auf dem Telefon:
paper-code-checkpoint = Der Prüfpunkt als Code
paper-code-address = Die Adresse als Code
name-and-table = Name und Tisch
tables-by-number = Tische nach Nummern
list-deck = Liste, Deck
slips-of = { $round }: Ergebniszettel
color-white = W
color-black = S
colors-told = W: Weiß, S: Schwarz
white = Weiß
black = Schwarz
white-black = Weiß – Schwarz
slip-games = Gewonnene Spiele: je ein Kästchen
slip-score = Spielstand
slip-drops = steigt aus
slip-drawn = Unentschieden
slip-signs = { $seat ->
    [1] Unterschrift oben
    [2] Unterschrift unten
   *[other] Unterschrift { $seat }
  }
code-of-table = Tisch { $table } als Code
poster-alone = Kein Telefon erreicht diesen Server, er ist nur für diesen Rechner da: so starten, dass der Saal ihn erreicht, und dies neu drucken.
poster-what = Paarungen, Tabelle und Turnierbaum auf dem Telefon
poster-wifi = Code scannen oder Adresse eintippen. Das Telefon muss im selben Netz sein.

## Rund um jede Seite
skip = Zur Seite springen
tabs = Seiten dieses Turniers
check-it = Das ganze Protokoll auf einer Seite (Englisch), in deinem Browser geprüft
languages = Sprachen
pairings = Paarungen
event-n = Ereignis { $event }
live-words = {"{n}"} neues Ergebnis|{"{n}"} neue Ergebnisse|etwas Neues|Runde {"{n}"} ist da|eine Korrektur|das Turnier ist beendet|nicht verbunden seit {"{n}"}|Die Seite zeigen, wie sie jetzt ist|das Finale ist da|das Halbfinale ist da|das Viertelfinale ist da|die Runde der letzten {"{n}"} ist da
state-closed = beendet
state-elsewhere = anderswo gespielt
state-sign-up = Anmeldung
state-complete = abgeschlossen
state-in = { $postponed ->
    [0] alle Ergebnisse sind da
   *[other] alle anderen Ergebnisse sind da, { $postponed } verlegt
  }
state-draft = Entwurf
state-playing = läuft
state-tables = { $entered } von { $tables } Tischen fertig
state-hidden = die Ergebnisse sind bis zur Bekanntgabe verdeckt
players-n = { $players ->
    [one] { $players } Person
   *[other] { $players } Spielende
  }

## Welche Tabelle
view-through = bis Runde
view-last = die letzte
view-as-of = Stand: Ereignis oder Zeit
view-now = jetzt
view-under = nach
view-own-rules = eigenen Regeln
view-show = Zeigen
view-more = Andere Runde, Zeit oder Regeln …
not-now = Nicht der heutige Stand:
not-now-as-of = Stand von Ereignis { $event } von { $last }, aufgezeichnet { $time }
not-now-through = nur die Runden bis { $round }
not-now-rules = nach { $rules }, nicht nach den Regeln des Turniers
standings-now = Tabelle jetzt
standings-why = Ein Klick auf einen Namen sagt, warum er dort steht.
why-title = warum dieser Platz
move = Bewegung

## Warum ein Platz
why-head-hidden = Wo { $name } { $when } stand
why-head-of = Warum ist { $name } { $place } von { $of }?
why-disqualified = { $name } wurde { $when } disqualifiziert
why-no-place = { $name } hat in diesem Stand keinen Platz.
why-reason = Der vermerkte Grund: { $reason }
why-nobody = Es gibt niemanden zum Vergleichen.
why-decides-values = Entscheidend gegenüber { $name } ({ $place }): { $step }, { $own } zu { $other }.
why-phase = Wer in die nächste Phase kommt, steht vor allen anderen; { $name } ({ $place }) kam weiter.
why-decides = Entscheidend gegenüber { $name } ({ $place }): { $step }.
why-published = Die Reihenfolge in der Datei entschied gegenüber { $name }.
why-lots = Das Los hat gegenüber { $name } entschieden.
why-lots-pending = Das Los wird gegenüber { $name } entscheiden; es ist noch nicht gezogen.
why-shared = Der Platz ist geteilt mit { $name }.
reach-title = Was noch zu erreichen ist
reach-end = Wenn die Partie
reach-places = Plätze
reach-sampled = In der Stichprobe
reach-cut = Die besten { $size }
reach-all = Alles in allem
reach-win = gewonnen wird
reach-draw = unentschieden endet
reach-agreed-draw = vereinbart unentschieden endet
reach-loss = verloren wird
reach-clinched = sicher weiter
reach-open = offen
reach-out = Schnitt nicht mehr möglich
reach-from-to = { $best } bis { $worst }
reach-missing = { $missing ->
    [0] Alle Ergebnisse sind da
    [one] Ein Ergebnis fehlt oder steht nicht fest
   *[other] { $missing } Ergebnisse fehlen oder stehen nicht fest
  }{ $rounds ->
    [0] .
    [one] , und eine Runde kommt noch.
   *[other] , und { $rounds } Runden kommen noch.
  }
reach-missing-unknown = Der Plan sagt nicht, wie viele Runden noch kommen.
reach-counted = Durchgezählt: { $count ->
    [one] die eine Kombination
   *[other] alle { $count } Kombinationen
  } von Ergebnissen.
reach-sample = Ein besserer oder schlechterer Platz kommt nicht heraus; die der Stichprobe kamen bei { $count ->
    [one] einer Kombination
   *[other] { $count } Kombinationen
  } von Ergebnissen heraus.
reach-bounds = Ein besserer oder schlechterer Platz kommt nicht heraus, wie auch gepaart und gespielt wird.
reach-as-long = Das gilt, solange niemand aufhört oder bestraft wird, kein Ergebnis entschieden und keines berichtigt wird, das weder verlegt noch angefochten war.
reach-disputed = Gegen das Ergebnis von Tisch { $table } ({ $round }) läuft ein Einspruch: Bis er entschieden ist, kann jedes andere kommen.
why-steps = Schritt für Schritt, in der Reihenfolge der Regeln
why-step = Schritt
why-says = Sagt
why-was = War
why-adds = Bringt
why-rule = Angewandte Regel
why-exactly = Genau
why-counts = Zählt als
why-floor = Berechnet wurden { $value }; stattdessen zählt der Mindestwert.
why-bounds = { $value } vor den Grenzen und dem Runden der Regeln.
why-still-in = nicht ausgeschieden
why-scored = erzielte { $points }
why-table = { $points } aus { $games } Partien sind { $hundredths } von hundert: In FIDEs Tabelle steht dafür { $difference }, vom Mittel der Wertungen aus, { $mean }.
why-rated = { $points } aus { $games } Partien gegen gewertete Gegner, im Mittel { $mean } ({ $hundredths } von hundert{ $difference }).
why-met-win = sie trafen sich in Runde { $round }: gewonnen
why-met-draw = sie trafen sich in Runde { $round }: remis
why-met-loss = sie trafen sich in Runde { $round }: verloren
why-met-both-lost = sie trafen sich in Runde { $round }: beide verloren
why-met-forfeited = { $met }, kampflos
why-met-open = sie trafen sich in Runde { $round }: ohne Ergebnis
why-as-drawn = Als wäre jeder Tisch von Runde { $round } unentschieden ausgegangen.
about-mw = Anteil der Matchpunkte: die Punkte aus Matches, von denen, die möglich waren.
about-omw = Anteil der Matchpunkte der Gegner: der Durchschnitt über alle, gegen die gespielt wurde.
about-oomw = Der Durchschnitt der OMW% aller, gegen die gespielt wurde.
about-gw = Anteil der Spielpunkte: die Punkte aus einzelnen Spielen, von denen, die möglich waren.
about-ogw = Anteil der Spielpunkte der Gegner: der Durchschnitt über alle, gegen die gespielt wurde.
why-nothing = Es gibt nichts zu mitteln.
why-by-round = { $measure }, Runde für Runde
why-by-opponent = { $measure }, Gegenüber für Gegenüber
why-after = Stand nach Runde { $round }, beim Ausstieg
against = Gegen
compare = Vergleichen
round = Runde
opponent = Gegenüber
nobody = niemand
verdict-tied = gleich
verdict-decides = entscheidet
verdict-not-reached = nicht erreicht
note-bye-skipped = Freilose zählen hier nicht
note-not-of-interest = zählt hier nicht
note-averaged = der Mittelwert der gespielten Runden
note-bounded = auf die Grenze einer Runde gehoben oder gesenkt
note-postponed = zählt noch für niemanden
note-as-draw = ein am Ende erbetenes Freilos, als Unentschieden gezählt
skipped-no-opponent = kein Gegenüber: zählt nicht
skipped-unfinished = noch kein Ergebnis: zählt nicht
skipped-forfeited = kampflos: zählt nicht
skipped-met-before = schon getroffen: zählt einmal
skipped-lowest = gestrichen
skipped-highest = eines der höchsten: gestrichen
bound-floor = der Mindestwert
bound-cap = der Höchstwert
bound-dropped-cap = der Höchstwert nach einem Ausstieg
bound-one-opponent = die Grenze für ein Gegenüber
kind-played = gespielt
kind-won = gewonnen
kind-drawn = unentschieden
kind-lost = verloren
kind-forfeit-win = kampflos gewonnen
kind-forfeit-loss = kampflos verloren
kind-double-loss = beidseitig verloren
kind-bye = Freilos
kind-awarded-bye = zuerkanntes Freilos
kind-half-bye = halbes Freilos
kind-zero-bye = Freilos ohne Punkte
kind-awarded-loss = zuerkannte Niederlage
kind-vacant = Gegenüber ausgestiegen
kind-unfinished = noch offen

## Eine Runde
pairings-none = Noch ist keine Runde gepaart.
round-draft = Entwurf, niemand sieht ihn
round-draft-again = Wieder Entwurf, wer ihn sah, hat ihn gesehen
round-published = Veröffentlicht
round-in = { $postponed ->
    [0] Alle Ergebnisse sind da
   *[other] Alle anderen Ergebnisse sind da, { $postponed } verlegt
  }
round-completed = Abgeschlossen
tables-n = { $tables ->
    [one] { $tables } Tisch
   *[other] { $tables } Tische
  }
rounds = Runden
why = Warum
corrected = korrigiert
by-hand = von Hand
goes-on = { $name } kommt durch Entscheid weiter
remark-upper-bracket = Gewinnerseite
remark-lower-bracket = Verliererseite
remark-grand-final = großes Finale
bye-bye = Freilos
bye-awarded-bye = zuerkanntes Freilos
bye-half-bye = halbes Freilos
bye-zero-bye = Freilos ohne Punkte
bye-awarded-loss = zuerkannte Niederlage
bye-vacant = Gegenüber ausgestiegen
because-first-round = erste Runde
because-same-points = gleiche Punkte
because-odd-group = ungerade Gruppe
because-colors = Farben
because-rematch-avoided = Wiederholung vermieden
because-unavoidable-rematch = Wiederholung nicht vermeidbar
because-next-in-the-order = nächster Platz der Reihenfolge
because-bracket = Turnierbaum
because-seeds = Setzliste
because-schedule = Spielplan
because-pod = Gruppe
because-pairing-engine = Auslosungsprogramm
because-lowest-points = wenigste Punkte
because-lowest-in-the-order = letzter Platz der Reihenfolge
because-second-bye-avoided = zweites Freilos vermieden
because-unavoidable-second-bye = zweites Freilos nicht vermeidbar
because-awarded-beforehand = vorher zuerkannt
because-free-place-in-the-bracket = freier Platz im Turnierbaum
because-opponent-gone = Gegenüber ausgestiegen
because-left-over = übrig geblieben
because-requested = gewünscht

## Setzliste, Regeln, Bildschirm
seeds = Setzliste und Stand
seed = Nr.
now = Jetzt
rules = Regeln
rules-letter = wie sie im Protokoll stehen, Zeichen für Zeichen
rules-hash = Prüfsumme der Texte
rules-builds-on = worauf sie aufbauen
seats = Wer wo sitzt
pages-n = { $pages ->
    [one] { $pages } Seite
   *[other] { $pages } Seiten
  }
page-turns = Bis die Seite wechselt
welcome = Willkommen

## Die Turniere
tournament = Turnier
tournaments = Turniere
tournaments-none = Hier gibt es noch keine Turniere.
tournaments-caption = Alle Turniere, die neuesten zuerst
held-on = Gespielt am
state = Stand
events = Ereignisse
tournament-enrolling = Anmeldung
tournament-running = läuft
tournament-closed = beendet
tournament-imported = übernommen
tournament-not-read = nicht lesbar

## Was Seiten sonst noch sagen
upper-final = Finale der Gewinnerseite
upper-semi-final = Halbfinale der Gewinnerseite
upper-round = Gewinnerseite, Runde { $round }
lower-final = Finale der Verliererseite
lower-round = Verliererseite, Runde { $round }
grand-final-again = Großes Finale, noch einmal
state-tables-put = {"{n}"} von { $tables } Tischen fertig
saved = Gespeichert { $time }
copy-as-of = Eine Kopie, Stand: Ereignis { $event }, { $time }.
copy-heard = Vom Spielort zuletzt gehört: { $time }.
copy-not-heard = Vom Spielort wurde nichts gehört, seit dieser Server läuft.
removed = Entfernt: Dieses Turnier steht in keiner Liste, und nur das Team des Turniers sieht es. Sein Protokoll bleibt, wie es war, und nichts mehr wird darin festgehalten.
copy-forked = Das Protokoll dieses Turniers wurde am Spielort umgeschrieben: Eine andere Geschichte wurde signiert als die, die hier steht. Gezeigt wird nur, was an diese anschließt.
copy-said-forked = Auch eine andere Geschichte dieses Turniers wurde signiert, sagt der Server, von dem dies eine Kopie ist: Das Protokoll wurde am Spielort vielleicht umgeschrieben. Was hier steht, kann es noch nicht beweisen.
copy-rewritten = umgeschrieben
copy-restored = Das Protokoll dieses Turniers ging am Spielort anders weiter, als es hier steht. Ereignis { $event } dort sagt, dass es aus einer Kopie wiederhergestellt wurde: Was nach dieser Kopie festgehalten wurde, steht nur noch hier. Gezeigt wird nur, was an dieses Protokoll anschließt.
view-find = Suchen
found-some = { $some } von { $all }: nur Namen mit
found-all = Alle
found-nobody = Niemand dieses Namens hat einen Platz.
rows-part = { $first } bis { $until } von { $all }
rows-before = Die davor
rows-behind = Die dahinter
screen-waits = Wartet auf die Turnierleitung seit {"{n}"}
screen-clock = Verbleibende Zeit
screen-announcements = Ansagen
screen-paused = angehalten
screen-no-clock = keine Uhr
screen-missing = Tische ohne Ergebnis
screen-playing = { $tables ->
    [one] 1 Tisch spielt noch
   *[other] { $tables } Tische spielen noch
}

## Hereinkommen, und was nicht geht
sign-in = Anmelden
sign-in-is = Dieser Browser ist angemeldet:
sign-out = Abmelden
sign-in-refused = Nicht angemeldet:
sign-in-wrong = Name oder Passwort stimmt nicht.
sign-in-later = Zu viele Versuche für diesen Namen: bitte warten.
sign-in-not-now = Das geht gerade nicht: bitte noch einmal versuchen.
password = Passwort
my-laptop = Das ist mein Laptop: 14 Tage angemeldet bleiben
sign-in-code = Mit einem Code vom Veranstalter
code = Code
sign-in-about = Über einfaches http ist von einem anderen Gerät aus niemand mehr als Scorekeeper.
come-in = Hereinkommen
come-in-as = Dieser Browser kommt herein als: { $role }
come-in-lowered = Über diese Verbindung, die andere im Netz mithören können, kommst du herein als { $role }, nicht als { $more }. Für alles andere öffne den Link über https oder am Rechner der Turnierleitung, oder lass mit --allow-plain-staff starten.
come-in-name = Der Name, wie er im Protokoll stehen soll
role-owner = Turnierleitung
role-head-judge = Head Judge
role-scorekeeper = Scorekeeper
role-judge = Judge
role-helper = Hilfe
refused-elsewhere = Die Turnierleitung ist woanders
refused-not-found = Hier ist nichts
refused-sign-in = Bitte erst anmelden
refused-forbidden = Das ist anderen vorbehalten
refused-slow-down = Zu viele Versuche
refused-busy = Gerade nicht
refused-other = Das wurde nicht getan

## Was in vielen Regelwerken steht
measure-Out-in-round = Aus{"\u00AD"}ge{"\u00AD"}schie{"\u00AD"}den in Runde
measure-last-phase = letzte Phase
measure-Points = Punkte
measure-game-points = Spielpunkte
measure-possible-game-points = mögliche Spielpunkte
measure-Wins = Siege
measure-Games-won = gewonnene Partien
measure-Buchholz-cut-1 = Buchholz, 1 Streichwert
measure-Sonneborn-Berger-cut-1 = Sonneborn-Berger, 1 Streichwert
measure-Progressive-score = Fortschrittswertung
measure-Adjusted-score = angepasste Punktzahl
measure-Match-points = Mannschaftspunkte
measure-Game-points = Spielpunkte
slip-agreed = vereinbart
slip-conceded = aufgegeben
slip-forfeit = kampflos
slip-no-show = nicht erschienen
slip-void = kein Ergebnis
slip-postponed = verlegt
slip-place = Platz
slip-w = Sieg
slip-l = Niederlage
slip-d = Unentschieden
slip-nobody = niemand gewinnt
round-prepared = { $round } wird vorbereitet; die Paarungen stehen hier, sobald sie veröffentlicht sind.
refused-nobody = Hier ist niemand angemeldet, und diese Seite ist nur für das Team des Turniers. Ein Projektor bekommt seinen eigenen Link: Die Seite „Desk“ führt bei „Screen“ zu ihm, am Rechner des Projektors wird er geöffnet.

## Die eigene Seite
paper-badges = Zugänge der Spielenden
badge-code = Der Zugang von { $name } als Code
badge-what = Scannen: wo du sitzt, Ergebnis melden. Er ist nur für dich und gehört dem ersten Telefon, das ihn öffnet.
badge-what-paper = Scannen: wo du sitzt, wie du stehst. Das Ergebnis kommt auf den Zettel. Er ist nur für dich und gehört dem ersten Telefon, das ihn öffnet.
offline = Du bist offline
offline-about = Von deiner Seite ist auf diesem Telefon nichts gespeichert, oder es ist zu alt, um noch zu stimmen. Es gilt, was an der Wand und auf der Leinwand steht; öffne deine Seite, sobald du wieder Netz hast.
offline-again = Noch einmal versuchen
notice-seat = { $round }: Du sitzt an Tisch { $table }
notice-bye = { $round }: Du hast ein Freilos
notice-upheld = { $round }: Der Einspruch zu deiner Partie ist entschieden: stattgegeben
notice-rejected = { $round }: Der Einspruch zu deiner Partie ist entschieden: nicht stattgegeben
notice-words = Diesem Telefon sagen, wenn Paarungen da sind|Dieses Telefon erfährt es, wenn Paarungen da sind, auch wenn diese Seite zu ist.|Nicht mehr sagen|Dein Browser erlaubt von hier keine Mitteilungen. Erlaub sie in seinen Einstellungen und drück dann noch einmal.|Das hat nicht geklappt. Versuch es später noch einmal; die Seite selbst sagt es dir wie bisher.
me-is-it-you = Bist du das?
me-are-you = Bist du { $name }?
me-bind-about = Der Zugang gehört dann diesem Telefon: Du siehst, wo du sitzt, meldest Ergebnisse und rufst die Schiedsleute. Für ein anderes Telefon brauchst du die Turnierleitung.
me-bind-about-paper = Der Zugang gehört dann diesem Telefon: Du siehst, wo du sitzt, und rufst die Schiedsleute. Ergebnisse kommen auf den Zettel. Für ein anderes Telefon brauchst du die Turnierleitung.
me-bind-others = Dieses Telefon gehört schon zu: { $names }. Wer sich ein Telefon teilt, meldet; die Turnierleitung bestätigt jedes Ergebnis.
me-led-about = Die Turnierleitung ist jetzt auf einem anderen Laptop, und dein Telefon soll auch dort bekannt sein: einmal tippen, dann geht alles weiter wie bisher.
me-led-not-you = Nicht du? Dann hat dir jemand den Weg zur eigenen Seite geschickt. Schließ diese; noch ist nichts geschehen.
me-this-is-me = Das bin ich
me-not-you = Nicht du? Gib den Zugang der Turnierleitung zurück; noch ist nichts geschehen.
me-forgotten = Dein Name ist hier gelöscht. Du spielst weiter als Nummer { $player }.
me-forgotten-out = Dein Name ist hier gelöscht. Du warst Nummer { $player }.
me-unknown-head = Dieses Telefon ist nicht bekannt
me-unknown = Auf diesem Telefon ist kein Zugang zu diesem Turnier geöffnet, oder die Turnierleitung hat ihn freigegeben. Öffne deinen Zugang hier noch einmal; wer keinen hat, bekommt ihn bei der Turnierleitung. Wo alle sitzen, siehst du auch ohne.
me-staff-signs-in = Anmelden, wer zum Team gehört
player-number = Nummer { $player }
names-less = Wer hier nicht mit Namen stehen möchte, sagt es der Turnierleitung: Es gehen auch Vorname und Anfangsbuchstabe, nur Anfangsbuchstaben oder eine Nummer.
file-records = Alle Aufzeichnungen
file-checkpoint = Der letzte Prüfpunkt
me-whose = Wessen Seite
me-words = Auf diesem Telefon, noch nicht gesendet: {"{n}"}|Es wird von selbst gesendet, sobald die Verbindung wieder da ist, und nie doppelt. Lass diese Seite offen; füll auch den Zettel aus, wenn die Runde endet.|Zurücknehmen|Jetzt versuchen|wurde nicht aufgenommen:|Verwerfen|keine Verbindung seit {"{n}"}|verbunden|Gesendet.|Aufgenommen: Ihr habt beide dasselbe gemeldet.|Dieses Telefon ist nicht mehr bekannt: Öffne deinen Zugang noch einmal.|Wird gesendet …|Das war zu viel in einer Minute: Es wird gleich von selbst noch einmal gesendet|gesendet, noch keine Antwort: Es ist vielleicht schon aufgenommen und zählt einmal
me-done-sent = Gesendet. Unten steht, wo es ist: Eingetragen ist nichts, bevor die Turnierleitung es hat.
me-away-claim = Deine Meldung, { $round }, { $score }
me-away-check-in = Dass du da bist
me-away-call = Dein Ruf nach einem Judge
me-away-dispute = Dein Einspruch
me-away-drop = Dein Wunsch auszusteigen
me-away-stay = Dein Wunsch zu bleiben
me-away-sent = gesendet; die Turnierleitung hat es noch nicht abgeholt
me-away-at-the-desk = bei der Turnierleitung
me-away-recorded = von der Turnierleitung vermerkt
me-away-ended = von der Turnierleitung beendet; du wurdest nicht herausgenommen
me-away-reported = bei der Turnierleitung als deine Meldung; für sich allein ist sie kein Ergebnis
me-away-differs = bei der Turnierleitung als deine Meldung; dein Gegenüber hat etwas anderes gemeldet, und die Turnierleitung entscheidet
me-away-refused = nicht eingetragen: { $why }
me-kept = Du bist offline, oder der Rechner der Turnierleitung antwortet nicht: Das stand hier um {"{time}"}. Inzwischen kann es anders sein.
me-refused = Nicht getan:
me-paused = angehalten
me-extra = { $minutes ->
    [one] { $minutes } Minute mehr
   *[other] { $minutes } Minuten mehr
  }
me-against = gegen
me-recorded = Aufgenommen:
me-you-say = Du hast gemeldet:
me-won = du hast { $score } gewonnen
me-lost = du hast { $score } verloren
me-won-no-show = du hast { $score } gewonnen, weil die andere Seite nicht erschien
me-lost-no-show = du hast { $score } verloren, weil du nicht erschienen bist
me-both-lost = beide haben { $score } verloren
me-drew = unentschieden, { $score }
me-no-result = ohne Ergebnis
me-by-forfeit = kampflos
me-by-no-show = durch Nichterscheinen
me-by-conceded = durch Aufgabe
me-they-say = { $name } hat gemeldet, aus deiner Sicht: { $words }
me-desk-decided = Die Turnierleitung hat ein anderes Ergebnis, als du gemeldet hast. Wenn es falsch ist, ruf die Schiedsleute oder leg Einspruch ein.
me-judge-decided = Die Schiedsleitung hat entschieden. Dieses Ergebnis gilt.
me-both-same = Ihr habt beide dasselbe gemeldet. Die Turnierleitung bestätigt es.
me-differ = Eure Meldungen sind verschieden, und nichts ist aufgenommen. Bleibt sitzen: Es kommt jemand. Wenn du dich geirrt hast, ändere deine.
me-waits-for = Gesendet. Es gilt, wenn { $name } dasselbe meldet, oder durch die Turnierleitung.
me-they-reported = { $name } hat gemeldet. Es gilt, wenn du dasselbe meldest.
me-report = Wie ging es aus?
me-report-else = Etwas anderes melden …
me-scores-about = Deine Spiele zuerst.
me-report-about = Es gilt, wenn ihr beide dasselbe meldet; bis dahin kannst du es ändern.
me-number-own = Du: { $line }
me-number-theirs = { $name }: { $line }
me-number-range = Jeweils von { $low } bis { $high }.
me-number-report = Melden
me-number-typed = Deine Meldung
me-on-paper = Auf dem Zettel dieses Turniers steht mehr, als ein Telefon sagen kann: Füll das Papier aus.
me-you-won = Du hast gewonnen
me-they-won = { $name } hat gewonnen
me-draw = Unentschieden
me-agreed = vereinbartes Unentschieden
me-call = Schiedsleute rufen
me-call-what = Wofür (kann leer bleiben)
me-call-back = Ruf zurücknehmen
me-called = An deinen Tisch ist jemand gerufen.
me-call-taken = An deinen Tisch ist jemand unterwegs.
me-call-earlier = { $round }, noch offen: { $call }
me-dispute = Einspruch gegen diese Partie …
me-dispute-what = Was ist falsch; die Schiedsleitung liest es
me-dispute-earlier = Ein früheres Ergebnis anfechten …
me-dispute-which = Welche Partie
me-check-in = Ich bin da
me-is-here = Du bist als da gemeldet. Dein Tisch steht hier, sobald Runde 1 veröffentlicht ist.
me-sign-up = Du nimmst teil. Sag, dass du da bist.
me-bye = Du hast in dieser Runde ein Freilos.
me-bye-of = Du hast in dieser Runde keinen Tisch: { $kind }.
me-bye-to-come = In Runde { $round }: { $kind }, wie gewünscht.
me-no-table = Du hast in dieser Runde keinen Tisch. Wenn du spielst, geh zur Turnierleitung.
me-not-paired = Deine Klasse hat in dieser Runde noch keine Paarungen. Sobald es sie gibt, steht dein Tisch hier.
me-from-round = Du spielst ab Runde { $round } mit.
me-played-all = Deine Klasse hat { $rounds ->
    [one] ihre Runde
   *[other] ihre { $rounds } Runden
  } gespielt. Wenn sie einen Schnitt hat und du ihn schaffst, steht dein Tisch hier.
me-cut-to-come = Eine andere Klasse spielt ihren Turnierbaum. Der Schnitt deiner Klasse kommt noch; wer ihn schafft, findet seinen Tisch hier.
me-other-bracket = { $division } spielt den Turnierbaum. Wenn deine Klasse auch einen hat, steht dein Tisch hier.
me-passed-over = Du bist beim Schnitt übergangen worden. Wenn das falsch ist, geh zur Turnierleitung.
me-not-in = Du bist nicht unter den besten { $top }{ $later ->
    [0] : Dein Turnier ist zu Ende.
   *[other] .
  }
me-not-in-of = Du bist nicht unter den besten { $top } in { $division }{ $later ->
    [0] : Dein Turnier ist zu Ende.
   *[other] .
  }
me-out-in = Du bist ausgeschieden ({ $round }){ $later ->
    [0] : Dein Turnier ist zu Ende.
   *[other] .
  }
me-out-disputed = Du hast verloren ({ $round }), und gegen das Ergebnis läuft ein Einspruch: Die Schiedsleitung entscheidet, ob du ausgeschieden bist.
me-later = { $round }: Deine Partie gegen { $names } ist verlegt und noch zu spielen.
me-through = Du bist noch dabei. Dein nächster Tisch steht hier.
me-through-waits = Du bist weiter und wartest auf die Partie { $names }.
me-won-all = Du hast das Turnier gewonnen.
me-won-bracket = Du hast den Turnierbaum gewonnen.
me-won-of = Du hast gewonnen: Platz 1 in { $division }.
me-place = Dein Platz: { $place } von { $players }
me-place-now = { $place }, Zwischenstand
me-place-then = { $place }, { $when }
me-is-out = Du bist ausgestiegen. Wenn das falsch ist, geh zur Turnierleitung.
me-is-out-after = Du bist ausgestiegen. Diese Partie spielst du noch, wenn die Turnierleitung dich nicht herausnimmt.
me-is-disqualified = Du bist disqualifiziert.
me-is-over = Das Turnier ist beendet.
me-final-place = Dein Endstand: { $place } von { $players }
me-disputes = Einsprüche
me-dispute-own = { $round }: Du hast Einspruch eingelegt.
me-dispute-theirs = { $round }: { $name } hat Einspruch eingelegt.
me-dispute-judges = { $round }: Die Schiedsleute prüfen das.
me-ruled-open = Die Schiedsleitung entscheidet.
me-ruled-upheld = Entschieden: stattgegeben.
me-ruled-uncorrected = Entschieden: stattgegeben. Das Ergebnis wird noch berichtigt.
me-ruled-rejected = Entschieden: nicht stattgegeben.
my-page = Meine Seite
me-penalties = Strafen
me-penalty = { $round }: { $kind }
me-penalty-before = Vor Runde 1: { $kind }
me-penalty-waits = { $round }, verhängt: { $kind }; das zählt in deiner nächsten Partie
me-penalty-first = Vor Runde 1 verhängt: { $kind }; das zählt in deiner nächsten Partie
penalty-warning = Verwarnung
penalty-game-loss = Spielverlust
penalty-match-loss = Matchverlust
me-why = Wo stehe ich, und warum?
me-rounds = Meine Runden
me-drop = Aussteigen …
me-drop-about = Die Turnierleitung nimmt dich heraus, wenn deine Partie vorbei ist. Bis dahin kannst du es zurücknehmen.
me-drop-now = Ich möchte aussteigen
me-wished = Du möchtest aussteigen. Die Turnierleitung nimmt dich heraus, wenn deine Partie vorbei ist.
me-stay = Ich bleibe doch
me-receipt = Mein Beleg
me-receipt-about = beweist, was über dich aufgenommen war, als die letzte beendete Runde unterschrieben wurde; was seither berichtigt wurde, steht erst im nächsten. Es ist eine Datei für das Programm Scrutineer; damit kann ihn jeder prüfen: scrutineer check-receipt receipt.txt
me-proof = im Protokoll (Englisch)
me-code = Beleg als Code
me-code-about = { $round }: Wer den Code scannt, sieht dein Ergebnis davon im Protokoll, im eigenen Browser geprüft.
me-code-of = Das Ergebnis als Code: { $round }
me-done-claim = Gesendet.
me-done-recorded = Aufgenommen: Ihr habt beide dasselbe gemeldet.
me-done-check-in = Du bist als da gemeldet.
me-done-call = An deinen Tisch ist jemand gerufen.
me-done-end-call = Der Ruf ist zurückgenommen.
me-done-dispute = Die Schiedsleitung prüft es.
me-done-wish = Die Turnierleitung weiß, dass du aussteigen möchtest.
me-done-stay = Du bleibst.
me-no-slow-down = Das war zu viel in einer Minute: Warte, dann versuch es noch einmal.
me-no-closed = Das Turnier ist beendet.
me-no-busy = Die Turnierleitung ist gerade beschäftigt: Versuch es gleich noch einmal.
me-no-link = Dieses Telefon ist nicht bekannt: Öffne deinen Zugang noch einmal.
## Das Protokoll, soweit es öffentlich ist
log = Protokoll
log-events = { $events ->
    [one] { $events } Ereignis; nichts wird je gelöscht
   *[other] { $events } Ereignisse, das neueste zuerst; nichts wird je gelöscht
}
log-player = Wer
log-everybody = alle
log-table = Tisch
log-round = Runde
log-all = alle
log-kind = Was
log-words = Wörter
log-changed = nur was geändert wurde
log-show = Zeigen
log-whole = Das ganze Protokoll
log-nothing = Nichts spricht davon.
log-caption = Was festgehalten wurde, Schritt für Schritt
log-time = Zeit
log-by = Von
log-what = Was geschah
log-event = Ereignis
log-older = Älteres
log-stays = Was zurückgenommen wurde, bleibt durchgestrichen stehen und nennt das Ereignis, das es zurücknahm. Gründe sind vertraulich: Öffentliche Seiten haben sie nicht.

## Womit andere ein Turnier prüfen
audit = Dieses Turnier prüfen
audit-about = Jeder Eintrag des Protokolls enthält die Prüfsumme des Eintrags davor, und ein Prüfpunkt, mit dem Schlüssel der Turnierleitung unterschrieben, steht für alle Einträge bis zu ihm. Wer einen hat, findet alles, was darunter seither geändert, entfernt oder eingefügt wurde.
audit-records = Einträge
audit-head = Prüfsumme des letzten Eintrags
audit-root = Wurzel über alle Einträge
audit-key = Schlüssel, der unterschreibt
audit-no-key = keiner: Niemand unterschreibt dieses Turnier
audit-key-about = Sein Fingerabdruck. Vergleiche ihn mit dem, was du von der Turnierleitung auf anderem Weg hast, etwa von einem Aushang.
audit-checkpoints = Prüfpunkte
audit-copy = Das ist die Kopie eines Turniers, das anderswo läuft: Sie nimmt nur auf, was an ihre eigenen Einträge anschließt und mit dem Schlüssel des Turniers unterschrieben ist.
audit-nobody = Diese Seite hat niemand geprüft außer dem Server, der sie gemacht hat.
audit-nobody-held = Diese Seite hat niemand geprüft außer dem Server, der sie gemacht hat: Er hat jeden Prüfpunkt mit den Einträgen verglichen, die hier sind, und sonst nichts angesehen.
audit-some-differ = { $differ ->
    [one] { $differ } Prüfpunkt steht nicht für die Einträge, die hier sind.
   *[other] { $differ } Prüfpunkte stehen nicht für die Einträge, die hier sind.
}
audit-none = Noch ist nichts unterschrieben.
audit-restored = { $records ->
    [one] Ereignis { $event } sagt, dass das Protokoll aus einer Kopie wiederhergestellt wurde; { $records } Eintrag war schon unterschrieben.
   *[other] Ereignis { $event } sagt, dass das Protokoll aus einer Kopie wiederhergestellt wurde; { $records } Einträge waren schon unterschrieben.
}
audit-not-covered = { $records ->
    [one] Der letzte Eintrag steht noch unter keinem Prüfpunkt.
   *[other] Die letzten { $records } Einträge stehen noch unter keinem Prüfpunkt.
}
audit-caption = Alle Prüfpunkte, der neueste zuerst
audit-time = Letzter Eintrag von
audit-short = Wurzel, kurz
audit-signer = Unterschrieben mit
audit-no-signer = keinem Schlüssel dieses Turniers
audit-stands = Mit den Einträgen verglichen
audit-fits = die Einträge sind die unterschriebenen
audit-lost = andere Einträge: Das Protokoll sagt, dass es aus einer Kopie wiederhergestellt wurde
audit-differs = die Einträge sind nicht die unterschriebenen, oder es ist ein anderer Schlüssel
audit-whole = Der ganze Prüfpunkt
audit-code = Als Code
audit-code-of = { $records ->
    [one] Der Prüfpunkt über { $records } Eintrag als Code
   *[other] Der Prüfpunkt über { $records } Einträge als Code
}
audit-json = Als JSON
audit-files = Zum Herunterladen
audit-bundle = Das Bündel: alle Einträge in einer Datei, ohne Namen
audit-csv = Die Tabelle als CSV
audit-records-json = Die Einträge als JSON, Seite für Seite
audit-checkpoints-json = Alle Prüfpunkte als JSON
audit-tokens = Die Turnierleitung gibt die Einträge nur Programmen mit einem Zugang, also kann sie sonst niemand prüfen. Was oben steht, lässt sich aufheben und später vergleichen.
audit-elsewhere = Ohne diesen Server prüfen
audit-elsewhere-about = Mit dem Programm Scrutineer auf einem eigenen Rechner:
audit-command-key = Prüft jeden Eintrag, paart jede Runde neu und rechnet jede verkündete Tabelle neu. Nenne den Schlüssel, den dir die Turnierleitung gegeben hat: Der von dieser Seite beweist über diese Seite nichts.
audit-command-plain = Prüft jeden Eintrag, paart jede Runde neu und rechnet jede verkündete Tabelle neu. Niemand hat es unterschrieben, also beweist nichts, dass nicht alles neu geschrieben wurde:
audit-command-known = Vergleicht es mit einem Prüfpunkt, den du aufgehoben hast, etwa dem Text eines Codes von einem Aushang, in einer Datei:
audit-command-follow = Führt laufend eine Kopie und sagt es, wenn das Unterschriebene nicht mehr das ist, was gezeigt wird:

## Die Sätze des Protokolls, und was für Ereignisse es kennt
told-opened = { $title } ist eröffnet, nach { $rules }
told-imported = übernommen aus { $file } ({ $format })
told-unknown = ; unbekannt: { $facts }
told-enrolled = { $name } nimmt teil
told-enrolled-from = { $name } nimmt teil ab Runde { $round }
told-called = Nummer { $number } heißt { $name }
told-division = { $name } gehört zur Klasse { $division }: { $why }
told-division-none = { $name } gehört zu keiner Klasse: { $why }
told-divisions-together = ab jetzt werden alle Klassen zusammen gepaart
told-divisions-apart = ab jetzt wird jede Klasse für sich gepaart
told-divisions-merged = ab jetzt wird jede Klasse für sich gepaart, zusammen nur { $groups }
told-described = { $name } ist { $title }, aus { $federation }
told-title = { $name } ist { $title }
told-federation = { $name } ist aus { $federation }
told-title-none = { $name } hat keinen Titel
told-rated = { $name } hat die Wertungszahl { $rating }
told-rated-was = { $name } hat die Wertungszahl { $rating } (vorher { $was })
told-rated-not = { $name } hat keine Wertungszahl
told-rated-not-was = { $name } hat keine Wertungszahl (vorher { $was })
told-id = { $name } hat die Kennung { $id }
told-id-none = { $name } hat keine Kennung
told-keeps-table = { $name } behält Tisch { $table }
told-keeps-no-table = { $name } behält keinen Tisch
told-tables = der Saal hat die Tische { $tables }
told-tables-from-1 = die Tische sind ab 1 nummeriert
told-division-rounds = { $division } spielt { $rounds ->
    [one] { $rounds } Runde
   *[other] { $rounds } Runden
  }
told-division-rounds-all = { $division } spielt so viele Runden wie alle
told-asks-bye = { $name } wünscht { $bye } in Runde { $round }
told-here = { $name } ist da
told-before-rounds = vor Runde 1
told-after = nach Runde { $round }
told-leaves = { $name } steigt { $when } aus
told-leaves-no-show = { $name } ist nicht erschienen und wird { $when } gestrichen
told-leaves-disqualified = { $name } wird { $when } disqualifiziert
told-back = { $name } ist ab Runde { $round } wieder dabei
told-more-entrants = { $players ->
    [one] { $players } weitere Person
   *[other] { $players } weitere Spielende
  } in Phase { $phase }
told-phase = Phase { $phase } beginnt: { $kind }, { $players ->
    [one] { $players } Person
   *[other] { $players } Spielende
  }
told-passed-over = ; { $name } wird übergangen: { $why }
told-phase-over = Phase { $phase } ist zu Ende
told-round-opened = Runde { $round } ist eröffnet
told-stage-opened = Runde { $round } ist eröffnet: { $stage }
told-drawn-engine = , von einem Auslosungsprogramm zu paaren, mit Zufallszahl { $seed }
told-drawn = , gepaart nach { $method } { $version } aus Zufallszahl { $seed }
told-dice = {" "}und öffentlichen Würfeln
told-against = gegen
told-slot = , Platz { $slot } im Turnierbaum
told-by-hand = , von Hand gesetzt
told-by-hand-why = , von Hand gesetzt: { $why }
told-bye = { $name } hat { $bye }
told-engine = Runde { $round } ist gepaart von { $engine }, aufgerufen mit { $arguments }
told-engine-unknown = { $engine }, Version unbekannt
told-published = die Paarungen von Runde { $round } sind veröffentlicht
told-completed = Runde { $round } ist abgeschlossen
told-claimed = { $result }, gemeldet von Sitz { $seat }
told-so-far = { $result }, nicht beendet
told-corrected = { $result }, berichtigt (Ereignis { $event } war falsch): { $why }
told-corrected-dispute = { $result }, berichtigt nach { $dispute } (Ereignis { $event } war falsch): { $why }
told-played-postponed = { $result }, gespielt (verlegt durch Ereignis { $event }): { $why }
told-penalty = { $name }: { $kind }: { $why }
told-penalty-next = { $name }: { $kind }, in der nächsten Partie: { $why }
told-goes-on = { $name } kommt durch Entscheid weiter: { $why }
told-at = Runde { $round } Tisch { $table }
told-at-round = Runde { $round }
told-somebody = jemand
told-disputed = { $dispute }: { $name } legt Einspruch ein gegen { $match }: { $claim }
told-dispute-n = Einspruch { $number }
told-dispute-of = der Einspruch von Ereignis { $event }
told-match-of = die Partie von Ereignis { $event }
told-no-match = Ergebnis zu Ereignis { $event }, das nicht mehr gilt
told-upheld = { $dispute }: stattgegeben: { $why }
told-denied = { $dispute } wird abgelehnt: { $why }
told-lots = Los für { $players ->
    [one] { $players } Person
   *[other] { $players } Spielende
  }, { $source }
told-lots-seed-n = gezogen aus Zufallszahl { $seed }
told-lots-seed = gezogen aus der Zufallszahl
lots-the-seed = aus der Zufallszahl
lots-by-hand = von Hand
lots-as-published = wie veröffentlicht
told-announced = die Tabelle nach Runde { $round } ist bekanntgegeben
told-withdrawn = Ereignis { $event } ist zurückgenommen: { $why }
told-plan = der Plan ändert sich: { $why }
told-rules = es gilt { $rules }: { $why }
told-rules-from = es gilt { $rules } ab Runde { $round }: { $why }
told-signer = ein anderer Schlüssel unterschreibt: { $why }
told-key-retired = einem Schlüssel ist nicht zu trauen nach { $records ->
    [one] { $records } Eintrag
   *[other] { $records } Einträgen
  }: { $why }
told-restored = das Protokoll wurde wiederhergestellt; { $records ->
    [one] { $records } Eintrag war
   *[other] { $records } Einträge waren
  } bezeugt: { $why }
told-seed = die Festlegung der Zufallszahlen ist ersetzt: { $why }
told-closed = das Turnier ist beendet
told-note = Notiz: { $note }
told-note-on = Notiz zu Ereignis { $event }: { $note }
told-forgotten = { $texts ->
    [one] { $texts } Text vergessen: Eintrag { $numbers }
   *[other] { $texts } Texte vergessen: Einträge { $numbers }
  }
told-staff = Person { $number } ist { $name }
told-actor = Person { $number }
told-import = Import
told-not-public = (nicht öffentlich)
told-not-given = (nicht angegeben)
told-erased = (gelöscht)
told-ruled = , entschieden: { $rulings }
told-place = Platz { $place }
told-served = { $count ->
    [one] , Strafe von Ereignis { $events } abgegolten
   *[other] , Strafen der Ereignisse { $events } abgegolten
  }
told-undone = zurückgenommen durch Ereignis
told-corrected-by = berichtigt durch Ereignis
told-took-back = Ereignis { $event } nahm dies zurück: { $what }
told-more = { $more } weitere
a-bye = ein Freilos
a-awarded-bye = ein zuerkanntes Freilos
a-half-bye = ein halbes Freilos
a-zero-bye = ein Freilos ohne Punkte
a-awarded-loss = eine zuerkannte Niederlage
a-vacant = kein Gegenüber mehr
phase-kind-swiss = Schweizer System
phase-kind-single-elimination = K.-o.-System
phase-kind-double-elimination = Doppel-K.-o.
phase-kind-round-robin = jeder gegen jeden
phase-kind-pods = Gruppen
how-conceded = aufgegeben
how-forfeit = kampflos
how-no-show = nicht erschienen
how-agreed-draw = vereinbartes Unentschieden
logged-tournament-opened = Turnier eröffnet
logged-plan-amended = Plan geändert
logged-ruleset-amended = Regeln geändert
logged-signer-changed = Schlüssel gewechselt
logged-seed-replaced = Zufallszahlen ersetzt
logged-imported = übernommen
logged-tournament-closed = Turnier beendet
logged-note = Notiz
logged-staff-named = Team benannt
logged-key-retired = Schlüssel abgelegt
logged-log-restored = Protokoll wiederhergestellt
logged-texts-forgotten = Texte vergessen
logged-player-enrolled = Anmeldung
logged-players-name-corrected = Name berichtigt
logged-player-checked-in = als da gemeldet
logged-player-dropped = Ausstieg
logged-player-reinstated = wieder dabei
logged-players-division-changed = Klasse geändert
logged-table-kept = behaltener Tisch
logged-tables-of-the-hall = Tische des Saals
logged-players-title-and-federation = Titel und Verband
logged-players-rating-corrected = Wertungszahl berichtigt
logged-players-id-corrected = Kennung berichtigt
logged-bye-requested = Freilos gewünscht
logged-phase-started = Phase begonnen
logged-phase-ended = Phase beendet
logged-how-divisions-are-paired = wie Klassen gepaart werden
logged-rounds-of-a-division = Runden einer Klasse
logged-round-opened = Runde eröffnet
logged-pairing = Paarung
logged-bye = Freilos
logged-pairings-published = Paarungen veröffentlicht
logged-round-completed = Runde abgeschlossen
logged-paired-by-an-engine = von einem Programm gepaart
logged-result-claimed = Ergebnis gemeldet
logged-score-noted = Zwischenstand notiert
logged-result = Ergebnis
logged-result-corrected = Ergebnis berichtigt
logged-penalty = Strafe
logged-player-advanced = durch Entscheid weiter
logged-dispute-opened = Einspruch eingelegt
logged-dispute-ruled = Einspruch entschieden
logged-lots-drawn = Los gezogen
logged-standings-announced = Tabelle bekanntgegeben
logged-withdrawn = zurückgenommen

## Dateien anderer Programme
import-title = Datei übernehmen
import-about = Ein Turnier, das ein anderes Programm geführt hat, oder eine Tabelle mit seinen Begegnungen. Was die Datei sagt, wird gezeigt, bevor etwas gespeichert ist. Ein Bündel aus einem anderen Scrutineer, etwa eines für die Revision, wird vorher ganz geprüft.
import-files = Dateien
import-files-help = Jede Datei ist ein Turnier; bis zu { $files } auf einmal, zusammen { $size } MiB. Erkannt werden sie an dem, was in ihnen steht.
import-rules-help = Leer: wie es die Datei oder ihre Plattform sagt.
import-look = Ansehen
import-not-taken = Nicht angenommen:
import-all = Alle Turniere
import-another = Andere Datei
import-all-files = { $files } Dateien
import-file = Datei
import-format = Format
import-matches = Begegnungen
import-open = Begegnungen ohne Ergebnis
import-understood = Was verstanden wurde
standings-cannot = Diese Regeln können die Spiele dieses Turniers nicht zählen.
standings-others = Regeln, die sie zählen können; Ansehen ändert nichts:
import-no-day = die Datei nennt keinen Tag
import-no-day-there = keiner: das Turnier kam ohne Tag herein, und eine Datei, die wieder hereinkommt, ändert keinen
import-no-day-sheet = kein Tag gefunden; eine Zeile über den Spalten nennt ihn, etwa # date: 2026-10-02
import-guessed = Nichts in der Datei nennt ihre Regeln: sie richten sich nach dem, was auf den Zetteln steht.
import-store = Speichern
import-new = Es wird ein eigenes Turnier.
import-store-all = { $files ->
    [one] { $files } davon speichern
   *[other] { $files } davon speichern
  }
import-stored = Gespeichert
import-known = Alles davon ist schon gespeichert
import-renews = Bringt ein Turnier auf den neuesten Stand, das schon da ist
import-renews-about = Nichts wird überschrieben: Neues wird dahinter eingetragen, und ein anderes Ergebnis wird berichtigt, mit der Datei als Grund.
import-renews-bundle = Was hier steht, bleibt, wie es ist. Nur das kommt hinzu:
import-renew = Auf den neuesten Stand bringen
import-refused = Das lässt sich nicht speichern:
import-refused-short = nicht gespeichert
import-asks = Welche Spalte ist das: { $word }?
import-asks-how = Über der Spalte wählen, dann die Tabelle so lesen.
import-asks-short = Ihre Spalten sind noch zu wählen
import-no-rules = Nichts sagt, nach welchen Regeln gespielt wurde: unten wählen.
import-more = … und { $more } weitere
import-odd = Was auffällt
import-odd-n = { $count ->
    [one] { $count } Auffälligkeit
   *[other] { $count } Auffälligkeiten
  }
import-unknown = Nicht in der Datei
import-published = Veröffentlichte Tabelle neben der berechneten
import-rows-match = { $matched } von { $rows } Zeilen stimmen überein: { $what }.
import-rows-rank = { $same } von { $rows } haben den veröffentlichten Rang.
import-rows-stale = { $stale } haben die Werte einer früheren Runde: sie waren da schon gegangen.
import-places-match = { $same } von { $places } Schlussplätzen sind die veröffentlichten.
import-again = Noch einmal ansehen
import-sheet = Spalten: eine Tabelle mit { $kind }
import-sheet-matches = Begegnungen
import-sheet-roster = Spielenden
import-sheet-standings = Rangliste
import-rows = Die ersten Zeilen, und wofür jede Spalte gehalten wird
import-rows-of-files = Die Dateien, und was aus jeder wird
import-column-n = Spalte { $number } { $name }
import-not-read = nicht gelesen
import-maybe = vielleicht
import-pick = So lesen
import-columns-left-out = { $columns } weitere Spalten gelten, wie sie heißen.
unknown-sign-up-order = Reihenfolge der Anmeldung
unknown-times = Zeiten
unknown-tables = Tische
unknown-kind-of-bye = Art des Freiloses
unknown-drops = wer wann gegangen ist
unknown-games = einzelne Spiele
unknown-how-matches-ended = wie Begegnungen ausgingen
unknown-earlier-rounds = frühere Runden
unknown-seeds = Setzplätze
column-round = Runde
column-table = Tisch
column-player-a = Erster Name
column-player-b = Zweiter Name
column-pairing = Beide Namen
column-result = Ergebnis
column-games-a = Spiele des ersten
column-games-b = Spiele des zweiten
column-games-drawn = Unentschiedene Spiele
column-points-a = Punkte des ersten
column-points-b = Punkte des zweiten
column-winner = Wer gewann
column-name = Name
column-first-name = Vorname
column-last-name = Nachname
column-first-name-a = Vorname des ersten
column-last-name-a = Nachname des ersten
column-first-name-b = Vorname des zweiten
column-last-name-b = Nachname des zweiten
column-rank = Rang
column-points = Punkte
column-wins = Siege
column-losses = Niederlagen
column-draws = Unentschieden
column-omw = Siege der Gegner in %
column-gw = Spielsiege in %
column-ogw = Spielsiege der Gegner in %
column-sos = Summe der Gegnerpunkte
column-esos = Summe dieser Summen
column-id = Kennung
column-id-a = Kennung des ersten
column-id-b = Kennung des zweiten
column-rating = Wertungszahl
column-division = Klasse
column-sign-up = Nummer der Anmeldung
column-date = Datum
export-title = Export
export-about = Eine Datei für ein anderes Programm. Was ein Format von diesem Turnier nicht fasst, steht dabei.
export-none = Noch gibt es nichts zu exportieren:
export-refused = Fasst es nicht:
export-needs-file = Entsteht nicht neu, sondern wird in die Datei geschrieben, die das Programm von diesem Turnier hat: unten wählen.
export-into = Lässt sich auch in die Datei schreiben, die das Programm von diesem Turnier hat; alles andere darin bleibt.
export-whole = Fasst alles, wofür es da ist.
export-left-out = Nicht darin:
export-file = Datei, in die geschrieben wird
export-file-help = Nur für TOM, OpenGotha, TRF, Chess-Results und Netrunner; höchstens { $size } MiB.
export-names = mit Namen
export-names-help = Vermerkt wird, dass Namen hinausgingen: wer vergessen werden will, erfährt es.
export-download = Herunterladen
export-own = Mit Beweis
export-own-about = Wer ein Turnier prüft, will sein Protokoll und keine Tabelle:
export-bundle = Bündel ohne Namen
export-page = Seite, die sich selbst prüft
export-sheet-workbook = Eine Arbeitsmappe: Rangliste, Begegnungen und Spieler, die ein Import wieder liest
export-sheet-standings = Rangliste für eine Tabellenkalkulation
export-sheet-matches = Begegnungen für eine Tabellenkalkulation
export-as-tdf = TOM (Pokémon)
export-as-trf = Turnierbericht der FIDE
export-as-cobra = Cobra und NRTM
export-as-challonge = Challonge
export-as-opengotha = OpenGotha
export-as-chess-results = Chess-Results
calendar = Kalender (iCalendar)
export-as-trf26 = Turnierbericht der FIDE von 2026

## Ablehnungen, die Spieler und Leser zu sehen bekommen, nach ihren Codes
refusal-address-not-public = Diese Adresse führt in das Netz hier, und dorthin wird nichts geschickt.
refusal-bad-phone-address = Was dein Browser angegeben hat, ist keine Adresse, an die Mitteilungen gehen können.
refusal-bad-request = Das hat das Programm nicht verstanden. Lade die Seite neu und versuche es noch einmal.
refusal-bad-slip = Mit diesem Ergebnis kann diese Partie nicht enden.
refusal-check-in-over = Die erste Runde ist schon gepaart: Melde dich bei der Turnierleitung an.
refusal-closed = Das Turnier ist beendet.
refusal-command-id-reused = Unter demselben Schlüssel wurde schon etwas anderes geschickt. Lade die Seite neu und versuche es noch einmal.
refusal-desk-is-elsewhere = Die Turnierleitung ist jetzt auf einem anderen Laptop.
refusal-disputed-already = Gegen diese Partie ist schon Einspruch eingelegt; die Schiedsleitung entscheidet.
refusal-house-not-kept = Das Programm kann gerade nichts speichern: Sag es dem Team.
refusal-impossible-score = Mit diesem Ergebnis kann diese Partie nicht enden.
refusal-is-a-copy = Das ist eine Kopie; das Turnier wird anderswo geleitet.
refusal-link-of-another-kind = Dieser Link ist für etwas anderes da.
refusal-link-taken = Dieser Link gehört zu einem anderen Telefon. Öffne ihn dort, oder bitte die Turnierleitung, ihn freizugeben.
refusal-log-forked = Das Protokoll dieses Turniers wurde dort, wo es geleitet wird, umgeschrieben; Neueres wird nicht angenommen.
refusal-log-not-read = Das Programm kann seine Daten gerade nicht lesen: Sag es dem Team.
refusal-log-not-written = Das Programm kann gerade nicht schreiben; es wurde nichts gespeichert. Sag es dem Team und fülle den Papierzettel aus.
refusal-method-not-allowed = Unter dieser Adresse geht das nicht. Geh zurück auf die Seite und versuche es noch einmal.
refusal-moved = Inzwischen ist etwas geschehen. Sieh dir die Seite an, wie sie jetzt ist, und versuche es noch einmal.
refusal-no-bracket = In diesem Turnier gibt es noch keinen K.-o.-Baum.
refusal-no-divisions = In diesem Turnier gibt es keine Altersklassen oder Gruppen.
refusal-no-match-now = In dieser Runde hast du keine Partie.
refusal-no-open-round = Es läuft gerade keine Runde.
refusal-no-place = Dieser Spieler hat in diesem Stand keinen Platz.
refusal-no-such-dispute = Diesen Einspruch gibt es nicht.
refusal-no-such-link = Dieser Link gehört niemandem, oder es wurde ein neuer gemacht. Frag die Turnierleitung nach einem neuen.
refusal-no-such-page = Diese Seite gibt es nicht.
refusal-no-such-round = Diese Runde gibt es nicht, oder sie ist noch nicht veröffentlicht.
refusal-no-such-table = Diesen Tisch gibt es in dieser Runde nicht.
refusal-no-table = Du hast in dieser Runde keinen Tisch. Wenn du spielst, geh zur Turnierleitung.
refusal-not-allowed = Dieses Telefon ist hier nicht bekannt: Öffne darauf deinen eigenen Link. Wer zum Team gehört, meldet sich an.
refusal-nothing-signed = Von diesem Turnier ist noch nichts signiert: Eine Quittung gibt es, wenn eine Runde vollständig ist.
refusal-other-host = So heißt dieser Server nicht. Nimm die Adresse vom Aushang.
refusal-other-origin = Das kam von einer anderen Seite. Öffne deine Seite hier und versuche es noch einmal.
refusal-outcome-unknown = Ob das gespeichert wurde, ist noch nicht bekannt. Schick es noch einmal: Es wird nur einmal gespeichert.
refusal-request-not-done = Daran ist das Programm gescheitert. Versuche es noch einmal; wenn es so bleibt, sag es dem Team.
refusal-result-stands = Dieser Tisch hat schon ein Ergebnis. Wenn es falsch ist, leg Einspruch ein.
refusal-seated-elsewhere = Du sitzt jetzt woanders. Sieh nach, wo, und melde noch einmal.
refusal-sign-in = Melde dich zuerst an.
refusal-slow-down = Das war zu viel in einer Minute: Warte kurz und versuche es dann noch einmal.
refusal-store-not-opened = Das Programm startet gerade oder zieht um. Versuche es in einer Minute noch einmal.
refusal-too-busy = Gerade ist zu viel los: Versuche es gleich noch einmal.
refusal-too-large = Das ist zu lang.
refusal-unknown-division = Diese Altersklasse oder Gruppe gibt es nicht.
refusal-unknown-player = Diesen Spieler gibt es nicht.
refusal-unknown-tournament = Dieses Turnier gibt es nicht, oder noch ist nichts davon öffentlich.
refusal-wrong-password = Name und Passwort passen nicht zusammen.

## Die Akte eines Einspruchs
file-title = Einspruch { $number }
file-recorded = Was erfasst wurde
file-who = Wer
file-what = Was
file-both = Was beide sagen
file-typed = Eingegeben
file-differ = Das widerspricht sich.
file-alone = Eine Meldung allein ist nie ein Ergebnis.
file-floor = Im Saal
file-claim = Der Einspruch
file-by = von
file-somebody = jemandem
file-stood = Wo sie standen
file-moment = Zeitpunkt
file-change = Was jedes Ergebnis ändern würde
file-copy = an einer Kopie gezählt, nichts wird gespeichert
file-cut = Der Schnitt
file-as-it-is = wie er ist
file-same = derselbe
file-cut-so-far = wie es steht, { $missing ->
    [one] ein Tisch fehlt
   *[other] { $missing } Tische fehlen
  }
file-cut-in = dabei: { $names }
file-cut-out = nicht mehr: { $names }
file-cut-untied-in = nicht mehr gleichauf an der Linie, dabei: { $names }
file-cut-untied-out = nicht mehr gleichauf an der Linie, nicht dabei: { $names }
file-cut-tied = neu gleichauf an der Linie: { $names }
file-cut-tie = an der Linie entscheiden Lose
file-cut-made = der gemachte Schnitt wäre ein anderer gewesen: dabei { $enters }; nicht dabei { $leaves }
file-cut-seeds = wer im gemachten Schnitt ist, hätte einen anderen Setzplatz gehabt
file-cut-lots = über den gemachten Schnitt hätten Lose entschieden, die nicht gezogen wurden
file-others = Andere, deren Platz sich ändert
file-later = Spätere Runden
file-as-they-are = wie sie sind
file-refused = abgelehnt: { $why }
file-result = erfasst:
file-opened = eröffnet { $time }
file-state-open = offen
file-state-upheld = Stattgegeben
file-state-denied = Abgelehnt
file-sign-time = Datum und Uhrzeit
file-sign-ruling = Entscheid und Begründung
file-sign-judge = Schiedsleitung
file-same-tables = { $round }: dieselben Tische
file-differing = { $round }: { $differ } von { $tables } wären andere{ $byes ->
    [0] {""}
    [one] , und das Freilos
   *[other] , und { $byes } Freilose
  }
file-byes-differ = { $round }: { $byes ->
    [one] allein das Freilos wäre ein anderes
   *[other] allein Freilose wären andere
  }
file-not-said = { $round }: lässt sich nicht sagen
file-wrongly-played = ACHTUNG, { $round }: Gespielt wurde mit { $out }, nach diesem Ergebnis ausgeschieden, und ohne { $missing }; die Schiedsleitung muss sagen, was daraus wird
file-wrongly-playing = ACHTUNG, { $round }: Gespielt wird mit { $out }, nach diesem Ergebnis ausgeschieden, und ohne { $missing }; die Schiedsleitung muss sagen, was daraus wird
file-stands = Der Eintrag bleibt
file-draw = Unentschieden
file-wins = { $name } gewinnt
file-when-paired = bei der Paarung
file-when-disputed = beim Einspruch
file-now = jetzt
file-corrected = berichtigt zu { $score }
file-after-draw = nach einem Unentschieden
file-as-winner = nach einem Sieg
file-as-loser = nach einer Niederlage
file-without = ohne Ergebnis
file-paired = { $round }: { $name }, gepaart { $took }, Tisch { $table } gegen { $against }
file-bye = { $round }: { $name }, { $took }, mit Freilos
floor-more = Tisch { $table }: { $minutes } min mehr
floor-less = Tisch { $table }: { $minutes } min zurückgenommen
floor-call = Tisch { $table }: Schiedsleute gerufen
floor-players = Tisch { $table }: die Spielenden sind gerufen
floor-sits = Tisch { $table }: dort sitzt jemand der Schiedsleute
floor-decks = Tisch { $table }: Decks geprüft
floor-not-decks = Tisch { $table }: Decks aus Versehen als geprüft vermerkt
floor-featured = Tisch { $table } ist hervorgehoben
floor-not-featured = Tisch { $table } ist nicht mehr hervorgehoben
