//! `check-receipt`: what a receipt proves, in words.

use super::{read, read_held, read_key};
use crate::Report;
use crate::args::CheckReceipt as Options;
use crate::error::VerbError;
use crate::session::{Session, hex};
use scrutineer_desk::answers::{ProvedEvent, ReceiptAnswer, TournamentName, line};
use scrutineer_desk::desk::write_slip;
use scrutineer_desk::names::Names;
use scrutineer_desk::orders::result_in_words;
use scrutineer_desk::table::{Align, Aligned};
use scrutineer_engine::book::{Book, Commitment, commit};
use scrutineer_engine::error::Code;
use scrutineer_engine::event::{Event, MatchResult, Seat};
use scrutineer_engine::record::StreamId;
use scrutineer_engine::tournament::Tournament;
use scrutineer_formats::own::OwnKind as Kind;
use scrutineer_projections::counted;
use scrutineer_projections::timeline::{described, division_rounds, identified, rated, table_kept};
use scrutineer_replay::loaded::short_id;
use scrutineer_replay::mirror::in_words;
use scrutineer_replay::trust::digits;
use scrutineer_replay::trust::note::fingerprint;
use scrutineer_replay::trust::receipt::{MAX_RECEIPT, Receipt, ReceiptError};

/// Checks a receipt by itself, and against what its owner knows.
pub fn run(session: &Session, options: &Options) -> Result<Report, VerbError> {
    let bytes = read(&options.file, Kind::Receipt, MAX_RECEIPT)?;
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        let message = format!("{} is not a receipt", options.file.display());
        let hint = "`scrutineer prove <player or table> --output <file>` writes one";
        return Err(VerbError::new(Code::invalid("bad-receipt"), message, hint));
    }
    let key = options.key.as_deref().map(read_key).transpose()?;
    let held = options.checkpoint.as_deref().map(read_held).transpose()?;
    let receipt = Receipt::read(&bytes)?;
    if let Some(key) = &key
        && !receipt.is_signed_by(|own| key.is(own))
    {
        return Err(ReceiptError::OtherKey { signers: receipt.signers }.into());
    }
    if let Some(held) = &held {
        receipt.leads_to(held, key.is_some())?;
    }
    if session.json {
        return Ok(Report::yes(line(&answer(&receipt, options))));
    }
    let compared = match (options.key.is_some(), held.is_some()) {
        (true, true) => {
            "the key is the one you named, and the checkpoint leads to the one you hold"
        }
        (true, false) => "the key is the one you named",
        (false, true) => "the checkpoint leads to the one you hold",
        (false, false) => {
            "consistent in itself, compared with nothing from outside: name the organizer's \
             --key, or a --checkpoint that you hold"
        }
    };
    Ok(Report::yes(format!("{}{compared}\n", in_text(&receipt))))
}

fn in_text(receipt: &Receipt) -> String {
    let checkpoint = &receipt.checkpoint.checkpoint;
    let keys: Vec<String> = receipt.signers.iter().map(fingerprint).collect();
    let (event, short) = (short_id(checkpoint.stream), checkpoint.short());
    let (time, keys) = (in_words(checkpoint.time), keys.join(" and "));
    let mut text = format!(
        "this receipt holds: tournament {event}, checkpoint of {short}, last record of {time}\n\
         signed by the key {keys}\n"
    );
    if let Some(earlier) = &receipt.extends {
        let (size, root) = (earlier.size, digits(&earlier.root));
        text.push_str(&format!(
            "the log extends the checkpoint of {} {root}\n",
            counted(size, "record")
        ));
    }
    if receipt.records.is_empty() {
        return text;
    }
    let mut table = Aligned::new([("seq", Align::Right), ("what was recorded", Align::Left)]);
    let taken_back = receipt.taken_back();
    for proved in &receipt.records {
        let seq = proved.record.header().seq;
        let mut what = told(receipt, &proved.event);
        if let Some(by) = taken_back.get(&seq) {
            what.push_str(&format!("   taken back by event {by}"));
        }
        table.row([seq.to_string(), what]);
    }
    let last = "recorded at this size, which is not that it still stands: a correction or a \
                withdrawal may come later in the log, or be left out here\n";
    format!("{text}{}{last}", table.text())
}

/// What a record says, without the rest of the log.
fn told(receipt: &Receipt, event: &Event) -> String {
    match event {
        Event::PlayerEnrolled(e) => {
            format!("player {} takes part{}", e.player, name(receipt, &e.name))
        }
        Event::PlayerIdentified(e) => {
            format!("player {} is renamed{}", e.player, name(receipt, &e.name))
        }
        Event::PlayerDivisionChanged(e) => match &e.division {
            Some(division) => format!("player {} is of the division {division}", e.player),
            None => format!("player {} is of no division", e.player),
        },
        Event::TableKept(e) => format!("player {} {}", e.player, table_kept(e)),
        Event::PlayerDescribed(e) => format!("player {} {}", e.player, described(e)),
        Event::PlayerRated(e) => format!("player {} {}", e.player, rated(e.rating, None)),
        Event::PlayerIdCorrected(e) => match e.publisher_id {
            Some(_) => format!("player {} has another id", e.player),
            None => format!("player {} {}", e.player, identified(None)),
        },
        Event::DivisionRounds(e) => division_rounds(e),
        Event::PairingMade(e) => {
            let at = e.table.map_or(String::new(), |table| format!(", table {table}"));
            format!("round {}{at}: {}", e.round, players(&e.seats))
        }
        Event::ByeRequested(e) => {
            format!("player {} asked for a bye in round {}, {}", e.player, e.round, e.kind)
        }
        Event::ByeGiven(e) => format!("round {}: player {}, {}", e.round, e.player, e.kind),
        Event::ResultRecorded(e) => {
            format!("result of pairing {}: {}", e.pairing, score(receipt, e.pairing, &e.result))
        }
        Event::ResultCorrected(e) => {
            let score = score(receipt, e.pairing, &e.result);
            format!("pairing {}, corrected (event {} was wrong): {score}", e.pairing, e.replaces)
        }
        Event::RoundOpened(e) => format!("round {} is opened", e.round),
        Event::Withdrawn(e) => format!("event {} is taken back", e.seq),
        other => other.word().to_string(),
    }
}

fn name(receipt: &Receipt, name: &Commitment) -> String {
    let stream = receipt.checkpoint.checkpoint.stream;
    let entry = receipt.names.iter().find(|entry| commit(stream, entry) == *name);
    entry.map_or(String::new(), |entry| format!(": {}", entry.text))
}

fn players(seats: &[Seat]) -> String {
    let seats: Vec<String> = seats.iter().map(|seat| format!("player {}", seat.player)).collect();
    seats.join(" against ")
}

/// The score in the order of the seats, which the pairing tells where it is here.
fn score(receipt: &Receipt, pairing: u64, result: &MatchResult) -> String {
    let mut records = receipt.records.iter();
    let seats = records.find_map(|proved| match &proved.event {
        Event::PairingMade(e) if proved.record.header().seq == pairing => Some(&e.seats),
        _ => None,
    });
    seats.map_or_else(|| write_slip(result), |seats| result_of(seats, result))
}

/// A result in the words of the desk, with numbers: a receipt has no ruleset that says how it is written.
fn result_of(seats: &[Seat], result: &MatchResult) -> String {
    let numbers: Vec<u32> = seats.iter().map(|seat| seat.player).collect();
    let nobody = Names::of(&Tournament::default(), &Book::new(StreamId([0; 16])));
    result_in_words(&nobody, &numbers, result)
}

fn answer(receipt: &Receipt, options: &Options) -> ReceiptAnswer {
    let checkpoint = &receipt.checkpoint.checkpoint;
    let taken_back = receipt.taken_back();
    let proved = receipt.records.iter().map(|proved| {
        let seq = proved.record.header().seq;
        let (kind, sentence) = (proved.event.name().to_string(), told(receipt, &proved.event));
        ProvedEvent { seq, kind, sentence, taken_back_by: taken_back.get(&seq).copied() }
    });
    ReceiptAnswer {
        verb: "check-receipt",
        holds: true,
        tournament: TournamentName::untitled(checkpoint.stream),
        records: checkpoint.size,
        root: hex(&checkpoint.root),
        signers: receipt.signers.iter().map(|key| hex(key)).collect(),
        extends: receipt.extends.as_ref().map(|earlier| earlier.size),
        proved: proved.collect(),
        key_compared: options.key.is_some(),
        checkpoint_compared: options.checkpoint.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::result_of;
    use scrutineer_engine::event::{How, MatchResult, Ruling, Score, Seat};

    #[test]
    fn a_result_without_a_score_is_told_in_words_and_not_as_its_slip() {
        let seats = [7, 2].map(|player| Seat { player, role: 0 });
        let of = |rulings: [Ruling; 2], how| {
            let rulings = rulings.into_iter().map(Some).collect();
            let played = MatchResult::played(Score::default());
            result_of(&seats, &MatchResult { rulings, how, ..played })
        };
        assert_eq!(of([Ruling::Draw; 2], How::Played), "player 7 and player 2 draw");
        assert_eq!(of([Ruling::Loss, Ruling::Win], How::Played), "player 2 beats player 7");
        let no_show = of([Ruling::Win, Ruling::Loss], How::NoShow);
        assert_eq!(no_show, "player 7 beats player 2 (no-show)");
    }
}
