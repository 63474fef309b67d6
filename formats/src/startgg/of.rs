//! Of which phase and group sets are, where they say it themselves, and where it stands around or beside them.

use crate::ImportError;
use crate::json::Node;
use scrutineer_engine::event::PhaseKind;

/// Of which phase and group something is, as far as it is said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Of<'a> {
    /// The id of the phase.
    pub phase: Option<&'a str>,
    /// What the phase is called.
    pub name: Option<&'a str>,
    /// The place of the phase among the others.
    pub order: Option<i64>,
    /// How it is played.
    pub kind: Option<PhaseKind>,
    /// The id of the group.
    pub group: Option<&'a str>,
    /// What the group is called, such as `A1`.
    pub called: Option<&'a str>,
}

impl<'a> Of<'a> {
    /// What an object says that is a phase.
    pub fn phase(node: &Node<'a>) -> Result<Of<'a>, ImportError> {
        Ok(Of {
            phase: node.word_at("id")?,
            name: node.word_at("name")?,
            order: node.whole_at("phaseOrder")?,
            kind: kind(node)?,
            ..Of::default()
        })
    }

    /// What an object says that is a group, and of its phase.
    pub fn group(node: &Node<'a>) -> Result<Of<'a>, ImportError> {
        let own = Of {
            group: node.word_at("id")?,
            called: node.word_at("displayIdentifier")?,
            kind: kind(node)?,
            ..Of::default()
        };
        match node.get("phase") {
            Some(phase) => Ok(Of::phase(&phase)?.or(own)),
            None => Ok(own),
        }
    }

    /// The same with what another place says of it; nothing of another phase or group.
    pub fn or(self, other: Of<'a>) -> Of<'a> {
        let differ = |own: Option<&str>, other: Option<&str>| {
            own.zip(other).is_some_and(|(own, other)| own != other)
        };
        if differ(self.phase, other.phase) || differ(self.group, other.group) {
            return self;
        }
        Of {
            phase: self.phase.or(other.phase),
            name: self.name.or(other.name),
            order: self.order.or(other.order),
            kind: self.kind.or(other.kind),
            group: self.group.or(other.group),
            called: self.called.or(other.called),
        }
    }

    /// The same of the phase alone.
    pub fn of_phase(self) -> Of<'a> {
        Of { group: None, called: None, ..self }
    }

    /// By what sets of one phase are known, or of one group where nothing says its phase. Ids are numbers: as texts
    /// 1000000 would stand before 999999.
    pub fn key(&self) -> (u64, String) {
        let number = |id: &str| id.parse().unwrap_or(u64::MAX);
        match (self.phase, self.group) {
            (Some(phase), _) => (number(phase), phase.to_owned()),
            (None, Some(group)) => (number(group), format!("group {group}")),
            (None, None) => {
                let (name, called) = (self.name.unwrap_or(""), self.called.unwrap_or(""));
                (u64::MAX, format!("{name}: {called}"))
            }
        }
    }
}

/// How an object says that it is played.
fn kind(node: &Node<'_>) -> Result<Option<PhaseKind>, ImportError> {
    Ok(match node.text_at("bracketType")? {
        Some("SWISS") => Some(PhaseKind::Swiss),
        Some("ROUND_ROBIN") => Some(PhaseKind::RoundRobin),
        Some("SINGLE_ELIMINATION") => Some(PhaseKind::Elimination),
        Some("DOUBLE_ELIMINATION") => Some(PhaseKind::DoubleElimination),
        _ => None,
    })
}
