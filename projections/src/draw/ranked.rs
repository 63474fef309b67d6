#![allow(missing_docs)]
use super::dice::Dice;
use scrutineer_engine::event::Because;
pub struct Pair {
    pub first: u32,
    pub second: u32,
    pub because: Because,
}
pub struct Ranked {
    pub pairs: Vec<Pair>,
    pub bye: Option<(u32, Because)>,
}
pub fn pair(
    order: Option<Vec<u32>>,
    n: usize,
    _b: &[u32],
    _m: &[Vec<u32>],
    _a: bool,
    d: &mut Dice,
) -> Ranked {
    let mut o = order.unwrap_or_default();
    if o.is_empty() {
        o = (0..n as u32).collect();
        d.shuffle(&mut o);
    }
    Ranked {
        pairs: o
            .chunks_exact(2)
            .map(|c| Pair { first: c[0], second: c[1], because: Because::Neighbours })
            .collect(),
        bye: (n % 2 == 1).then(|| (o[n - 1], Because::LowestRanked)),
    }
}
