//! One connection to the database, driven by the thread that uses it.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use scrutineer_engine::log::LogError;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};
use tokio_postgres::error::{DbError, Severity};
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, Error, Row, SimpleQueryMessage, Statement};

use crate::address::Address;
use crate::error::{DatabaseError, Trouble};
use crate::fence::Fence;
use crate::options::{Options, TOLD_AFTER, Waits};

/// What a statement is given for `$1`, `$2` and so on.
pub(crate) type Values<'a> = [&'a (dyn ToSql + Sync)];

/// A connection with the statements that it has prepared.
pub(crate) struct Connection {
    /// None only while this is dropped.
    runtime: Option<Runtime>,
    wire: Box<dyn Wire>,
    client: Arc<Client>,
    prepared: HashMap<&'static str, Statement>,
    answer: Duration,
    /// Who is told that an answer takes long.
    waits: Option<Arc<Waits>>,
    /// A commit stands on this server alone: its own words.
    alone: Option<String>,
    /// The version of the server, such as 150007.
    version: u32,
    fence: Arc<Fence>,
    /// The server and its timeline, once they are known.
    met: Option<(i64, u32)>,
    is_broken: bool,
}

/// What moves bytes between the client and the socket.
trait Wire: Send {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<AsyncMessage, Error>>>;
}

impl<S, T> Wire for tokio_postgres::Connection<S, T>
where
    S: AsyncRead + AsyncWrite + Unpin + Send,
    T: AsyncRead + AsyncWrite + Unpin + Send,
{
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<AsyncMessage, Error>>> {
        self.poll_message(context)
    }
}

impl Connection {
    /// Connects, and looks whether this is a server that can be used.
    pub(crate) fn open(address: &Address, options: &Options) -> Result<Connection, DatabaseError> {
        let of = |trouble| address.failed(trouble);
        let made = Connection::connect(address, options).map_err(of)?;
        if made.version < 150_000 {
            return Err(DatabaseError::TooOld { found: (made.version / 10_000).to_string() });
        }
        Ok(made)
    }

    /// Connects to a server that takes changes, and that is none that was replaced.
    pub(crate) fn connect(address: &Address, options: &Options) -> Result<Connection, Trouble> {
        let no = |reason: String| Trouble::NotDone { reason };
        let mut config = address.config.clone();
        let settings = format!(
            "{} -c statement_timeout={} -c lock_timeout={} -c idle_in_transaction_session_timeout={}",
            config.get_options().unwrap_or_default(),
            options.statement_timeout.as_millis(),
            options.statement_timeout.as_millis(),
            options.answer.as_millis(),
        );
        config.options(settings.trim()).connect_timeout(options.connect_timeout);
        if config.get_application_name().is_none() {
            config.application_name("scrutineer");
        }
        config.keepalives_idle(Duration::from_secs(5)).keepalives_interval(Duration::from_secs(2));
        config.keepalives_retries(3).tcp_user_timeout(Duration::from_secs(15));
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| no(error.to_string()))?;
        let tls = address.tls.clone();
        let limit = options.connect_timeout;
        let connected =
            blocking(&runtime, async { tokio::time::timeout(limit, config.connect(tls)).await });
        let (client, wire) = match connected {
            Ok(Ok((client, wire))) => (client, wire),
            Ok(Err(error)) => {
                runtime.shutdown_background();
                // Nothing was asked yet.
                return Err(match Trouble::from(error) {
                    Trouble::Unknown { reason } => no(reason),
                    other => other,
                });
            }
            Err(_) => {
                runtime.shutdown_background();
                return Err(no(format!("no connection after {} s", limit.as_secs())));
            }
        };
        let mut made = Connection {
            runtime: Some(runtime),
            wire: Box::new(wire),
            client: Arc::new(client),
            prepared: HashMap::new(),
            answer: options.answer,
            waits: options.waits.clone(),
            alone: None,
            version: 0,
            fence: Arc::clone(&options.fence),
            met: None,
            is_broken: false,
        };
        made.meet()?;
        Ok(made)
    }

    /// Asks which server this is.
    fn meet(&mut self) -> Result<(), Trouble> {
        // In one round trip, so that nothing is prepared.
        let ask = "SELECT current_setting('server_version_num'), pg_is_in_recovery(), \
                   (SELECT system_identifier FROM pg_control_system()), \
                   CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END, \
                   current_setting('synchronous_commit')";
        let client = Arc::clone(&self.client);
        let answer = self.drive(async move { client.simple_query(ask).await })?;
        let row = answer.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        let no = |reason: &str| Trouble::NotDone { reason: reason.to_string() };
        let row = row.ok_or_else(|| no("the server does not say what it is"))?;
        self.version = row.get(0).and_then(|version| version.parse().ok()).unwrap_or(0);
        // The name of the file begins with the timeline, in eight digits.
        let file = row.get(3).and_then(|name| name.get(..8));
        let timeline = file.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let server = row.get(2).and_then(|server| server.parse::<i64>().ok());
        let (Some(server), Some(timeline)) = (server, timeline) else {
            return Err(no("the server only follows another one"));
        };
        // Whatever is set for the database or the login: what is acknowledged is kept.
        if matches!(row.get(4), Some("off" | "local")) {
            self.batch("SET synchronous_commit = on")?;
        }
        let is_new = self.fence.meets(server, timeline)?;
        self.met = Some((server, timeline));
        if is_new {
            let note = "SELECT scrutineer.note_timeline($1, $2)";
            // A database without tables has no memory either.
            let newest = self.query_one(note, &[&server, &(timeline as i32)]);
            let newest: Option<i32> = newest.ok().map(|row| row.get(0));
            let newest = newest.and_then(|newest| u32::try_from(newest).ok()).unwrap_or(0);
            if newest > timeline {
                return Err(LogError::Replaced { seen: newest, found: timeline }.into());
            }
        }
        Ok(())
    }

    /// Whether a commit of this login waits for a standby since so long.
    pub(crate) fn lacks_standby(&mut self, since: Duration) -> Result<bool, Trouble> {
        // Of one's own login everybody may see what it waits for.
        let ask = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE usename = current_user \
                   AND wait_event = 'SyncRep' \
                   AND query_start < clock_timestamp() - make_interval(secs => $1))";
        Ok(self.query_one(ask, &[&(since.as_secs_f64() * 0.9)])?.get(0))
    }

    /// Whether it can be used for the next request.
    pub(crate) fn is_usable(&self) -> bool {
        !self.is_broken && !self.client.is_closed() && !self.is_replaced()
    }

    /// Whether another connection of this node has met a server that took the place of this one.
    fn is_replaced(&self) -> bool {
        self.met.is_some_and(|(server, timeline)| !self.fence.is_newest(server, timeline))
    }

    /// Waits for an answer while the bytes of the connection move.
    fn drive<T: Send>(
        &mut self,
        work: impl Future<Output = Result<T, Error>> + Send,
    ) -> Result<T, Trouble> {
        let Connection { runtime: Some(runtime), wire, alone, answer, waits, .. } = self else {
            return Err(Trouble::NotDone { reason: "the connection was closed".to_string() });
        };
        let limit = *answer;
        let done = blocking(runtime, async {
            let mut work = pin!(work);
            let both = poll_fn(|context| {
                // The first look sends the request.
                if let Poll::Ready(done) = work.as_mut().poll(context) {
                    return Poll::Ready(done);
                }
                loop {
                    match wire.poll(context) {
                        Poll::Ready(Some(Ok(AsyncMessage::Notice(said)))) => {
                            if is_of_this_server_alone(&said) {
                                *alone = Some(said.message().to_string());
                            }
                        }
                        Poll::Ready(Some(Ok(_))) => {}
                        Poll::Ready(Some(Err(error))) => return Poll::Ready(Err(error)),
                        Poll::Ready(None) | Poll::Pending => break,
                    }
                }
                work.as_mut().poll(context)
            });
            let mut both = pin!(both);
            if let Some(waits) = waits
                && let Some(left) = limit.checked_sub(TOLD_AFTER)
            {
                match tokio::time::timeout(TOLD_AFTER, both.as_mut()).await {
                    Err(_) => waits.tell("it has not answered yet", left),
                    done => return done,
                }
                return tokio::time::timeout(left, both).await;
            }
            tokio::time::timeout(limit, both).await
        });
        let done = match done {
            Ok(done) => done.map_err(Trouble::from),
            Err(_) => {
                let reason = format!("no answer after {} s", limit.as_secs());
                Err(Trouble::Unknown { reason })
            }
        };
        let done = match done {
            // What a server says that was replaced meanwhile may be lost with it.
            Ok(_) if self.is_replaced() => {
                let reason = "another server took the place of this one meanwhile".to_string();
                Err(Trouble::Unknown { reason })
            }
            done => done,
        };
        self.is_broken |= matches!(done, Err(Trouble::Unknown { .. }));
        match self.alone.take() {
            Some(reason) => Err(Trouble::Unknown { reason }),
            None => done,
        }
    }

    /// The rows that answer a statement, which is prepared once for each connection.
    pub(crate) fn query(
        &mut self,
        statement: &'static str,
        values: &Values<'_>,
    ) -> Result<Vec<Row>, Trouble> {
        let (client, known) = (Arc::clone(&self.client), self.prepared.get(statement).cloned());
        let (prepared, rows) = self.drive(async move {
            let prepared = prepared(&client, known, statement).await?;
            let rows = client.query(&prepared, values).await?;
            Ok((prepared, rows))
        })?;
        self.prepared.insert(statement, prepared);
        Ok(rows)
    }

    /// The rows that answer two statements, in one round trip. The second one sees at least what the
    /// first one has seen.
    pub(crate) fn both(
        &mut self,
        first: (&'static str, &Values<'_>),
        second: (&'static str, &Values<'_>),
    ) -> Result<[Vec<Row>; 2], Trouble> {
        let client = Arc::clone(&self.client);
        let known = [first.0, second.0].map(|statement| self.prepared.get(statement).cloned());
        let [one, two] = known;
        let (prepared, rows) = self.drive(async move {
            let one = prepared(&client, one, first.0).await?;
            let two = prepared(&client, two, second.0).await?;
            let rows = tokio::try_join!(client.query(&one, first.1), client.query(&two, second.1))?;
            Ok(([one, two], <[Vec<Row>; 2]>::from(rows)))
        })?;
        self.prepared.extend([first.0, second.0].into_iter().zip(prepared));
        Ok(rows)
    }

    /// The only row that answers a statement; none where there is none.
    pub(crate) fn query_opt(
        &mut self,
        statement: &'static str,
        values: &Values<'_>,
    ) -> Result<Option<Row>, Trouble> {
        Ok(self.query(statement, values)?.into_iter().next())
    }

    /// The only row that answers a statement that always has one.
    pub(crate) fn query_one(
        &mut self,
        statement: &'static str,
        values: &Values<'_>,
    ) -> Result<Row, Trouble> {
        self.query_opt(statement, values)?.ok_or_else(|| Trouble::Refused {
            code: "02000".to_string(),
            reason: "the database answered with no row".to_string(),
        })
    }

    /// How many rows a statement changed.
    pub(crate) fn execute(
        &mut self,
        statement: &'static str,
        values: &Values<'_>,
    ) -> Result<u64, Trouble> {
        let (client, known) = (Arc::clone(&self.client), self.prepared.get(statement).cloned());
        let (prepared, changed) = self.drive(async move {
            let prepared = prepared(&client, known, statement).await?;
            let changed = client.execute(&prepared, values).await?;
            Ok((prepared, changed))
        })?;
        self.prepared.insert(statement, prepared);
        Ok(changed)
    }

    /// Runs statements that take no values.
    pub(crate) fn batch(&mut self, statements: &str) -> Result<(), Trouble> {
        let client = Arc::clone(&self.client);
        self.drive(async move { client.batch_execute(statements).await })
    }

    /// Does something in one transaction, which is undone where it fails.
    pub(crate) fn transaction<T, E: From<Trouble>>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        self.batch("BEGIN")?;
        let done = work(self);
        let end = if done.is_ok() { "COMMIT" } else { "ROLLBACK" };
        let ended = self.batch(end);
        self.is_broken |= ended.is_err();
        if done.is_ok() {
            ended?;
        }
        done
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // A runtime that waits for its threads may not end within another one.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn prepared(
    client: &Client,
    known: Option<Statement>,
    statement: &str,
) -> Result<Statement, Error> {
    match known {
        Some(known) => Ok(known),
        None => client.prepare(statement).await,
    }
}

/// Whether the server says that it committed without waiting for a standby any longer. It says so
/// in the words of its language; the place in its code is always the same.
fn is_of_this_server_alone(said: &DbError) -> bool {
    said.parsed_severity() == Some(Severity::Warning) && said.routine() == Some("SyncRepWaitForLSN")
}

/// Waits on a runtime, also where the thread belongs to another one already.
fn blocking<T: Send>(runtime: &Runtime, work: impl Future<Output = T> + Send) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Err(_) => runtime.block_on(work),
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(|| runtime.block_on(work)),
        Ok(_) => std::thread::scope(|scope| {
            let waiting = scope.spawn(|| runtime.block_on(work));
            waiting.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        }),
    }
}
