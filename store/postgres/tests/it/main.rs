//! Storage on PostgreSQL keeps the promises of storage, and survives what happens to databases.
//! Each test starts a server of its own.

mod server;

mod encrypted;
mod faults;
mod fence;
mod files;
mod house;
mod roles;
mod storage;
mod tampered;
