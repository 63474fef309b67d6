//! Owners' sessions of a laptop that followed: they go on when it is the desk.

use super::{Grant, House, Kind, text_of};
use crate::gate::Role;
use scrutineer_desk::verb_error::VerbError;

impl House {
    /// Returns the sessions of owners, each under what is kept of its secret.
    pub fn owners(&self) -> Vec<(String, Grant)> {
        let mut known = self.known();
        let owners = known.of(Kind::Session).iter().filter(|(_, grant)| grant.role == Role::Owner);
        owners.map(|(key, grant)| (key.clone(), grant.clone())).collect()
    }

    /// Takes in sessions as [`House::owners`] gives them.
    ///
    /// # Errors
    /// Where they cannot be kept.
    pub fn take_in(&self, owners: Vec<(String, Grant)>) -> Result<(), VerbError> {
        for (key, grant) in owners {
            let text = text_of(&grant)?;
            self.deciding(|| self.keep(None, &[(Kind::Session.table(), &key, text.clone())]))?;
        }
        Ok(())
    }
}
