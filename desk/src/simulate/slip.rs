//! What the players write on their slips.

use super::field::weight;
use scrutineer_engine::event::{Per, Scoresheet};
use scrutineer_pairing::dice::Dice;
use scrutineer_projections::ruleset::{OutcomeRule, Ruleset};

/// How many objectives a table fights over, where objectives count.
const OBJECTIVES: usize = 7;

/// A slip, before it is typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// For each line that each seat has, the seats' values.
    lines: Vec<Vec<u32>>,
    /// Games drawn.
    drawn: Option<u32>,
    /// What is ruled for each seat: `w`, `l`, `d`, or their place.
    ruled: Vec<String>,
    /// A word about how it ended.
    how: &'static str,
}

impl Written {
    /// As it is typed at the desk.
    pub fn text(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        match self.ruled.first().map(|first| first.parse::<u32>().is_ok()) {
            Some(true) => words.push(format!("place {}", self.ruled.join("-"))),
            Some(false) => words.push(self.ruled.join("-")),
            None => {}
        }
        let joined = |line: &Vec<u32>| {
            let values: Vec<String> = line.iter().map(u32::to_string).collect();
            values.join("-")
        };
        words.extend(self.lines.iter().map(joined));
        words.extend(self.drawn.filter(|&drawn| drawn > 0).map(|drawn| format!("drawn={drawn}")));
        words.push(self.how.to_string());
        words.join(" ").trim_end().to_string()
    }

    /// Both agreed.
    pub(crate) fn agreed_draw() -> Written {
        Written { how: "id", ..Written::default() }
    }

    /// With a game more for the other one of two, since this one lost it by penalty.
    pub fn with_lost_game(mut self, seat: usize, best_of: u8) -> Written {
        let needed = u32::from(best_of) / 2 + 1;
        if let Some(games) = self.lines.first_mut().filter(|games| games.len() == 2) {
            games[1 - seat] = needed.min(games[1 - seat] + 1);
            if games[1 - seat] == needed {
                games[seat] = games[seat].min(needed - 1);
                self.drawn = self.drawn.map(|_| 0);
            }
        }
        self
    }

    /// The wrong way round; none where that says the same.
    pub fn backwards(&self) -> Option<Written> {
        let mut other = self.clone();
        other.lines.iter_mut().for_each(|line| line.reverse());
        other.ruled.reverse();
        (other != *self).then_some(other)
    }
}

/// How matches end.
#[derive(Clone, Copy)]
pub struct Play<'a> {
    /// The slip.
    pub sheet: &'a Scoresheet,
    /// The ruleset.
    pub rules: &'a Ruleset,
    /// Thousandths of matches that end without a winner.
    pub draws: u32,
    /// Whether somebody must go on.
    pub knockout: bool,
}

impl Play<'_> {
    /// Plays a match between players of these strengths.
    pub fn play(self, strengths: &[u32], dice: &mut Dice) -> Written {
        let weights: Vec<u64> = strengths.iter().map(|&strength| weight(strength)).collect();
        let draws = if self.knockout { self.draws / 4 } else { self.draws };
        let drawn = dice.below(1000) < u64::from(draws);
        match &self.rules.outcome {
            OutcomeRule::RulingOnly => self.ruled(&weights, drawn, dice),
            OutcomeRule::Line(line) => self.scored(line, &weights, drawn, dice),
        }
    }

    fn ruled(self, weights: &[u64], drawn: bool, dice: &mut Dice) -> Written {
        let mut written = Written::default();
        let order = order(weights, dice);
        let place = |seat: usize| order.iter().position(|other| *other == seat).unwrap_or(0);
        let word = |seat: usize| match (drawn, place(seat)) {
            (true, _) => "d".to_string(),
            (false, place) if !self.rules.points.places.is_empty() => (place + 1).to_string(),
            (false, 0) => "w".into(),
            (false, _) => "l".into(),
        };
        written.ruled = (0..weights.len()).map(word).collect();
        written
    }

    fn scored(self, decides: &str, weights: &[u64], drawn: bool, dice: &mut Dice) -> Written {
        let mut written = Written::default();
        for line in self.sheet.lines.iter().filter(|line| line.per == Per::Seat) {
            let values = match &line.name[..] {
                "games" if weights.len() == 2 => {
                    let (games, unfinished) = self.games(weights, drawn, dice);
                    written.drawn = self.sheet.table_line("drawn").map(|_| unfinished);
                    games.to_vec()
                }
                "games" => winner_only(weights, 1, dice),
                "match_points" if self.knockout || weights.len() != 2 => {
                    winner_only(weights, 3, dice)
                }
                // Two games, one from each side.
                "match_points" => {
                    let both = [winner_only(weights, 3, dice), winner_only(weights, 3, dice)];
                    (0..2).map(|seat| both[0][seat] + both[1][seat]).collect()
                }
                name if name == decides => objectives(weights, drawn, dice),
                _ => weights.iter().map(|_| 10 + dice.below(31) as u32).collect(),
            };
            written.lines.push(values);
        }
        if dice.below(100) == 0 && written.lines.first().is_some_and(|line| !level(line)) {
            written.how = "conceded";
        }
        written
    }

    /// Games won by each, and games drawn.
    fn games(self, weights: &[u64], drawn: bool, dice: &mut Dice) -> ([u32; 2], u32) {
        let needed = u32::from(self.sheet.best_of.unwrap_or(3)) / 2 + 1;
        if drawn {
            return ([needed - 1; 2], 1);
        }
        let mut won = [0; 2];
        while won[0].max(won[1]) < needed {
            won[winner(weights, dice)] += 1;
        }
        (won, 0)
    }
}

fn level(line: &[u32]) -> bool {
    line.iter().all(|value| *value == line[0])
}

/// One of the seats, each as likely as it weighs.
fn winner(weights: &[u64], dice: &mut Dice) -> usize {
    let mut at = dice.below(weights.iter().sum());
    for (seat, &weight) in weights.iter().enumerate() {
        match at.checked_sub(weight) {
            Some(left) => at = left,
            None => return seat,
        }
    }
    0
}

fn winner_only(weights: &[u64], points: u32, dice: &mut Dice) -> Vec<u32> {
    let won = winner(weights, dice);
    (0..weights.len()).map(|seat| if seat == won { points } else { 0 }).collect()
}

/// The seats by how they came in, the winner first.
fn order(weights: &[u64], dice: &mut Dice) -> Vec<usize> {
    let mut left: Vec<usize> = (0..weights.len()).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let of_left: Vec<u64> = left.iter().map(|&seat| weights[seat]).collect();
        order.push(left.remove(winner(&of_left, dice)));
    }
    order
}

/// Each objective is taken by one of the seats, or by nobody.
fn objectives(weights: &[u64], drawn: bool, dice: &mut Dice) -> Vec<u32> {
    let mut taken = vec![0; weights.len()];
    if drawn {
        return vec![dice.below(OBJECTIVES as u64 / 2 + 1) as u32; weights.len()];
    }
    for _ in 0..OBJECTIVES {
        if dice.below(4) > 0 {
            taken[winner(weights, dice)] += 1;
        }
    }
    taken
}
