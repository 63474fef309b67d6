//! The words of columns and cells, in English, German, French, Spanish, Italian and Portuguese.

use super::Role::{self, *};

/// Names without their spaces, accents and signs.
pub(super) const NAMES: &[(Role, &str)] = &[
    (
        Round,
        "jornada journee matchday matchweek gameweek week woche semaine semana settimana round rd rnd roundnumber roundno roundnr roundname runde rundennummer rundennr \
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
              risultati esito ris res erg outcome matchresult matchscore spielstand marcador placar resultatdumatch \
              finalscore finalresult resultstring",
    ),
    (Score, "score punteggio spielergebnis scores"),
    (
        Winner,
        "winner sieger siegerin gewinner gewinnerin vainqueur gagnant gagnante ganador \
            ganadora vincitore vincitrice vencedor vencedora ganhador ganhadora victor winnername winningteam winningplayer \
            matchwinner whowon gewonnenhat hatgewonnen wergewinnt gano quiengano hagagne quiagagne \
            vittoria ganhou quemganhou",
    ),
    (Loser, "loser verlierer verliererin perdant perdante perdedor perdedora perdente sconfitto"),
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
              matchpunkte tournamentpoints gesamt summe gesamtsumme totale totaux punktegesamt \
              puntostotales puntitotali pontostotais",
    ),
    (
        Wins,
        "pg wins win won gagne siege sieg gewonnen victoires victoire victorias ganados ganadas vittorie vinte \
            vitorias gagnes matchwins",
    ),
    (
        Losses,
        "pp losses loss lost niederlagen niederlage verloren defaites defaite derrotas perdidos perdidas \
              sconfitte perse perdus matchlosses",
    ),
    (
        Draws,
        "pe draws draw drawn ties tie unentschieden remis nuls nul nulles empates empatados pareggi \
             patte egalites matchdraws",
    ),
    (
        Games,
        "tore goals buts goles gols gol reti games gameswon gamewins gewonnenespiele spiele satze saetze sets parties partidas partite \
             giochi jeux jogos juegos legs frames manches vp victorypoints siegpunkte",
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
        Title,
        "title titel titre titulo titolo tit ti fidetitle fidetitel titrefide titulofide titolofide",
    ),
    (
        Federation,
        "federation fed verband foderation landesverband federacion federazione federacao fidefederation \
            nationalfederation",
    ),
    (Country, "country land pays pais paese nation nationality nazione"),
    (
        Number,
        "no nr num number nummer startnummer startnr snr sno startno stnr numero n lfdnr seed setzplatz \
              dorsal dossard",
    ),
    (Date, "date datum fecha data"),
    (
        Ignore,
        "email mail emailadresse emailaddress phone telefon telefono telefone mobile handy geburtsdatum birthday birthdate \
              dob verein club clube deck decklist adresse address bemerkung notes note \
              kommentar comment oomw",
    ),
];

pub(super) const FIRST: &str = "a 1 one first erste erster white weiss blanc blancs blancas bianco bianchi brancas \
    home heim local casa domicile mandante hometeam homename homeplayer homeneutral hostteam heimteam heimmannschaft \
    heimspieler heimname adomicile domicileequipe equipedomicile equipeadomicile recevant \
    recevante equiperecevante equipolocal encasa incasa squadracasa squadradicasa padronidicasa \
    dacasa emcasa timecasa timedacasa timemandante equipacasa equipadacasa aff affirmative";
pub(super) const SECOND: &str = "b 2 two second zweite zweiter black schwarz noir noirs negras nero neri pretas \
    away gast visitante opponent opponents gegner gegnerin adversaire oponente rival contrincante avversario \
    adversario exterieur trasferta fora ospite awayteam awayname awayplayer visitor visitorneutral visitingteam \
    guestteam auswarts auswartsteam auswartsmannschaft gastteam gastmannschaft \
    gastspieler gastname exterieure alexterieur exterieurequipe equipeexterieur equipeexterieure \
    equipealexterieur visiteur visiteuse equipevisiteuse visita equipovisitante forastero \
    intrasferta squadratrasferta squadraintrasferta squadraospite fuoricasa defora timefora timedefora \
    timevisitante equipafora equipadefora equipavisitante forasteiro auswartsspieler neg negative";
/// Words of a side that name a player by themselves.
pub(super) const ALONE: &str = "white weiss blanc blancs blancas bianco bianchi brancas home heim local casa \
    domicile mandante black schwarz noir noirs negras nero neri pretas away gast visitante opponent gegner \
    gegnerin adversaire oponente rival contrincante avversario adversario exterieur trasferta fora ospite \
    hometeam homename homeplayer homeneutral hostteam heimteam heimmannschaft heimspieler \
    heimname adomicile domicileequipe equipedomicile equipeadomicile recevant recevante \
    equiperecevante equipolocal encasa incasa squadracasa squadradicasa padronidicasa \
    dacasa emcasa timecasa timedacasa timemandante equipacasa equipadacasa awayteam awayname \
    awayplayer visitor visitorneutral visitingteam guestteam auswarts auswartsteam auswartsmannschaft \
    gastteam gastmannschaft gastspieler gastname exterieure alexterieur \
    exterieurequipe equipeexterieur equipeexterieure equipealexterieur visiteur visiteuse \
    equipevisiteuse visita equipovisitante forastero intrasferta squadratrasferta squadraintrasferta \
    squadraospite fuoricasa defora timefora timedefora timevisitante equipafora equipadefora \
    equipavisitante forasteiro auswartsspieler aff affirmative neg negative";
/// What a column of names has that are a team's, and those that are what a player calls themselves.
pub(super) const TEAMS: &str = "team teams teamname mannschaft mannschaften equipe equipes equipo equipos squadra squadre equipa equipas";
pub(super) const HANDLES: &str =
    "username user displayname nickname nick benutzername benutzer pseudo handle gamertag";
/// What a column with the hours of matches is called.
pub(super) const TIMES: &str = "time uhrzeit zeit uhr anstoss anstosszeit anpfiff beginn spielbeginn anspielzeit startzeit \
    heure horaire coupdenvoi debut hora horario inicio ora orario inizio kickoff kickofftime matchtime gametime \
    starttime start tipoff faceoff";
/// Words that say at which side somebody played, and letters that say so together.
pub(super) const SIDES: &str = "home away heim auswarts gast heimspiel auswartsspiel casa fora fuori incasa fuoricasa \
    intrasferta trasferta emcasa encasa domicile adomicile exterieur alexterieur local visitante visita neutral neutro \
    neutre";
pub(super) const SIDE_LETTERS: [&str; 6] = ["h a n", "h g n", "l v n", "d e n", "c t n", "c f n"];
pub(super) const ROUNDS: &str = "jornada journee matchday matchweek gameweek week woche semaine semana settimana r rd rnd round runde ronde ronda turno rodada giornata tour manche spieltag";

/// What the last line of a table begins with.
pub(super) const TOTALS: &str = "total totals totale totaux summe gesamt insgesamt somme suma sum soma somma anzahl durchschnitt average moyenne \
     media promedio mittelwert stand printed gedruckt subtotal";

/// The other player of a match, beside the number of its round.
pub(super) const OPPONENTS: &str = "opponent opponents opp gegner gegnerin adversaire oponente rival contrincante \
    avversario avversaria adversario adversaria";
/// What stands behind or before the number of a round, and says no more than that.
pub(super) const BESIDE_NUMBERS: &str =
    "st nd th re er ere eme e a o \u{aa} \u{ba} no nr of the in der des de du di da do";

/// Words that name a round only with its number, and nothing else beside it.
pub(super) const NUMBERED: &str = "swiss fecha";
/// The final, alone or behind the part of it that a round is, as in `1/4 de finale`.
pub(super) const FINALS: &str = "final finals finale finales finali finais endspiel";

pub(super) const GROUPS: &str = "group gruppe staffel groupe poule grupo chave gruppo girone pool";

/// What stands beside the name of a round of a cut, and says no more than that.
pub(super) const BESIDE_ROUNDS: &str = "top of the a b c d st nd rd th der die das des du de di del do da la le les el il um \
    und and et e y o i game match matches spiel spiele partie partita partido phase stage fase playoff playoffs play off \
    offs ko k grand gran grande grosses kleines small platz place puesto posto lugar third bronze gold";

/// The match for third place: by itself, the number beside a place, the place, and what stands beside them.
pub(super) const BRONZE: &str = "bronze bronce bronzo finalina";
pub(super) const THIRD: &str = "3 third dritte dritter dritten troisieme tercer tercera tercero terzo terza terceiro \
    terceira petite kleines kleine";
pub(super) const PLACES: &str = "place platz posto puesto lugar final finale finals";
pub(super) const BESIDE_THIRD: &str = "medal medaille 4 fourth pour per por para o el playoff";

/// What is written where there is no opponent, in the six languages.
pub(super) const BYES: &str = "bye byes freilos spielfrei frei exempt exempte exento exenta libre livre libero descansa \
    descanso riposo riposa folga isento isenta pausiert ohnegegner keingegner noopponent nobody none \
    niemand reposo repos descansan sansadversaire wonbybye turnodiriposo turnolibre rondalibre jornadalibre setztaus exe";
/// Of these, and beside them, those that are a bye among other words of one, or with a number.
pub(super) const CLEAR_BYES: &str = "bye byes freilos spielfrei exempt exento exenta descansa descansan descanso reposo \
    riposo riposa folga isento isenta pausiert pause pausa ruht rastet";
/// What chess-results writes where somebody was not paired: nobody sits there, and the result says what it counts.
pub(super) const UNPAIRED: &str =
    "notpaired nichtausgelost noemparejado nonapparie nonabbinato naoemparceirado";
/// A word of a bye that may be a part of a name: beside numbers or small words it is told.
pub(super) const LIKE_BYES: &str = "bye exempt libre riposo reposo repos folga descanso";
/// One that is in no name: beside whatever it stands it is told.
pub(super) const SURE_BYES: &str = "freilos spielfrei exempt descansa descanso descansan exento exenta isento isenta riposa riposano pausiert";
/// Small words of names.
pub(super) const PARTICLES: &str = "de la le di da do dos du del den der van von y e";
/// What stands between two names of a pair.
pub(super) const BETWEEN_NAMES: &str = "and und et & of the das los las les el do dos da";
/// What a column of the first half of a match, or of one of its legs, is called, and one of how it ended.
pub(super) const PARTS: &str = "ht hz halbzeit halbzeitstand halftime mitemps descanso intervalo intervallo hinspiel \
    ruckspiel rueckspiel ida vuelta volta aller retour andata ritorno";
pub(super) const WHOLE: &str =
    "ft ende endstand endergebnis fulltime gesamt agg aggregate global total totale cumul";
/// What a column of points is called where no other is called after them.
pub(super) const SUMS: &str =
    "gesamt summe gesamtsumme totale totaux punktegesamt puntostotales puntitotali pontostotais";
/// What a table of standings counts, in a letter or three.
pub(super) const RECORDS: &str =
    "p w d l t s u n v e j g f a gp gf ga gd sp pj pg pe pp gc dg sg diff";
/// What stands behind the number of a place.
pub(super) const ORDINALS: &str = "st nd rd th er re e eme ere nd nde o a \u{ba} \u{aa} tie tied";
/// What sets of a match are called.
pub(super) const SETS: &str =
    "set satz game spiel partie manche manga partita jogo juego parcial s g";
pub(super) const ZERO: &str = "zero null cero";
pub(super) const HALF: &str = "half halb halbes halber demi medio media mezzo mezza meio meia";
pub(super) const BESIDE_BYES: &str = "full point points pt pts punkt punkte punto puntos \
    punti ponto pontos requested pairing allocated round auto automatic free win";
/// What may be a name, and rather says that nobody was there.
pub(super) const DOUBTFUL: &str = "x n.n. nn n/a #n/a tbd tba leer unpaired no-show noshow kampflos absent absente abwesend ausente assente \
    forfait \
    zur\u{fc}ckgezogen zurueckgezogen abgemeldet ausgestiegen ausgeschieden krank withdrawn withdrew dropped drop walkover \
    forfeit w/o retirado retirada abandon abandon\u{e9} abandonne abandona ritirato ritirata desistiu desistente";
/// What clubs are called.
pub(super) const CLUBS: &str = "verein vereine club clube clubs circolo";
/// What parts of a tournament are called.
pub(super) const PHASES: &str =
    "phase phases stage fase etape etappe abschnitt turnierphase draft draftid bracket pod";
/// What the set is called that decides a match.
pub(super) const LAST_SETS: &str = "mtb matchtb matchtiebreak tb tiebreak supertb supertiebreak stb championstiebreak decider decidingset \
    finalset lastset entscheidungssatz entscheidung";
/// Letters for won, drawn and lost together, as they stand behind the name of a column of results.
pub(super) const LETTERS: &str =
    "wl wdl wtl wld wlt sun snu su guv vnd vdn gnp gep gpe ved vde vnp vps 10 01";
/// What stands alone above matches: days, courts, sessions, parts of the players.
pub(super) const ABOVE: &str = "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag \
    sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo lunedi \
    martedi mercoledi giovedi venerdi segunda terca quarta quinta sexta session sessions morning afternoon evening vormittag nachmittag \
    abend matin soir manana tarde court courts field feld platz terrain terreno campo pista halle hall tisch mesa bracket \
    winners losers boys girls men women juniors seniors herren damen jungen madchen manner frauen einzel doppel mixed singles \
    doubles hommes femmes messieurs dames simple doubles garcons filles hombres mujeres uomini donne";
