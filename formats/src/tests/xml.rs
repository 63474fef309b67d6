//! XML from anywhere: what a tree holds, and what is refused before it is expanded.

use super::*;
use crate::xml::{parse, root, text};

fn refused(text: &str) -> String {
    let error = parse(text).expect_err("refused");
    format!("{} {}: {}", error.code(), error.place, error.fault)
}

#[test]
fn elements_have_their_text_their_attributes_and_their_place() {
    let text = "<?xml version=\"1.0\"?>\r\n<a b=\"1 &amp; 2\" c='3'>\r\n\t<d>x &lt;<e/> y&#233;</d>\r\n\
                \t<!-- <f> --><d><![CDATA[<g>]]></d>\r\n</a>\r\n";
    let a = parse(text).expect("well-formed");
    assert_eq!(
        (a.name, a.line, a.attribute("b"), a.attribute("c")),
        ("a", 2, Some("1 & 2"), Some("3"))
    );
    let [first, second] = &a.children[..] else { panic!("{a:?}") };
    assert_eq!((first.text.as_str(), first.line, second.line), ("x < yé", 3, 4));
    assert_eq!((a.value("d"), second.text.as_str()), (Some("x < yé"), "<g>"));
    assert_eq!(&text[first.whole.clone()], "<d>x &lt;<e/> y&#233;</d>");
    assert_eq!(&text[first.tag.clone()], "<d>");
    assert_eq!(&text[a.whole.clone()], text.split_once("?>\r\n").expect("two").1.trim());
    assert_eq!(parse("<a>\r<b/>\r</a>").expect("CR alone").children[0].line, 2);
}

#[test]
fn broken_xml_is_refused_with_its_line() {
    assert_eq!(refused("<a>\n<b>\n"), "truncated-xml line 2: <b> is not closed");
    assert!(
        refused("<a>\n<b>\n</a>").starts_with("bad-xml line 3: "),
        "{}",
        refused("<a>\n<b>\n</a>")
    );
    assert!(
        refused("<a>\n<b c='").starts_with("truncated-xml line 2"),
        "{}",
        refused("<a>\n<b c='")
    );
    assert!(refused("<a b='1' b='2'/>").starts_with("bad-xml line 1"));
    assert!(refused("<a/>\n<b/>").starts_with("bad-xml line 2: a second root"));
    assert!(refused("<a/>b").contains("outside"));
    assert!(refused("").starts_with("truncated-xml"));
    assert!(refused("<a>&b</a>").starts_with("bad-xml line 1"));
}

#[test]
fn nothing_that_a_file_declares_is_expanded() {
    let bomb = "<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;\">]>\n<a>&c;</a>";
    assert!(refused(bomb).starts_with("bad-xml line 1: a document type"), "{}", refused(bomb));
    let external = "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>";
    assert!(refused(external).contains("a document type"));
    assert!(refused("<a>\n&c;</a>").starts_with("bad-xml line 2: the entity &c;"));
    assert!(refused("<a b='&c;'/>").starts_with("bad-xml line 1"));
    let deep = "<a>".repeat(limits::XML_DEPTH + 1);
    assert!(refused(&deep).starts_with("too-deep line 1"));
    let wide = format!("<a>{}</a>", "<b/>".repeat(limits::XML_ELEMENTS + 1));
    assert!(refused(&wide).starts_with("too-many line 1"));
    let many = (0..limits::XML_ATTRIBUTES + 1).map(|at| format!(" b{at}=''"));
    assert!(refused(&format!("<a{}/>", many.collect::<String>())).starts_with("too-many line 1"));
}

#[test]
fn a_text_is_found_in_each_encoding_that_says_what_it_is() {
    let found = |bytes: &[u8]| text(&File::new("a.xml", bytes)).map(|text| text.into_owned());
    let utf_8 = "<a>é</a>";
    assert_eq!(found(utf_8.as_bytes()).as_deref(), Some(utf_8));
    let wide = |mark: [u8; 2], of: fn(u16) -> [u8; 2]| -> Vec<u8> {
        mark.into_iter().chain(utf_8.encode_utf16().flat_map(of)).collect()
    };
    assert_eq!(found(&wide([0xff, 0xfe], u16::to_le_bytes)).as_deref(), Some(utf_8));
    assert_eq!(found(&wide([0xfe, 0xff], u16::to_be_bytes)).as_deref(), Some(utf_8));
    let bytes = b"<?xml version=\"1.0\" encoding='ISO-8859-1'?><a>\xe9</a>";
    assert!(found(bytes).is_some_and(|text| text.ends_with(utf_8)));
    // What it says may be wrong, which is told.
    let wrong = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>\xe9</a>";
    assert!(found(wrong).is_some_and(|text| text.ends_with(utf_8)));
    let is_told = |bytes: &[u8]| crate::xml::told(&File::new("a.xml", bytes)).is_some();
    assert_eq!([is_told(wrong), is_told(bytes), is_told(utf_8.as_bytes())], [true, false, false]);
    assert_eq!(found(b"a,b\n\xe9,c\n"), None, "what does not begin as XML is none");
    let name = |text: &str| root(text).map(|root| root.name.to_owned());
    assert_eq!(name("\n<!-- b --><a c='d'>").as_deref(), Some("a"));
    assert_eq!((name("a,b\n"), name("{}"), name("")), (None, None, None));
}
