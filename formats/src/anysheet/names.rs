//! What the columns of a sheet are called, in English, German, French, Spanish, Italian and Portuguese.

use scrutineer_engine::names::plain;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Round,
    Table,
    PlayerA,
    PlayerB,
    /// Both players in one cell: `Ann - Ben`.
    Pairing,
    Result,
    GamesA,
    GamesB,
    Drawn,
    PointsA,
    PointsB,
    Winner,
    Name,
    FirstName,
    LastName,
    FirstA,
    LastA,
    FirstB,
    LastB,
    Rank,
    Points,
    Wins,
    Losses,
    Draws,
    Omw,
    Gw,
    Ogw,
    Sos,
    Esos,
    Id,
    IdA,
    IdB,
    Rating,
    Division,
    Number,
    Date,
    /// A score without a side: of both players, or points.
    Score,
    Games,
    /// What a player did in one round.
    OfRound,
    /// Known, and not read.
    Ignore,
}

use Role::*;

/// The roles that a choice of columns may name, with their words.
pub(super) const WORDS: [(&str, Role); 37] = [
    ("round", Round),
    ("table", Table),
    ("player_a", PlayerA),
    ("player_b", PlayerB),
    ("pairing", Pairing),
    ("result", Result),
    ("games_a", GamesA),
    ("games_b", GamesB),
    ("games_drawn", Drawn),
    ("points_a", PointsA),
    ("points_b", PointsB),
    ("winner", Winner),
    ("name", Name),
    ("first_name", FirstName),
    ("last_name", LastName),
    ("first_name_a", FirstA),
    ("last_name_a", LastA),
    ("first_name_b", FirstB),
    ("last_name_b", LastB),
    ("rank", Rank),
    ("points", Points),
    ("wins", Wins),
    ("losses", Losses),
    ("draws", Draws),
    ("omw", Omw),
    ("gw", Gw),
    ("ogw", Ogw),
    ("sos", Sos),
    ("esos", Esos),
    ("id", Id),
    ("id_a", IdA),
    ("id_b", IdB),
    ("rating", Rating),
    ("division", Division),
    ("sign_up", Number),
    ("date", Date),
    ("ignore", Ignore),
];

impl Role {
    /// Its word in a choice of columns; none where a choice cannot name it.
    pub fn word(self) -> Option<&'static str> {
        WORDS.iter().find(|(_, role)| *role == self).map(|(word, _)| *word)
    }
}

/// Names without their spaces, accents and signs.
const NAMES: &[(Role, &str)] = &[
    (
        Round,
        "round rd rnd roundnumber roundno roundnr roundname runde rundennummer rundennr \
             rundenr ronde tour ronda turno giornata rodada manche spieltag",
    ),
    (
        Table,
        "table tbl tab tableno tablenumber tablenr tisch tischnr tischnummer tavolo mesa board bd brett \
             brettnr boardno boardnumber echiquier tablero tabuleiro scacchiera numerodemesa mesanumero",
    ),
    (
        Pairing,
        "pairing paarung match begegnung partie appariement rencontre emparejamiento \
               enfrentamiento partido partida incontro abbinamento accoppiamento confronto emparceiramento matchup",
    ),
    (
        Result,
        "result results ergebnis ergebnisse resultat resultats resultado resultados risultato \
              risultati res erg outcome matchresult matchscore spielstand marcador placar resultatdumatch",
    ),
    (Score, "score punteggio spielergebnis scores"),
    (
        Winner,
        "winner sieger siegerin gewinner gewinnerin vainqueur gagnant ganador vincitore vencedor",
    ),
    (
        Name,
        "name names player players playername spieler spielerin spielername teilnehmer \
            teilnehmerin teilnehmende teilnehmername joueur joueuse nom participant participants participante \
            participantes partecipante partecipanti jugador jugadora jugadores nombre giocatore \
            giocatrice giocatori nome jogador jogadora jogadores username user displayname fullname \
            nickname nick benutzername benutzer pseudo handle gamertag contestant competitor concurrent concorrente \
            lastnamefirstname namevorname nachnamevorname vornamename vornamenachname nomprenom prenomnom \
            apellidosynombre apellidosnombre nombreyapellidos nombreapellidos cognomenome nomecognome \
            nomecompleto nombrecompleto nomcomplet vollername team mannschaft equipe equipo squadra equipa firstnamelastname",
    ),
    (FirstName, "firstname vorname prenom givenname forename primeironome primernombre"),
    (
        LastName,
        "lastname nachname surname familyname familienname zuname cognome apellido apellidos \
                sobrenome apelido nomdefamille",
    ),
    (
        Rank,
        "rank ranking rk place placing placement position pos standing standings platz platzierung rang \
            rg pl rangliste classement clasificacion puesto posicion posizione classifica posto \
            colocacao posicao lugar classificacao finish endrang",
    ),
    (
        Points,
        "points pts pt punkte pkt pkte punktzahl matchpoints mp winpoints puntos ptos \
              puntuacion punti pontos pontuacao total totalpoints gesamtpunkte gesamtpunktzahl \
              matchpunkte tournamentpoints",
    ),
    (
        Wins,
        "wins win won siege sieg gewonnen victoires victoire victorias ganados ganadas vittorie vinte \
            vitorias gagnes matchwins",
    ),
    (
        Losses,
        "losses loss lost niederlagen niederlage verloren defaites defaite derrotas perdidos perdidas \
              sconfitte perse perdus matchlosses",
    ),
    (
        Draws,
        "draws draw drawn ties tie unentschieden remis nuls nul nulles empates empatados pareggi \
             patte egalites matchdraws",
    ),
    (
        Games,
        "games gameswon gamewins gewonnenespiele spiele satze saetze sets parties partidas partite \
             giochi jeux jogos juegos vp victorypoints siegpunkte",
    ),
    (Drawn, "gamesdrawn drawngames gamedraws unentschiedenespiele partiesnulles"),
    (
        Omw,
        "omw omwp omwpct omwpercent omwpercentage oppmw oppmatchwin opponentmatchwin opponentsmatchwin opponentmatchwinpercentage \
           opponentsmatchwinpercentage opponentmatchwinrate owp opponentwinpercentage opponentswinpercentage opponentsmatchwins \
           gegnersiegquote gegnermatchsiegquote",
    ),
    (Gw, "gw gwp gwpct gamewin gamewinpercentage gwpercentage gamewinrate spielsiegquote"),
    (
        Ogw,
        "ogw ogwp ogwpct oppgw oppgamewin opponentgamewin opponentsgamewin opponentgamewinpercentage \
           opponentsgamewinpercentage opponentsgamewins",
    ),
    (Sos, "sos strengthofschedule"),
    (Esos, "esos extendedsos extendedstrengthofschedule"),
    (
        Id,
        "id playerid membershipnumber membership membershipid memberid membernumber mitgliedsnummer popid \
          cossyid fideid fidecode dci dcinumber dcinr license licence licencia pid userid passnummer passnr \
          lizenz lizenznummer konamiid cardgameid spielerid",
    ),
    (Rating, "rating elo dwz elorating fiderating rtg twz nwz elozahl wertungszahl"),
    (
        Division,
        "division category categorie kategorie klasse categoria divisione divisao agegroup \
                agedivision altersklasse",
    ),
    (
        Number,
        "no nr num number nummer startnummer startnr snr sno startno stnr numero n lfdnr seed setzplatz \
              dorsal dossard",
    ),
    (Date, "date datum fecha data"),
    (
        Ignore,
        "email mail emailadresse emailaddress phone telefon telefono telefone mobile handy geburtsdatum birthday birthdate \
              dob verein club clube country land federation fed deck decklist adresse address bemerkung notes note \
              kommentar comment oomw",
    ),
];

const FIRST: &str = "a 1 one first erste erster white weiss blanc blancs blancas bianco bianchi brancas \
    home heim local casa domicile";
const SECOND: &str = "b 2 two second zweite zweiter black schwarz noir noirs negras nero neri pretas \
    away gast visitante opponent opponents gegner gegnerin adversaire oponente rival contrincante avversario \
    adversario exterieur trasferta fora";
/// Words of a side that name a player by themselves.
const ALONE: &str = "white weiss blanc blancs blancas bianco bianchi brancas home heim local casa \
    domicile black schwarz noir noirs negras nero neri pretas away gast visitante opponent gegner \
    gegnerin adversaire oponente rival contrincante avversario adversario exterieur trasferta fora";
const ROUNDS: &str = "r rd rnd round runde ronde ronda turno rodada giornata tour manche spieltag";

fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// Words and numbers of a name, in small letters without accents; `Player1` are two.
fn tokens(name: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let (mut before, mut was_lower) = (' ', false);
    for raw in name.chars() {
        let folded = plain(&raw.to_string());
        for c in folded.chars() {
            let same = c.is_alphanumeric()
                && before.is_alphanumeric()
                && c.is_numeric() == before.is_numeric()
                && !(was_lower && raw.is_uppercase());
            match tokens.last_mut().filter(|_| same) {
                Some(last) => last.push(c),
                None if c.is_alphanumeric() => tokens.push(c.to_string()),
                None => {}
            }
            before = c;
        }
        if folded.is_empty() {
            continue;
        }
        was_lower = raw.is_lowercase();
    }
    tokens
}

fn base(word: &str) -> Option<Role> {
    NAMES.iter().find(|(_, list)| has(list, word)).map(|(role, _)| *role)
}

/// A role of one side, where there is one.
fn sided(role: Role, second: bool) -> Option<Role> {
    Some(match (role, second) {
        (Name, false) => PlayerA,
        (Name, true) => PlayerB,
        (FirstName, false) => FirstA,
        (FirstName, true) => FirstB,
        (LastName, false) => LastA,
        (LastName, true) => LastB,
        (Games | Result | Score | Wins, false) => GamesA,
        (Games | Result | Score | Wins, true) => GamesB,
        (Points, false) => PointsA,
        (Points, true) => PointsB,
        (Id, false) => IdA,
        (Id, true) => IdB,
        (Rating | Division | Ignore | Rank | Number, _) => Ignore,
        _ => return None,
    })
}

/// What a column of this name holds.
pub(super) fn role(name: &str) -> Option<Role> {
    if name.trim() == "#" {
        return Some(Number);
    }
    let tokens = tokens(name);
    let whole = tokens.concat();
    if whole.is_empty() || whole.len() > 60 {
        return None;
    }
    let is_word = tokens.len() == 1 || !has("a b 1 2", tokens.last().map_or("", |last| last));
    if let Some(role) = base(&whole).filter(|_| is_word) {
        return Some(role);
    }
    if has(ALONE, &whole) {
        return Some(if has(FIRST, &whole) { PlayerA } else { PlayerB });
    }
    let number = |token: &String| token.parse::<u16>().is_ok();
    let (numbers, others): (Vec<&String>, Vec<&String>) = tokens.iter().partition(|t| number(t));
    if numbers.len() == 1 && (others.is_empty() || others.len() == 1 && has(ROUNDS, others[0])) {
        return Some(OfRound);
    }
    let side = tokens.iter().position(|token| has(FIRST, token) || has(SECOND, token));
    let second = side.map(|at| has(SECOND, &tokens[at]));
    let rest: Vec<&str> = tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| Some(*at) != side && !has("in the of der des du de di", token))
        .map(|(_, token)| token.as_str())
        .collect();
    // `Player 1 rating`: the rating, of one of them; `Name Player 1`: a name.
    let is_name = |token: &&str| base(token) == Some(Name) || has("p j", token);
    let without: Vec<&str> = rest.iter().copied().filter(|token| !is_name(token)).collect();
    let found = match (rest.is_empty(), without.is_empty()) {
        (true, _) => None,
        (_, true) => Some(Name),
        _ => base(&rest.concat()).or_else(|| base(&without.concat())),
    }?;
    match second {
        Some(second) => sided(found, second),
        None => Some(found)
            .filter(|found| *found != Name || base(&rest.concat()) == Some(Name) || rest.len() > 1),
    }
}

/// Whether a cell is a column's name.
pub(super) fn is_known(name: &str) -> bool {
    role(name).is_some_and(|role| role != OfRound)
}

/// What is written where there is no opponent, in the six languages.
const BYES: &str = "bye byes freilos spielfrei frei exempt exempte exento exenta libre libero descansa \
    descanso riposo riposa folga isento isenta pausiert ohnegegner keingegner noopponent nobody none \
    niemand sansadversaire";

/// Whether a cell says that there is nobody: empty, a mark, `0`, or a word for a bye.
pub(super) fn is_nobody(cell: &str) -> bool {
    let word: String = plain(cell).chars().filter(|c| c.is_alphanumeric()).collect();
    word.is_empty() || word == "0" || has(BYES, &word)
}

/// What a last line begins with that is no player.
pub(super) fn is_total(cell: &str) -> bool {
    let word = tokens(cell).into_iter().next().unwrap_or_default();
    has(
        "total totals totale totaux summe gesamt insgesamt somme suma sum soma somma anzahl \
         durchschnitt average moyenne media promedio mittelwert stand printed gedruckt subtotal",
        &word,
    ) && tokens(cell).len() <= 4
}

/// The round that a heading or a cell names: its number, or for one of a cut (half-final, `Top 8`)
/// 10,000 less the players in it.
pub(super) fn round(cell: &str, alone: bool) -> Option<u16> {
    let tokens = tokens(cell);
    let joined = tokens.concat();
    let cut = |words: &str| tokens.iter().any(|token| has(words, token)) || has(words, &joined);
    let number = tokens.iter().find_map(|token| token.parse::<u16>().ok());
    let is_round = tokens.iter().any(|token| has(ROUNDS, token));
    if tokens.len() > 6 || tokens.is_empty() {
        return None;
    }
    if alone && tokens.len() == 1 && number.is_some() {
        return number;
    }
    let size = match () {
        () if cut("top of") => {
            number.filter(|size| (2..=64).contains(size) && size.is_power_of_two())
        }
        () if cut("achtelfinale huitiemes huitieme octavos oitavas ottavi") => Some(16),
        () if cut(
            "quarterfinal quarterfinals quarter viertelfinale quart quarts cuartos quartas quarti",
        ) =>
        {
            Some(8)
        }
        () if cut(
            "semifinal semifinals semi halbfinale demi semifinale semifinales semifinais semifinali meiafinal",
        ) =>
        {
            Some(4)
        }
        () if cut("final finals finale endspiel") && !is_round => Some(2),
        () => None,
    };
    let starts = |token: &String| has(ROUNDS, token) || token.parse::<u16>().is_ok();
    match (size, number) {
        (Some(size), _) if !(is_round && tokens.len() > 3) => Some(10_000 - size),
        (_, Some(number)) if is_round && tokens.first().is_some_and(starts) => Some(number),
        _ => None,
    }
}

/// The name of a round.
pub(super) fn round_name(round: u16) -> String {
    match 10_000u16.saturating_sub(round) {
        2 => "Final".to_owned(),
        4 => "Semifinals".to_owned(),
        8 => "Quarterfinals".to_owned(),
        size if size <= 64 => format!("Round of {size}"),
        _ => format!("Round {round}"),
    }
}
