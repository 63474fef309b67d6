//! HTTP: the desk in the browser, orders of programs, live updates.
#![doc = include_str!("../README.md")]

pub mod admin;
pub mod api;
pub mod connection;
pub mod counted;
pub mod demo;
pub mod fields;
pub mod forms;
pub mod gate;
pub mod guard;
pub mod house;
pub mod join;
pub mod kept;
pub mod language;
pub mod live;
pub mod live_api;
pub mod local;
pub mod openapi;
pub mod orders_api;
pub mod pages;
pub mod problem;
pub mod problems;
pub mod reader;
pub mod reads;
pub mod request_log;
pub mod rooms;
pub mod routes;
pub mod serve;
pub mod sites;
pub mod staff_api;
pub mod staff_pages;
pub mod state;
pub mod who;

pub use axum::http;
