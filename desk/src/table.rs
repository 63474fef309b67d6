//! Aligned tables.

use crate::answers::HowFar;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// How a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A table without lines: a head, rows, and columns that stand under each other.
pub struct Aligned {
    table: Table,
    aligns: Vec<Align>,
}

impl Aligned {
    /// A table with this head.
    pub fn new<'a>(head: impl IntoIterator<Item = (&'a str, Align)>) -> Aligned {
        let (words, aligns): (Vec<_>, Vec<_>) = head.into_iter().unzip();
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(words);
        Aligned { table, aligns }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.table.add_row(cells.into_iter().collect::<Vec<_>>());
    }

    /// The text, indented, without blanks at the end of lines.
    pub fn text(mut self) -> String {
        for (column, align) in self.table.column_iter_mut().zip(&self.aligns) {
            column.set_padding((1, 1));
            column.set_cell_alignment(match align {
                Align::Left => CellAlignment::Left,
                Align::Right => CellAlignment::Right,
            });
        }
        let lines = self.table.to_string();
        let mut text = String::new();
        for line in lines.lines() {
            text.push_str(format!(" {line}").trim_end());
            text.push('\n');
        }
        text
    }
}

/// Players, round and state as cells of a table.
pub fn cells(how_far: &HowFar) -> [String; 3] {
    let number = |number: Option<u32>| match number {
        None | Some(0) => "-".into(),
        Some(number) => number.to_string(),
    };
    [number(how_far.players), number(how_far.round.map(u32::from)), how_far.state.clone()]
}
