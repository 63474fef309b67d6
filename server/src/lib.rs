//! HTTP: the desk in the browser, orders of programs, live updates.
#![doc = include_str!("../README.md")]

pub mod pages;
