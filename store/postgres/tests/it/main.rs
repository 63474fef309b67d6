//! Storage on PostgreSQL keeps the promises of storage, and survives what happens to databases.
//! Each test starts a server of its own.

mod server;

mod roles;
mod storage;
