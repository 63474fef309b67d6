//! A page of the server as a file: what needs a server is taken out, and links lead from file to file.

use crate::language::Language;
use std::fmt::Write;

/// The questions of a query that make pages of their own: the further rows of a list, and the standings of a
/// division.
const FURTHER: [&str; 4] = ["before", "from", "after", "division"];

/// A page, and what it refers to.
pub struct Links<'a> {
    html: String,
    base: &'a str,
}

/// Returns the file of a page, by its path below the tournament's: `standings/3` is `standings-3.html`.
pub fn file_of(path: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    format!("{}.html", path.chars().map(plain).collect::<String>())
}

/// Takes everything from each `open` to the `close` behind it out of a text.
fn without(text: &str, open: &str, close: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, behind)) = rest.split_once(open) {
        out.push_str(before);
        rest = behind.split_once(close).map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    out
}

impl<'a> Links<'a> {
    /// A page below the path of its tournament.
    pub fn of(html: &str, base: &'a str) -> Links<'a> {
        let mut html = html.to_string();
        // Scripts keep a page live, and forms ask a server.
        let server = [
            ("<script", "</script>"),
            ("<form", "</form>"),
            ("<noscript", "</noscript>"),
            // Players have their pages there.
            ("<a data-mine", "</a>"),
            // So has the calendar, whose links lead there.
            ("<a data-calendar", "</a>"),
            // The keys of the tabs are a script's.
            (" <kbd", "</kbd>"),
            // What others check it by stands in the folder itself.
            ("<a data-audit", "</a>"),
        ];
        for (open, close) in server {
            html = without(&html, open, close);
        }
        // What a script says of its line to the server, up to the end of the tag.
        html = html.split(" data-live").enumerate().fold(String::new(), |all, (at, part)| {
            let behind = part.find('>').filter(|_| at > 0).unwrap_or(0);
            // A file is read on another day than it was written on.
            let day =
                part[..behind].split_once(" data-on=\"").and_then(|(_, rest)| rest.split_once('"'));
            match day {
                Some((day, _)) => {
                    all + &part[behind..].replacen("</span>", &format!(", {day}</span>"), 1)
                }
                None => all + &part[behind..],
            }
        });
        let footer = "<footer class=\"languages no-print\">";
        if let Some((before, behind)) = html.split_once(footer) {
            html = format!("{before}{footer}{}", without(behind, "<nav", "</nav>"));
        }
        Links { html: html.replace(&format!(" data-base=\"{base}\""), ""), base }
    }

    /// What the page's links lead to, as it is written there.
    fn targets(&self) -> impl Iterator<Item = &str> {
        self.html.split(" href=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0))
    }

    /// The page below the tournament's path that a link leads to, without its language, and what stands
    /// behind a `#` in it.
    fn page(&self, target: &str) -> Option<(String, String)> {
        let target = target.replace("&#38;", "&").replace("&amp;", "&");
        let (target, part) = match target.split_once('#') {
            Some((target, part)) => (target.to_string(), format!("#{part}")),
            None => (target, String::new()),
        };
        let path = target.strip_prefix(self.base)?.strip_prefix('/')?;
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let asked: Vec<&str> =
            query.split('&').filter(|one| !one.is_empty() && !one.starts_with("lang=")).collect();
        let is_further = |one: &&str| {
            one.split_once('=').is_some_and(|(key, value)| {
                let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'%';
                FURTHER.contains(&key) && value.bytes().all(is_plain)
            })
        };
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-".contains(&byte);
        if !path.bytes().all(is_plain) || !asked.iter().all(is_further) {
            return None;
        }
        let query = if asked.is_empty() { String::new() } else { format!("?{}", asked.join("&")) };
        Some((format!("{path}{query}"), part))
    }

    /// The pages that its links lead to.
    pub fn pages(&self) -> Vec<String> {
        self.targets().filter_map(|target| Some(self.page(target)?.0)).collect()
    }

    /// Its style sheets.
    pub fn styles(&self) -> Vec<String> {
        self.targets().filter(|target| target.starts_with("/s/")).map(str::to_string).collect()
    }

    /// The page with links to these files; a link to anything else becomes plain words.
    pub fn between_files(&self, known: &[String]) -> String {
        let mut out = String::with_capacity(self.html.len());
        let mut parts = self.html.split(" href=\"");
        out.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let (target, rest) = part.split_once('"').unwrap_or((part, ""));
            let to = match self.page(target) {
                Some((page, place)) => {
                    let file = file_of(&page);
                    known.contains(&file).then(|| format!("{file}{place}"))
                }
                None if target.starts_with('#') || target.starts_with("data:") => {
                    Some(target.into())
                }
                None => target.strip_prefix("/s/").map(str::to_string),
            };
            if let Some(to) = to {
                // A text takes whatever is written into it.
                let _ = write!(out, " href=\"{to}\"");
            }
            out.push_str(rest);
        }
        let tag = self.html.split_once("<html lang=\"").and_then(|(_, rest)| rest.split_once('"'));
        let language = tag.and_then(|(tag, _)| Language::of_tag(tag)).unwrap_or(Language::English);
        let ways = [("tournament.bundle", "file-records"), ("checkpoint.txt", "file-checkpoint")];
        for (file, words) in ways.iter().filter(|(file, _)| known.iter().any(|one| one == file)) {
            let Some((before, _)) = out.split_once("</p></footer>") else { break };
            // The first one in its line has nothing to be parted from.
            let dot = if before.trim_end().ends_with("</a>") { " · " } else { "" };
            let link = format!("{dot}<a href=\"{file}\">{}</a></p></footer>", language.t(words));
            out = out.replacen("</p></footer>", &link, 1);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_becomes_a_file_that_needs_no_server() {
        let page = "<body data-base=\"/t/7b9adae3\"><link href=\"/s/a-1f.css\"><script src=\"/s/b.js\"></script>\
            <a href=\"/t/7b9adae3/standings/3?lang=de\">3 <kbd>S</kbd></a><a href=\"/t/7b9adae3/log?before=57&#38;lang=de\">older</a>\
            <a href=\"/t/7b9adae3/log?search=x\">x</a><a href=\"/t/7b9adae3/round/2#t4\">4</a><a href=\"/\">all</a>\
            <a href=\"#main\">skip</a><span class=\"net\" data-live data-on=\"2026-11-27\" data-words=\"a|b\" title=\"c\">saved</span>\
            <form action=\"/t/7b9adae3/log\"><input></form><a data-audit href=\"/t/7b9adae3/audit\">check</a><footer class=\"languages no-print\"><p><a href=\"/t/7b9adae3/page\">all</a></p>\
            <nav aria-label=\"Languages\"><a href=\"/x\">de</a></nav></footer>";
        let links = Links::of(page, "/t/7b9adae3");
        assert_eq!(links.pages(), ["standings/3", "log?before=57", "round/2", "page"]);
        assert_eq!(links.styles(), ["/s/a-1f.css"]);
        let known = ["standings-3.html", "round-2.html", "page.html", "tournament.bundle"]
            .map(String::from);
        assert_eq!(
            links.between_files(&known),
            "<body><link href=\"a-1f.css\"><a href=\"standings-3.html\">3</a><a>older</a>\
            <a>x</a><a href=\"round-2.html#t4\">4</a><a>all</a><a href=\"#main\">skip</a><span class=\"net\">saved, 2026-11-27</span>\
            <footer class=\"languages no-print\"><p><a href=\"page.html\">all</a> · <a href=\"tournament.bundle\">All records</a></p></footer>"
        );
    }

    #[test]
    fn a_path_leads_out_of_no_folder() {
        let links = Links::of("<a href=\"/t/a/../../etc/passwd\"><a href=\"/t/a/%2e%2e\">", "/t/a");
        assert!(links.pages().is_empty());
        assert_eq!(file_of("log?before=57"), "log-before-57.html");
        assert_eq!(file_of("../x"), "---x.html");
    }
}
