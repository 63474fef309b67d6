//! What is legal, told as stories; and that the fold takes everything.

mod desk;
mod dice;
mod stories;
mod taking_back;
mod total;
