//! Folders of a cluster, and the configurations of `deploy/` with the values of each machine.

use super::process::{give_to_postgres, is_root, mount};
use super::{Cluster, MACHINES, Machine, SUPERUSER};
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

impl Cluster {
    /// Folders and configurations.
    pub(super) fn lay_out(&mut self, apart: bool) -> io::Result<()> {
        for machine in MACHINES {
            fs::create_dir_all(self.data(machine).with_file_name(""))?;
            fs::create_dir_all(self.etcd_folder(machine))?;
            if apart && is_root() {
                let file = self.folder.join(format!("disk{}", machine + 1));
                self.has_disks = mount(&file, &self.node(machine).join("disk"));
            }
            let patroni = self.fill(machine, include_str!("../../../deploy/patroni.yml"))?;
            fs::write(self.node(machine).join("patroni.yml"), patroni)?;
            let etcd = self.fill(machine, include_str!("../../../deploy/etcd.yml"))?;
            fs::write(self.etcd_folder(machine).join("etcd.yml"), etcd)?;
        }
        fs::create_dir_all(self.folder.join("proxy"))?;
        if self.archives {
            fs::create_dir_all(self.archive())?;
            let script = self.folder.join("machine");
            fs::write(&script, include_str!("machine.sh"))?;
            fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
            for machine in MACHINES {
                fs::write(self.node(machine).join("env"), self.values(machine))?;
            }
        }
        fs::copy(Path::new(env!("OUT_DIR")).join("clock.so"), self.folder.join("clock.so"))?;
        give_to_postgres(&self.folder)
    }

    /// A template of `deploy/` with the values of a machine.
    pub(super) fn fill(&self, machine: usize, template: &str) -> io::Result<String> {
        let it = &self.machines[machine];
        let etcds = |scheme: &str, port: fn(&Machine) -> u16| {
            let all = self.machines.iter().map(|other| {
                let named = if scheme.is_empty() { "" } else { &other.name };
                let sign = if scheme.is_empty() { "" } else { "=" };
                format!("{named}{sign}{scheme}{}:{}", other.address, port(other))
            });
            all.collect::<Vec<_>>().join(",")
        };
        let node = self.node(machine);
        let mut filled = template.to_string();
        let mut put = |name: &str, value: &str| {
            filled = filled.replace(&format!("${{{name}}}"), value);
        };
        put("NAME", &it.name);
        put("ADDRESS", &it.address);
        put("NETWORK", if self.network.is_some() { "10.0.0.0/8" } else { "127.0.0.1/32" });
        put("ETCD_DATA", &self.etcd_folder(machine).join("data").to_string_lossy());
        put("ETCD_PORT", &it.etcd.to_string());
        put("ETCD_PEER_PORT", &it.peer.to_string());
        put("ETCD_CLUSTER", &etcds("http://", |machine| machine.peer));
        put("ETCD_HOSTS", &etcds("", |machine| machine.etcd));
        put("REST_PORT", &it.rest.to_string());
        put("PG_PORT", &it.postgres.to_string());
        put("PG_DATA", &self.data(machine).to_string_lossy());
        put("PG_BIN", &self.programs.to_string_lossy());
        put("RUN", &node.to_string_lossy());
        put("SHARED_BUFFERS", "128MB");
        put("ARCHIVE_COMMAND", &self.archive_command());
        for name in ["SUPERUSER_PASSWORD", "REPLICATION_PASSWORD", "REWIND_PASSWORD"] {
            put(name, SUPERUSER);
        }
        for other in &self.machines {
            let name = other.name.to_uppercase();
            put(&name, &other.address);
            put(&format!("{name}_PG_PORT"), &other.postgres.to_string());
            put(&format!("{name}_REST_PORT"), &other.rest.to_string());
        }
        Ok(filled)
    }

    /// The command of `deploy/cluster.env`, with the archive of this cluster. A trial keeps none: its folder would
    /// only grow.
    fn archive_command(&self) -> String {
        let mut set = include_str!("../../../deploy/cluster.env").lines();
        let command = set.find_map(|line| line.strip_prefix("ARCHIVE_COMMAND="));
        match command.filter(|_| self.archives) {
            None => "true".to_string(),
            Some(command) => {
                command.trim_matches('"').replace("$WAL", &self.archive().to_string_lossy())
            }
        }
    }

    /// The values of a machine under the names of `deploy/cluster.env`, for the shell of whoever practises.
    fn values(&self, machine: usize) -> String {
        let (it, node) = (&self.machines[machine], self.node(machine));
        let (data, wal, bin) = (self.data(machine), self.archive(), &self.programs);
        format!(
            "export NAME={} ADDRESS={} REST_PORT={} ETCD_PORT={} PG_PORT={}\n\
             export PG_DATA={} PG_BIN={} WAL={}\n\
             export SUPERUSER_PASSWORD={SUPERUSER} REPLICATION_PASSWORD={SUPERUSER} PGPASSWORD={SUPERUSER}\n\
             export PATRONICTL_CONFIG_FILE={}\n\
             export PATH=$PATH:$PG_BIN HOME={}\n",
            it.name,
            it.address,
            it.rest,
            it.etcd,
            it.postgres,
            data.display(),
            bin.display(),
            wal.display(),
            node.join("patroni.yml").display(),
            node.display(),
        )
    }

    /// Where WAL is archived.
    pub(super) fn archive(&self) -> PathBuf {
        self.folder.join("archive")
    }

    pub(super) fn node(&self, machine: usize) -> PathBuf {
        self.folder.join(&self.machines[machine].name)
    }

    pub(super) fn etcd_folder(&self, machine: usize) -> PathBuf {
        self.folder.join(format!("e{}", machine + 1))
    }

    pub(super) fn data(&self, machine: usize) -> PathBuf {
        self.node(machine).join("disk/data")
    }
}
