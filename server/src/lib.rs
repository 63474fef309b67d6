//! HTTP: the desk in the browser, orders of programs, live updates.
#![doc = include_str!("../README.md")]

pub mod api;
pub mod demo;
pub mod fields;
pub mod forms;
pub mod gate;
pub mod house;
pub mod join;
pub mod live;
pub mod live_api;
pub mod local;
pub mod orders_api;
pub mod pages;
pub mod problem;
pub mod routes;
pub mod serve;
pub mod sites;
pub mod state;
pub mod who;
