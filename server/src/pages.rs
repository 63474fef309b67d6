//! The pages: each a function of the store and of who looks, made from a template.
//!
//! Every page is whole without scripts: what is done on it is a form that posts an order.

pub mod tournaments;

use scrutineer_desk::asker::Asker;
use scrutineer_desk::orders::AtDesk;
use scrutineer_desk::store::Store;
use scrutineer_desk::verb_error::VerbError;
use scrutineer_engine::record::StreamId;

/// A tournament, and who looks at it.
pub struct Looked<'a> {
    /// The store.
    pub store: &'a Store,
    /// The tournament.
    pub stream: StreamId,
    /// Who looks.
    pub asker: &'a Asker,
    /// The path of the tournament's pages, such as `/t/7b9adae3`.
    pub base: &'a str,
    /// A new key for the forms of the page: what is posted twice under it is done once.
    pub form_key: String,
}

impl Looked<'_> {
    /// Asks at the desk of the tournament, and gives what there is to be known beside the answer.
    pub fn at_desk<T>(
        &self,
        ask: impl FnOnce(&AtDesk<'_>) -> Result<T, VerbError>,
    ) -> (Result<T, VerbError>, Vec<String>) {
        let asked = scrutineer_desk::desk::Asked::default();
        scrutineer_desk::orders::at_stream(self.asker, self.store, self.stream, asked, ask)
    }
}

/// A page from its template.
///
/// # Errors
/// Where a template cannot be filled, which is a fault of the program.
pub fn render(template: &impl askama::Template) -> Result<String, VerbError> {
    template.render().map_err(|error| {
        let code = scrutineer_engine::error::Code::internal("page-not-made");
        VerbError::new(code, format!("the page cannot be made: {error}"), "tell its developers")
    })
}
