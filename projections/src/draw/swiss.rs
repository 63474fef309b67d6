#![allow(missing_docs)]
use super::dice::Dice;
pub struct Field {
    n: usize,
}
impl Field {
    pub fn new(points: &[i64], _b: &[u32], _m: &[Vec<u32>], _r: bool) -> Field {
        Field { n: points.len() }
    }
}
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    pub rematches: u64,
    pub byes_again: u64,
    pub bye_points: i64,
    pub squares: i128,
}
pub struct Pairing {
    pub pairs: Vec<(u32, u32)>,
    pub bye: Option<u32>,
    pub cost: Cost,
}
pub fn pair(f: &Field, d: &mut Dice) -> Pairing {
    let mut o: Vec<u32> = (0..f.n as u32).collect();
    d.shuffle(&mut o);
    Pairing {
        pairs: o.chunks_exact(2).map(|c| (c[0], c[1])).collect(),
        bye: (f.n % 2 == 1).then(|| o[f.n - 1]),
        cost: Cost { rematches: 0, byes_again: 0, bye_points: 0, squares: 0 },
    }
}
