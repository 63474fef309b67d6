#![allow(missing_docs)]
use super::dice::Dice;
pub struct Pods {
    pub pods: Vec<Vec<u32>>,
    pub byes: Vec<u32>,
}
pub fn pair(_p: &[i64], _b: &[u32], _m: &[Vec<u32>], _d: &mut Dice) -> Pods {
    Pods { pods: Vec::new(), byes: Vec::new() }
}
