//! What is legal, told as stories; and that the fold takes everything.

mod bounds;
mod desk;
mod dice;
mod reading;
mod slips;
mod stories;
mod taking_back;
mod total;
