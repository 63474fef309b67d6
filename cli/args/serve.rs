//! The words of `serve`.

use clap::Args as ClapArgs;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Serve the desk to browsers and programs, in the room and on this machine.
#[derive(ClapArgs, Debug)]
pub struct Serve {
    /// Where to listen; `127.0.0.1:7780` serves this machine alone
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:7780")]
    pub listen: SocketAddr,
    /// An invented tournament that plays itself, on this machine alone; nothing is stored
    #[arg(long)]
    pub demo: bool,
    /// Open the desk in the browser of this machine, also where its server runs already
    #[arg(long)]
    pub open: bool,
    /// Ask whether the server of this store runs, as health checks do: exit code 0 yes, 1 no
    #[arg(long, conflicts_with_all = ["demo", "open"])]
    pub is_up: bool,
    /// A name by which browsers reach this machine, such as that of a proxy in front of it
    #[arg(long = "host-name", value_name = "NAME")]
    pub names: Vec<String>,
    /// Follow the desk on another laptop, to go on in its place: what its `--second-code` shows, or its
    /// address alone where it was followed before
    #[arg(long, value_name = "ADDRESS/CODE", conflicts_with_all = ["demo", "take_over"])]
    pub second: Option<String>,
    /// Show what is typed on a second laptop that shall follow this desk, which runs already
    #[arg(long, conflicts_with_all = ["demo", "second", "take_over"])]
    pub second_code: bool,
    /// Make this laptop, which follows another one, the desk
    #[arg(long, conflicts_with = "demo")]
    pub take_over: bool,
    /// With --take-over: also where the desk is heard still; it stops then
    #[arg(long, requires = "take_over")]
    pub even_if_heard: bool,
    /// Speak https at this address too, such as `0.0.0.0:7443`, with a certificate that phones trust
    #[arg(
        long,
        value_name = "ADDRESS",
        requires = "https_cert",
        requires = "https_key",
        conflicts_with = "demo"
    )]
    pub https: Option<SocketAddr>,
    /// The certificate for it, with those that lead to a known authority: a PEM file, which is read again
    /// when it is renewed
    #[arg(long, value_name = "FILE", requires = "https")]
    pub https_cert: Option<PathBuf>,
    /// The certificate's key: a PEM file without a password
    #[arg(long, value_name = "FILE", requires = "https")]
    pub https_key: Option<PathBuf>,
    /// Do not take the name `scrutineer.local` in this network
    #[arg(long)]
    pub no_mdns: bool,
    /// Owners and head judges may work over plain http from other machines too: whoever listens in
    /// the room can do what they can
    #[arg(long)]
    pub allow_plain_staff: bool,
    /// Follow the files of tournaments that another program keeps in this folder, such as TOM: each version
    /// brings its tournament up to date, and results that are recorded here go into copies beside them
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["demo", "second"])]
    pub beside: Option<PathBuf>,
    /// Let this program pair Swiss rounds, such as `bbpPairings.exe`, `py4swiss`, or with its arguments:
    /// `'pairer {input} {output}'`
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["demo", "second"])]
    pub engine: Option<String>,
    /// How long that program may take; otherwise 50, so that whoever asked hears of it
    #[arg(long, value_name = "SECONDS", requires = "engine")]
    pub engine_seconds: Option<u32>,
    /// Push what is public of this store's tournaments to a public server, which has to know the token
    #[arg(long, value_name = "ADDRESS", requires = "push_token", conflicts_with = "demo")]
    pub push: Option<String>,
    /// A file with the token, which the owner of the public server made for a venue
    #[arg(long, value_name = "FILE")]
    pub push_token: Option<PathBuf>,
    /// An address of this machine or of its own network to which webhooks may deliver, such as
    /// `192.168.1.20:8090`; otherwise only public ones are taken
    #[arg(long, value_name = "ADDRESS")]
    pub webhooks_to: Vec<String>,
    /// Certificates of authorities that are trusted beside the system's, where webhooks, notices to phones or a
    /// public server speak https: a PEM file
    #[arg(long, value_name = "FILE")]
    pub authorities: Option<PathBuf>,
    /// Where those who run the server ask how it is, such as `127.0.0.1:7781`: `/healthz`,
    /// `/readyz`, `/metrics`; an address of this machine
    #[arg(long, value_name = "ADDRESS")]
    pub admin: Option<SocketAddr>,
    /// Where a load balancer on another machine asks `/readyz` and `/healthz`, such as `0.0.0.0:7782`: nothing
    /// else is answered there, and no reason is given
    #[arg(long, value_name = "ADDRESS")]
    pub health: Option<SocketAddr>,
    /// Write a line of JSON to standard error for each request, without names, texts, links or keys
    #[arg(long)]
    pub log: bool,
}
