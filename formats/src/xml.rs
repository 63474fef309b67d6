//! XML as files of tournament programs have it: a tree of elements, each with its place in the text.
//!
//! There is no document type and no entity but XML's own five: a file that declares some is refused before
//! anything of it is expanded.

use super::{Fault, File, ImportError, letters, limits};
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::borrow::Cow;
use std::ops::Range;

/// An element.
#[derive(Debug, Default)]
pub(crate) struct Element<'a> {
    pub name: &'a str,
    /// The line in which it begins, from 1.
    pub line: usize,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element<'a>>,
    /// Its own text without what its children hold, trimmed.
    pub text: String,
    /// Where its first tag stands in the text.
    pub tag: Range<usize>,
    /// Where all of it stands.
    pub whole: Range<usize>,
}

impl<'a> Element<'a> {
    /// The place of its first tag, for messages.
    pub fn place(&self) -> String {
        format!("line {}", self.line)
    }

    /// An attribute's value, where it has one.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let own = self.attributes.iter().find(|(own, _)| own == name);
        own.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// The first child of this name.
    pub fn child(&self, name: &str) -> Option<&Element<'a>> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All children of this name.
    pub fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Element<'a>> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The children of this name of its first child of that name, as lists are written.
    pub fn list<'s>(
        &'s self,
        name: &'s str,
        item: &'s str,
    ) -> impl Iterator<Item = &'s Element<'a>> {
        self.child(name).into_iter().flat_map(move |list| list.all(item))
    }

    /// The text of its first child of this name, where there is any.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.as_str()).filter(|text| !text.is_empty())
    }
}

/// The text of a file that may be XML: UTF-8, UTF-16 with its mark, or of eight bits, whether the declaration says
/// so or a program only wrote so.
pub(crate) fn text<'a>(file: &File<'a>) -> Option<Cow<'a, str>> {
    if let Some(text) = file.text {
        return Some(Cow::Borrowed(text));
    }
    if let Some(text) = letters::of_16_bits(file.bytes) {
        return Some(Cow::Owned(text));
    }
    is_of_8_bits(file.bytes).then(|| Cow::Owned(letters::of_8_bits(file.bytes)))
}

/// Whether bytes that are no UTF-8 begin as XML does.
fn is_of_8_bits(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"<")
}

/// What is to be told of a text whose letters are not those that it declares.
pub(crate) fn told(file: &File<'_>) -> Option<&'static str> {
    if file.text.is_some() || letters::of_16_bits(file.bytes).is_some() || !is_of_8_bits(file.bytes)
    {
        return None;
    }
    let head = &file.bytes[..file.bytes.len().min(200)];
    let head = String::from_utf8_lossy(head).to_ascii_lowercase().replace('\'', "\"");
    let declared = head.split_once("<?xml").and_then(|(_, rest)| rest.split_once("?>"));
    let of_8_bits = ["iso-8859-1\"", "iso-8859-15\"", "windows-1252\"", "latin1\"", "us-ascii\""];
    let is_said =
        declared.is_some_and(|(declared, _)| of_8_bits.iter().any(|name| declared.contains(name)));
    (!is_said).then_some("The file is no UTF-8: its letters are read as Windows-1252.")
}

/// Reads a file by its root element.
///
/// # Errors
/// Where it is no XML, or the reader refuses it.
pub(crate) fn read<T>(
    file: &File<'_>,
    reader: impl FnOnce(&Element<'_>) -> Result<T, ImportError>,
) -> Result<T, ImportError> {
    match text(file) {
        Some(text) => reader(&parse(&text)?),
        None => Err(file.text().err().unwrap_or_else(|| Fault::Empty.into())),
    }
}

/// The root element's first tag, as far as it can be read.
pub(crate) fn root(text: &str) -> Option<Element<'_>> {
    // A file of another kind may be long, and what stands before a root element is short.
    let mut reader = Reader::from_str(text);
    for _ in 0..limits::XML_BEFORE_ROOT {
        let from = reader.buffer_position() as usize;
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) => return element(text, from, &tag, 1).ok(),
            Ok(Event::Text(blank)) if blank.trim().is_empty() => {}
            Ok(Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::DocType(_)) => {}
            _ => return None,
        }
    }
    None
}

/// Reads a text strictly; gives its root element.
pub(crate) fn parse(text: &str) -> Result<Element<'_>, ImportError> {
    let mut reader = Reader::from_str(text);
    let (mut open, mut root): (Vec<Element<'_>>, Option<Element<'_>>) = (Vec::new(), None);
    let (mut line, mut counted, mut elements) = (1, 0, 0);
    loop {
        let from = reader.buffer_position() as usize;
        line += lines(&text[counted..from]);
        counted = from;
        let place = |fault: Fault| fault.at(format!("line {line}"));
        let event = reader.read_event().map_err(|error| {
            let at = (reader.error_position() as usize).clamp(from, text.len());
            let at = line + lines(text.get(from..at).unwrap_or_default());
            broken(&error).at(format!("line {at}"))
        })?;
        let to = reader.buffer_position() as usize;
        let is_empty = matches!(event, Event::Empty(_));
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                elements += 1;
                if elements > limits::XML_ELEMENTS {
                    let limit = limits::XML_ELEMENTS;
                    return Err(place(Fault::TooMany { what: "elements", limit }));
                }
                if open.len() >= limits::XML_DEPTH {
                    return Err(place(Fault::TooDeep));
                }
                if open.is_empty() && root.is_some() {
                    return Err(place(wrong("a second root element")));
                }
                let mut element = element(text, from, &tag, line)?;
                (element.tag, element.whole) = (from..to, from..to);
                match is_empty {
                    true => close(element, &mut open, &mut root),
                    false => open.push(element),
                }
            }
            Event::End(_) => {
                // The reader has seen to it that it is that of the last one.
                if let Some(mut element) = open.pop() {
                    element.whole.end = to;
                    element.text = element.text.trim().to_owned();
                    close(element, &mut open, &mut root);
                }
            }
            Event::Text(words) => {
                let words = words.xml10_content();
                match open.last_mut() {
                    Some(element) if !words.trim().is_empty() || !element.text.is_empty() => {
                        element.text.push_str(&words);
                    }
                    None if !words.trim().is_empty() => {
                        return Err(place(wrong("text outside of the root element")));
                    }
                    _ => {}
                }
            }
            Event::CData(words) => match open.last_mut() {
                Some(element) => element.text.push_str(&words.xml10_content()),
                None => return Err(place(wrong("text outside of the root element"))),
            },
            Event::GeneralRef(reference) => match (open.last_mut(), character(&reference)) {
                (Some(element), Some(character)) => element.text.push(character),
                _ => {
                    let name = super::error::shortened(&reference.xml10_content());
                    return Err(place(wrong(&format!("the entity &{name};, which is not XML's"))));
                }
            },
            Event::DocType(_) => {
                return Err(place(wrong("a document type, which no such file has")));
            }
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
            Event::Eof => break,
        }
    }
    match (root, open.last()) {
        (Some(root), None) => Ok(root),
        (_, Some(element)) => {
            let message = format!("<{}> is not closed", element.name);
            Err(Fault::Xml { message, truncated: true }.at(element.place()))
        }
        (None, None) => {
            Err(Fault::Xml { message: "there is no element".into(), truncated: true }.into())
        }
    }
}

/// An element from its first tag, which stands at `from`.
fn element<'a>(
    text: &'a str,
    from: usize,
    tag: &BytesStart<'_>,
    line: usize,
) -> Result<Element<'a>, ImportError> {
    let place = |fault: Fault| fault.at(format!("line {line}"));
    let length = tag.name().as_ref().len();
    let name = text.get(from + 1..from + 1 + length).unwrap_or_default();
    let mut attributes = Vec::new();
    for attribute in tag.attributes() {
        if attributes.len() >= limits::XML_ATTRIBUTES {
            let limit = limits::XML_ATTRIBUTES;
            return Err(place(Fault::TooMany { what: "attributes", limit }));
        }
        let attribute = attribute.map_err(|error| place(wrong(&error.to_string())))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| place(wrong(&error.to_string())))?;
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Ok(Element { name, line, attributes, ..Element::default() })
}

fn close<'a>(element: Element<'a>, open: &mut [Element<'a>], root: &mut Option<Element<'a>>) {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None => *root = Some(element),
    }
}

/// What a reference stands for: a number, or one of XML's five names.
pub(crate) fn character(reference: &BytesRef<'_>) -> Option<char> {
    if reference.is_char_ref() {
        return reference.resolve_char_ref().ok().flatten();
    }
    match &*reference.xml10_content() {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    }
}

/// How many lines end in a text: with LF, CR LF or CR.
fn lines(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..bytes.len()).filter(ends).count()
}

fn wrong(message: &str) -> Fault {
    Fault::Xml { message: message.to_owned(), truncated: false }
}

fn broken(error: &Error) -> Fault {
    let truncated = match error {
        Error::IllFormed(IllFormedError::MissingEndTag(_)) => true,
        Error::Syntax(syntax) => !matches!(syntax, SyntaxError::InvalidBangMarkup),
        _ => false,
    };
    Fault::Xml { message: super::error::shortened(&error.to_string()), truncated }
}
