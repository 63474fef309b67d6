//! The clients for Python and JavaScript: they are made from the description of the server, and their
//! examples run against one.

use crate::cli::desk::Desk;
use crate::page::{is_there, root};
use crate::serve::client::{Server, friday, rehearsed};
use scrutineer_server::openapi::document;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::{Command, Output};

const PYTHON: &str = "clients/python/scrutineer.py";
const JAVASCRIPT: &str = "clients/javascript/scrutineer.mjs";

/// How a language spells what a description says.
#[derive(Clone, Copy, PartialEq)]
enum In {
    Python,
    JavaScript,
}
use In::{JavaScript, Python};

/// `get-log`, `getLog` or `as-of` in pieces of small letters.
fn pieces(name: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for c in name.chars() {
        if !c.is_alphanumeric() {
            pieces.push(String::new());
            continue;
        }
        if c.is_uppercase() {
            pieces.push(String::new());
        }
        pieces.last_mut().expect("one").extend(c.to_lowercase());
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn capital(piece: &str) -> String {
    let mut letters = piece.chars();
    letters
        .next()
        .map_or(String::new(), |c| c.to_uppercase().collect::<String>() + letters.as_str())
}

/// The name of a function or a parameter.
fn called(name: &str, of: In) -> String {
    let pieces = pieces(name);
    match of {
        Python => {
            let name = pieces.join("_");
            if name == "from" { "from_".into() } else { name }
        }
        JavaScript => {
            let rest: String = pieces[1..].iter().map(|piece| capital(piece)).collect();
            pieces[0].clone() + &rest
        }
    }
}

/// The name of a schema.
fn type_name(name: &str) -> String {
    name.split(|c: char| !c.is_alphanumeric()).map(capital).collect()
}

/// The type that a schema says.
fn type_of(schema: &Value, of: In) -> String {
    let any = || String::from(if of == Python { "Any" } else { "unknown" });
    let union = |types: Vec<String>| {
        let mut types = types;
        types.dedup();
        match (&types[..], of) {
            ([one], _) => one.clone(),
            (_, Python) => format!("Union[{}]", types.join(", ")),
            (_, JavaScript) => format!("({})", types.join("|")),
        }
    };
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return type_name(name);
    }
    for several in ["oneOf", "anyOf"] {
        if let Some(all) = schema[several].as_array() {
            return union(all.iter().map(|one| type_of(one, of)).collect());
        }
    }
    if let Some([one]) = schema["allOf"].as_array().map(Vec::as_slice) {
        return type_of(one, of);
    }
    let single = |kind: &str| match (kind, of) {
        ("string", Python) => "str".into(),
        ("integer", Python) => "int".into(),
        ("number", Python) => "float".into(),
        ("boolean", Python) => "bool".into(),
        ("null", Python) => "None".into(),
        ("integer" | "number", JavaScript) => "number".into(),
        ("string" | "boolean" | "null", JavaScript) => kind.into(),
        ("array", Python) => format!("List[{}]", type_of(&schema["items"], of)),
        ("array", JavaScript) => format!("Array<{}>", type_of(&schema["items"], of)),
        ("object", _) => {
            let value = match schema["additionalProperties"].is_object() {
                true => type_of(&schema["additionalProperties"], of),
                false => any(),
            };
            if of == Python {
                format!("Dict[str, {value}]")
            } else {
                format!("Object<string, {value}>")
            }
        }
        _ => any(),
    };
    match &schema["type"] {
        Value::String(kind) => single(kind),
        Value::Array(kinds) => union(kinds.iter().filter_map(Value::as_str).map(single).collect()),
        _ => any(),
    }
}

/// The fields of a schema of an object, with those of the schemas that it is made of.
fn fields(schema: &Value) -> Option<Vec<(String, Value)>> {
    if let Some(path) = schema["$ref"].as_str() {
        return fields(document().pointer(path.strip_prefix('#')?)?);
    }
    let own = schema["properties"].as_object().into_iter().flatten();
    let mut all: Vec<(String, Value)> = own.map(|(name, of)| (name.clone(), of.clone())).collect();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        all.extend(fields(part)?);
    }
    let is_object = schema["properties"].is_object() || schema["allOf"].is_array();
    is_object.then_some(all)
}

/// The types of all schemas.
fn types(of: In) -> String {
    let mut text = String::new();
    let schemas = document()["components"]["schemas"].as_object().expect("schemas");
    for (name, schema) in schemas {
        let name = type_name(name);
        let about = schema["description"].as_str().unwrap_or_default().replace('\n', " ");
        let field = |(field, schema): &(String, Value)| match of {
            Python => format!("    \"{field}\": \"{}\",\n", type_of(schema, of)),
            JavaScript => format!(" * @property {{{}}} [{field}]\n", type_of(schema, of)),
        };
        let made = fields(schema).map(|all| all.iter().map(field).collect::<String>());
        let (one, words) = (type_of(schema, of), schema["enum"].as_array());
        let _ = match (of, made, words) {
            (Python, Some(fields), _) => {
                write!(
                    text,
                    "\n#: {about}\n{name} = TypedDict(\"{name}\", {{\n{fields}}}, total=False)\n"
                )
            }
            (Python, None, Some(words)) => {
                let words: Vec<String> = words.iter().map(Value::to_string).collect();
                write!(text, "\n#: {about}\n{name} = Literal[{}]\n", words.join(", "))
            }
            (Python, None, None) => {
                // What stands further down is named and not meant yet.
                let one = if one.contains('[') || one == "Any" { "Any".into() } else { one };
                write!(text, "\n#: {about}\n{name} = {one}\n")
            }
            (JavaScript, Some(fields), _) => {
                write!(text, "\n/**\n * {about}\n * @typedef {{Object}} {name}\n{fields} */\n")
            }
            (JavaScript, None, words) => {
                let words = words.map(|all| all.iter().map(Value::to_string).collect::<Vec<_>>());
                let one = words.map_or(one, |words| words.join("|"));
                write!(text, "\n/** {about} @typedef {{{one}}} {name} */\n")
            }
        };
    }
    text
}

/// The type of a file that is answered: a text, or bytes, or either.
fn file_type(answers: &Map<String, Value>, of: In) -> String {
    let good = answers.iter().filter(|(status, _)| status.starts_with('2'));
    let kinds = good.filter_map(|(_, one)| one["content"].as_object()).flat_map(Map::keys);
    let all = kinds.map(|kind| match (kind.starts_with("text/"), of) {
        (true, Python) => "str",
        (true, JavaScript) => "string",
        (false, Python) => "bytes",
        (false, JavaScript) => "Uint8Array",
    });
    let all: Vec<&str> = all.collect::<BTreeSet<_>>().into_iter().collect();
    match (&all[..], of) {
        ([], Python) => "Any".into(),
        ([], JavaScript) => "unknown".into(),
        ([one], _) => (*one).to_string(),
        (_, Python) => format!("Union[{}]", all.join(", ")),
        (_, JavaScript) => format!("({})", all.join("|")),
    }
}

/// A function of an operation.
fn function(method: &str, path: &str, said: &Value, of: In) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let id = text(&said["operationId"]);
    let given = said["parameters"].as_array().into_iter().flatten();
    let parameters =
        |place: &str| -> Vec<&Value> { given.clone().filter(|one| one["in"] == place).collect() };
    let (in_path, query, headers) = (parameters("path"), parameters("query"), parameters("header"));
    let content = &said["requestBody"]["content"];
    let sent = content["application/json"].get("schema").or(content["text/plain"].get("schema"));
    let body = sent.map(|schema| type_of(schema, of));
    // A file, which may be left out.
    let file = content.get("application/octet-stream").map(|_| {
        let is_needed = said["requestBody"]["required"] == true;
        if is_needed { "bytes".to_string() } else { "Optional[bytes]".to_string() }
    });
    let body = body.or(file);
    let mut url = path.to_string();
    for one in &in_path {
        let name = text(&one["name"]);
        let put = if of == Python { "{_part({})}" } else { "${part({})}" };
        url = url.replace(&format!("{{{name}}}"), &put.replace("{}", &called(&name, of)));
    }
    let answers = said["responses"].as_object().expect("responses");
    let given_as = |kind: &str| {
        let mut good = answers.iter().filter(|(status, _)| status.starts_with('2'));
        good.find_map(|(_, one)| one["content"][kind].get("schema"))
    };
    let one = given_as("application/json")
        .map_or_else(|| file_type(answers, of), |schema| type_of(schema, of));
    // What is sent as a list is answered line by line.
    let lines = given_as("application/x-ndjson").filter(|_| body.is_some());
    let gives = match (lines.map(|schema| type_of(schema, of)), of) {
        (None, _) => one,
        (Some(line), Python) => format!("Union[{one}, List[{line}]]"),
        (Some(line), JavaScript) => format!("({one}|Array<{line}>)"),
    };
    let summary = text(&said["summary"]);
    let each = |all: &[&Value]| -> String {
        let one = |one: &&Value| {
            let name = text(&one["name"]);
            let value = called(&name, of);
            let value = match (name.as_str(), of) {
                ("Idempotency-Key", Python) => format!("{value} or uuid.uuid4().hex"),
                ("Idempotency-Key", JavaScript) => format!("{value} ?? freshKey()"),
                _ => value,
            };
            match of {
                Python => format!("\"{name}\": {value}"),
                JavaScript => format!("'{name}': {value}"),
            }
        };
        all.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let (asked, sent) = (each(&query), each(&headers));
    let method = method.to_uppercase();
    let name = called(&id, of);
    let options = || query.iter().chain(&headers);
    match of {
        Python => {
            let mut takes: Vec<String> = vec!["self".into()];
            takes.extend(in_path.iter().map(|one| {
                format!("{}: {}", called(&text(&one["name"]), of), type_of(&one["schema"], of))
            }));
            takes.extend(body.as_ref().map(|of| format!("body: {of}")));
            if options().next().is_some() {
                takes.push("*".into());
            }
            takes.extend(options().map(|one| {
                let (name, kind) = (called(&text(&one["name"]), of), type_of(&one["schema"], of));
                // A key is made where none is given.
                match one["in"] == "query" && one["required"] == true {
                    true => format!("{name}: {kind}"),
                    false => format!("{name}: Optional[{kind}] = None"),
                }
            }));
            let body = if body.is_some() { ", body" } else { "" };
            let takes = takes.join(", ");
            format!(
                "\n    def {name}({takes}) -> {gives}:\n        \"\"\"{summary}\"\"\"\n        \
                 return self._ask(\"{method}\", f\"{url}\", {{{asked}}}, {{{sent}}}{body})\n"
            )
        }
        JavaScript => {
            let mut takes: Vec<String> =
                in_path.iter().map(|one| called(&text(&one["name"]), of)).collect();
            takes.extend(body.as_ref().map(|_| "body".to_string()));
            let names: Vec<String> = options().map(|one| called(&text(&one["name"]), of)).collect();
            if !names.is_empty() {
                takes.push(format!("{{ {} }} = {{}}", names.join(", ")));
            }
            let body = if body.is_some() { ", body" } else { "" };
            let spaced =
                |all: &str| if all.is_empty() { "{}".into() } else { format!("{{ {all} }}") };
            let (asked, sent, takes) = (spaced(&asked), spaced(&sent), takes.join(", "));
            format!(
                "\n  /** {summary} @returns {{Promise<{gives}>}} */\n  async {name}({takes}) {{\n    \
                 return this.ask('{method}', `{url}`, {asked}, {sent}{body});\n  }}\n"
            )
        }
    }
}

/// The whole client.
fn client(of: In) -> String {
    let mut functions = String::new();
    for (path, methods) in document()["paths"].as_object().expect("paths") {
        for (method, said) in methods.as_object().expect("methods") {
            if said["operationId"] != "watch" {
                functions.push_str(&function(method, path, said, of));
            }
        }
    }
    match of {
        Python => {
            let (head, tail) = (include_str!("clients/head.py"), include_str!("clients/tail.py"));
            let (imports, classes) = head.split_once("\n\nclass Refused").expect("its parts");
            let types = types(of);
            format!(
                "{imports}\n{types}\n\nclass Refused{}{functions}{tail}",
                classes.trim_end_matches('\n').to_string() + "\n"
            )
        }
        JavaScript => {
            format!("{}{functions}}}\n{}", include_str!("clients/head.mjs"), types(of))
        }
    }
}

#[test]
fn the_clients_are_those_of_the_description() {
    for (file, of) in [(PYTHON, Python), (JAVASCRIPT, JavaScript)] {
        let made = client(of);
        if std::env::var_os("SCRUTINEER_REWRITE_SCHEMAS").is_some() {
            fs::write(root().join(file), made).expect("written");
            continue;
        }
        let there = fs::read_to_string(root().join(file)).unwrap_or_default();
        assert!(there == made, "{file}: SCRUTINEER_REWRITE_SCHEMAS=1 writes it anew");
    }
}

/// What a program said, which has to end well.
fn said(mut program: Command) -> String {
    let Output { status, stdout, stderr } = program.output().expect("it runs");
    let (out, error) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{program:?}: {out}{error}");
    out.into_owned()
}

fn python(file: &str) -> Command {
    let mut python = Command::new("python3");
    python.arg(root().join(file)).env("PYTHONPATH", root().join("clients/python"));
    python.env("PYTHONDONTWRITEBYTECODE", "1");
    python
}

/// A desk with a round that is out and a result, and its server.
fn evening() -> (Desk, Server) {
    let desk = friday();
    let server = Server::of(&desk);
    rehearsed(&desk, &["result", "1", "2-0", "--tournament", "Friday"]);
    (desk, server)
}

#[test]
fn both_clients_read_record_once_and_tell_a_refusal() {
    let (desk, server) = evening();
    let url = format!("http://{}", server.address);
    let token = server.token("scorekeeper");
    let token = token.trim_start_matches("Bearer ");
    for (program, file) in
        [("python3", "tests/it/clients/try.py"), ("node", "tests/it/clients/try.mjs")]
    {
        if !is_there(program) {
            continue;
        }
        let mut command = match program {
            "python3" => python(file),
            _ => {
                let mut node = Command::new("node");
                node.arg(root().join(file));
                node
            }
        };
        command.args([&url, token, &server.key]);
        let told = said(command);
        let told: Value =
            serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}"));
        assert_eq!(told["title"], "Friday", "{told}");
        assert_eq!(told["players"], 4, "{told}");
        assert_eq!(told["first"], told["again"], "what is sent again under its key is done once");
        assert_eq!(told["refused"], "result-stands", "{told}");
        assert_eq!(told["lines"], serde_json::json!([[1, 201], [2, 404]]), "a list of answers");
        let checked = told["checked"].as_str().unwrap_or_default();
        assert!(checked.contains("`edition`") && !checked.contains("`name`"), "{told}");
        assert_eq!(told["unchanged"], Value::Null, "{told}");
        assert!(
            told["bundle"].as_str().is_some_and(|text| text.starts_with("{\"bundle\":1")),
            "{told}"
        );
        // As the server gives it: read as a text it would be longer.
        let workbook = server.local("POST", "/api/v1/tournaments/Friday/exports/workbook", "");
        let length = workbook.header("content-length").expect("its length");
        assert_eq!(told["workbook"].to_string(), length, "a workbook is no text");
        let watched = told["watched"].as_str().unwrap_or_default();
        assert!(["head", "floor", "draft", "published", "result"].contains(&watched), "{told}");
        let log = rehearsed(&desk, &["log", "--tournament", "Friday"]);
        assert_eq!(log.matches(&format!("note: from {program}")).count(), 1, "{log}");
    }
}

/// A server that breaks off what it answers to each of these, and says at last what it was sent each time.
fn breaking(answers: &'static [&'static str]) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("its address"));
    let taken = std::thread::spawn(move || {
        let (mut taken, mut held) = (Vec::new(), Vec::new());
        for answer in answers {
            let (mut stream, _) = listener.accept().expect("somebody calls");
            let (mut text, mut bytes) = (String::new(), [0; 4096]);
            while !text.ends_with('}') {
                let count = stream.read(&mut bytes).expect("readable");
                assert!(count > 0, "it ends early: {text}");
                text.push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
            stream.write_all(answer.as_bytes()).expect("answered");
            taken.push(text.to_lowercase());
            // Where nothing is said, the line stays open.
            held.extend(answer.is_empty().then_some(stream));
        }
        taken
    });
    (url, taken)
}

/// The client for Python gave up where an answer broke off or did not come, and nobody knew whether the order was
/// carried out.
#[test]
fn an_order_whose_answer_does_not_come_whole_is_sent_again_under_its_key() {
    const WHOLE: &str = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\
                         Content-Length: 15\r\nConnection: close\r\n\r\n{\"first_seq\":7}";
    const HALF: &str = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\
                        Content-Length: 15\r\nConnection: close\r\n\r\n{\"first_";
    const IN_PYTHON: &str = "import sys\nfrom scrutineer import Client\n\
        order = {'order': 'note', 'text': 'x'}\n\
        print(Client(sys.argv[1], timeout=2).give_orders('Friday', order)['first_seq'])";
    let in_javascript = format!(
        "import {{ Client }} from '{}';\n\
         const order = {{ order: 'note', text: 'x' }};\n\
         console.log((await new Client(process.argv[1]).giveOrders('Friday', order)).first_seq);",
        root().join(JAVASCRIPT).display()
    );
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", root().join("clients/python")).env("PYTHONDONTWRITEBYTECODE", "1");
    python.args(["-c", IN_PYTHON]);
    let mut node = Command::new("node");
    node.args(["--input-type=module", "-e", &in_javascript]);
    // Only the one for Python waits for so long and no longer.
    let both: [(&str, Command, &'static [&'static str]); 2] =
        [("python3", python, &["", HALF, WHOLE]), ("node", node, &[HALF, HALF, WHOLE])];
    for (program, mut command, answers) in both {
        if !is_there(program) {
            continue;
        }
        let (url, taken) = breaking(answers);
        command.arg(&url);
        assert_eq!(said(command).trim(), "7", "{program}");
        let taken = taken.join().expect("three requests");
        let key = |request: &String| {
            let line = request.lines().find(|line| line.starts_with("idempotency-key: "));
            line.expect("a key").to_string()
        };
        let keys: BTreeSet<String> = taken.iter().map(key).collect();
        assert_eq!((taken.len(), keys.len()), (3, 1), "{program}: {taken:?}");
    }
}

#[test]
fn who_asks_too_fast_waits_as_long_as_it_is_told_and_sends_it_again_unless_told_not_to() {
    const SLOW: &str = "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/problem+json\r\n\
                        Retry-After: 1\r\nContent-Length: 20\r\nConnection: close\r\n\r\n{\"code\":\"slow-down\"}";
    const WHOLE: &str = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\
                         Content-Length: 15\r\nConnection: close\r\n\r\n{\"first_seq\":7}";
    const IN_PYTHON: &str = "import sys\nfrom scrutineer import Client, Refused\n\
        waits = sys.argv[2] == 'waits'\n\
        order = {'order': 'note', 'text': 'x'}\n\
        try:\n    print(Client(sys.argv[1], waits=waits).give_orders('Friday', order)['first_seq'])\n\
        except Refused as refused:\n    print(refused.code)";
    let in_javascript = format!(
        "import {{ Client }} from '{}';\n\
         const [, url, waits] = process.argv;\n\
         const client = new Client(url, {{ waits: waits === 'waits' }});\n\
         const order = {{ order: 'note', text: 'x' }};\n\
         console.log(await client.giveOrders('Friday', order)\n\
           .then((done) => done.first_seq, (refused) => refused.code));",
        root().join(JAVASCRIPT).display()
    );
    let whole: &'static [&'static str] = &[SLOW, SLOW, WHOLE];
    let at_most: &'static [&'static str] = &[SLOW, SLOW, SLOW];
    let once: &'static [&'static str] = &[SLOW];
    for (waits, answers, comes) in
        [("waits", whole, "7"), ("waits", at_most, "slow-down"), ("does not", once, "slow-down")]
    {
        for program in ["python3", "node"].into_iter().filter(|program| is_there(program)) {
            let mut command = Command::new(program);
            match program {
                "python3" => command
                    .env("PYTHONPATH", root().join("clients/python"))
                    .env("PYTHONDONTWRITEBYTECODE", "1")
                    .args(["-c", IN_PYTHON]),
                _ => command.args(["--input-type=module", "-e", &in_javascript]),
            };
            let (url, taken) = breaking(answers);
            let begun = std::time::Instant::now();
            command.args([url.as_str(), waits]);
            assert_eq!(said(command).trim(), comes, "{program} {waits}");
            let waited = begun.elapsed().as_secs();
            assert!(waited + 1 >= answers.len() as u64, "{program} waited {waited} seconds");
            let taken = taken.join().expect("its requests");
            let keys: BTreeSet<&str> = taken
                .iter()
                .flat_map(|request| request.lines())
                .filter(|line| line.starts_with("idempotency-key: "))
                .collect();
            assert_eq!((taken.len(), keys.len()), (answers.len(), 1), "{program}: {taken:?}");
        }
    }
}

/// Takes one message as Discord would.
fn discord(listener: TcpListener) -> std::thread::JoinHandle<Vec<String>> {
    std::thread::spawn(move || {
        let mut taken = Vec::new();
        for _ in 0..2 {
            let (mut stream, _) = listener.accept().expect("somebody calls");
            let (mut text, mut bytes) = (Vec::new(), [0; 4096]);
            while !String::from_utf8_lossy(&text).contains("\"content\"") {
                let count = stream.read(&mut bytes).expect("readable");
                assert!(count > 0, "it ends early: {}", String::from_utf8_lossy(&text));
                text.extend(&bytes[..count]);
            }
            stream
                .write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
                .expect("answered");
            taken.push(String::from_utf8_lossy(&text).into_owned());
        }
        taken
    })
}

#[test]
fn the_examples_announce_archive_and_write_a_sheet() {
    let (desk, server) = evening();
    let url = format!("http://{}", server.address);
    let folder = tempfile::tempdir().expect("a folder");
    if is_there("python3") {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let hook = format!("http://{}/hook", listener.local_addr().expect("its address"));
        let taken = discord(listener);
        let mut announcer = python("clients/examples/discord.py");
        announcer.args([&url, "Friday", "--webhook", &hook, "--once"]);
        said(announcer);
        let taken = taken.join().expect("two messages");
        assert!(taken[0].contains("pairings of round 1 are out"), "{taken:?}");
        assert!(taken[1].contains("2-0"), "{taken:?}");
        let archive = || {
            let mut archive = python("clients/examples/archive.py");
            archive.args([&url, &folder.path().display().to_string()]);
            said(archive)
        };
        assert!(archive().contains("1 written, 0 unchanged"));
        assert!(archive().contains("0 written, 1 unchanged"));
        rehearsed(&desk, &["result", "2", "2-1", "--tournament", "Friday"]);
        assert!(archive().contains("1 written, 0 unchanged"));
        let files: Vec<_> = fs::read_dir(folder.path()).expect("readable").flatten().collect();
        assert_eq!(files.len(), 1, "nothing half-written is left: {files:?}");
        rehearsed(&desk, &["bundle", "verify", &files[0].path().display().to_string()]);
    }
    if is_there("node") {
        let sheet = folder.path().join("standings.csv");
        let mut node = Command::new("node");
        node.arg(root().join("clients/examples/sheet.mjs"));
        node.args([&url, "Friday", &sheet.display().to_string(), "--once"]);
        said(node);
        let text = fs::read_to_string(&sheet).expect("the sheet");
        assert!(text.starts_with("place,player,record,"), "{text}");
        assert_eq!(text.lines().count(), 5, "{text}");
    }
}

/// One tournament whose records are not for everybody kept all that stood behind it in the list out of the archive.
#[test]
fn an_archive_goes_on_behind_a_tournament_whose_records_need_a_token() {
    if !is_there("python3") {
        return;
    }
    let desk = friday();
    rehearsed(&desk, &["new", "Closed", "--rules", "mtr"]);
    let server = Server::of(&desk);
    let policy = r#"{"records":"with-token","hidden_from":null}"#;
    let put = server.local("PUT", "/api/v1/tournaments/Closed/policies", policy);
    assert_eq!(put.status, 200, "{put:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("http://{}", server.address);
    let archive = |more: &[&str]| {
        let mut archive = python("clients/examples/archive.py");
        archive.args([&url, &folder.path().display().to_string()]).args(more);
        let Output { status, stdout, stderr } = archive.output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (status.code(), text(&stdout), text(&stderr))
    };
    let files = || fs::read_dir(folder.path()).expect("readable").count();
    let (code, out, told) = archive(&[]);
    assert_eq!((code, files()), (Some(1), 1), "{out}{told}");
    assert!(out.contains("1 written, 0 unchanged, 1 refused"), "{out}{told}");
    assert!(told.starts_with("Closed (") && told.contains("[not-allowed]"), "{told}");
    let token = server.token("owner");
    let (code, out, told) = archive(&["--token", token.trim_start_matches("Bearer ")]);
    assert_eq!((code, files()), (Some(0), 2), "{out}{told}");
    assert!(out.contains("0 refused") && told.is_empty(), "{out}{told}");
}

/// The relay checks by itself, in another language, what the server signed.
#[test]
fn the_relay_passes_on_what_is_signed_and_nothing_else() {
    use crate::serve::client::answered;
    use crate::serve::webhooks::{Receiver, hook};
    if !is_there("python3") {
        return;
    }
    let (desk, receiver) = (friday(), Receiver::new());
    let server = Server::with(&desk, &["--webhooks-to", "127.0.0.1"]);
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    let listen = port.expect("a free port").to_string();
    let (_, secret) = hook(&server, &format!("http://{listen}/"), None);
    desk.write("secret.txt", secret.as_bytes());
    let mut relay = python("clients/examples/relay.py");
    relay.args([&listen, &desk.path("secret.txt").display().to_string(), &receiver.url()]);
    let mut relay = relay.stdout(std::process::Stdio::piped()).spawn().expect("it starts");
    let mut says = relay.stdout.take().expect("piped");
    let mut line = [0; 16];
    says.read_exact(&mut line).expect("it says where it listens");
    rehearsed(&desk, &["result", "1", "2-0"]);
    let taken = receiver.gets(1);
    assert!(taken[0].is_signed(&secret) && taken[0].told().0 == "result.recorded", "{taken:?}");
    let forged = format!(
        "POST / HTTP/1.1\r\nHost: {listen}\r\nwebhook-id: a\r\nwebhook-timestamp: {}\r\n\
         webhook-signature: v1,AAAA\r\nContent-Length: 2\r\n\r\n{{}}",
        std::time::SystemTime::UNIX_EPOCH.elapsed().expect("a time").as_secs()
    );
    let refused = answered(listen.parse().expect("an address"), forged.as_bytes());
    assert_eq!(refused.expect("it answers").status, 401);
    assert_eq!(receiver.taken().len(), 1);
    relay.kill().expect("killed");
    relay.wait().expect("gone");
}
