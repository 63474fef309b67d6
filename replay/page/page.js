// The page draws itself anew from its records once they are checked, so that nothing stays on it that
// stood in the file beside them: whatever a reader sees then, the script has made.

import { toHex, toUtf8 } from './bytes.js';
import { compareKnown } from './known.js';
import { unpacked } from './packed.js';
import { facts, shown } from './shown.js';
import { checkBundle } from './verifier.js';
import { bracketsOf, matchesOf, placeOf, playersOf, recordOf } from './views.js';

// An element in the file may be called like a part of `document` and stand in its place.
const ofDocument = (name) => Reflect.get(Document.prototype, name, document);
const script = ofDocument('currentScript');

// FRAME is the page without an event; it stands in the script.
const sheet = new DOMParser().parseFromString(FRAME, 'text/html');
const page = sheet.documentElement;
const [verdict, said, main, findings, form, known, answer, saving, records, find, who, hits, found, prints, mine, pictures, ways] = [
  'verdict', 'said', 'main', 'findings', 'known-form', 'known', 'answer', 'save', 'bundle',
  'find-form', 'who', 'hits', 'found', 'prints', 'mine', 'brackets', 'ways',
].map((id) => sheet.getElementById(id));

function make(tag, kind, ...inside) {
  const element = sheet.createElement(tag);
  if (kind !== '') element.className = kind;
  element.append(...inside);
  return element;
}

// By what players are called in this tournament: the address of their matches.
const links = new Map();

// A text in which what people typed stands between U+2068 and U+2069.
function text(tag, kind, words, isLinked = kind === 'name') {
  const parts = words.split(/[\u2068\u2069]/u);
  return make(tag, kind, ...parts.map((part, at) => {
    if (at % 2 === 0) return part;
    return isLinked && links.has(part) ? link(part) : make('bdi', '', part);
  }));
}

function link(name) {
  const to = make('a', '', make('bdi', '', name));
  to.href = links.get(name);
  return to;
}

const plain = (words) => words.replace(/[\u2068\u2069]/gu, '');

const KINDS = new Map([
  ['player', 'name'], ['opponent', 'name'], ['players', 'name'], ['decided by', 'why'], ['result', 'result'],
]);

function table({ head, rows }) {
  const row = (tag, cells) => {
    return make('tr', '', ...cells.map((cell, at) => {
      const made = text(tag, KINDS.get(head[at]) ?? 'number', cell);
      if (tag === 'th') made.scope = 'col';
      return made;
    }));
  };
  const body = make('tbody', '', ...rows.map((cells) => row('td', cells)));
  return make('div', 'wide', make('table', '', make('thead', '', row('th', head)), body));
}

function section({ kind, heading, lines, list = [], grid }) {
  const parts = lines.map((line) => text('p', kind === 'records' ? 'hash' : '', line));
  if (list.length > 0) parts.push(make('ul', '', ...list.map((one) => text('li', '', one))));
  if (grid !== undefined) parts.push(table(grid));
  return make('section', kind, make('h2', '', heading), ...parts);
}

function draw(bundle) {
  const all = facts(bundle);
  const players = playersOf(all);
  for (const { number, name } of players) links.set(plain(name), `#player=${number}`);
  const { title, about, sections } = shown(bundle, all);
  document.title = title;
  const [first, ...others] = sections.map(section);
  main.replaceChildren(make('h1', '', title), text('p', 'about', about), first, pictures, ...others);
  pictures.replaceChildren(...bracketsOf(all).map(picture));
  pictures.hidden = pictures.children.length === 0;
  const kinds = [
    ['standings', 'standings', sections.some(({ kind, grid }) => kind === 'standings' && grid)],
    ['bracket', 'the bracket', !pictures.hidden],
  ];
  prints.replaceChildren(...kinds.filter(([, , has]) => has).map(([what, words]) => printing(what, words)));
  find.addEventListener('submit', (event) => {
    event.preventDefault();
    hits.querySelector('a')?.click();
  });
  who.addEventListener('input', () => search(players));
  window.addEventListener('hashchange', () => pick(bundle, all, sections));
  pick(bundle, all, sections);
}

function printing(what, words) {
  const button = make('button', '', `Print ${words}`);
  button.type = 'button';
  button.addEventListener('click', () => print(what));
  return button;
}

// One sheet of its own: the rest of the page is left out of it.
function print(what) {
  page.dataset.print = what;
  window.addEventListener('afterprint', () => delete page.dataset.print, { once: true });
  window.print();
}

// Marks of letters and their case are no matter to who looks for somebody.
const sought = (name) => plain(name).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const MOST_HITS = 12;

function search(players) {
  const words = sought(who.value).split(/\s+/u).filter((word) => word !== '');
  const fits = words.length === 0 ? [] : players.filter(({ name }) => words.every((word) => sought(name).includes(word)));
  hits.replaceChildren(...fits.slice(0, MOST_HITS).map(({ name }) => make('li', '', link(plain(name)))));
  const more = fits.length > MOST_HITS ? `${fits.length} players; type more of the name` : '';
  found.textContent = words.length > 0 && fits.length === 0 ? 'Nobody here is called so.' : more;
}

// A receipt that nobody can read was compared with nothing: a ✓ on top would say otherwise.
const UNREAD = 'This address cannot be read: nothing was compared with the record that it names. Type its digits again as they stand on the paper, or scan the code once more.';
const notCompared = (sentence) => ({ kind: 'incomplete', words: '⚠ Not compared', sentence });

// What the digits in the address come to, but where they are those of their record.
let digits = null;

// What the address asks for: the matches of a player, or a record, with the digits that somebody holds. Whoever types
// them from paper may set blanks between them, or capitals.
function pick(bundle, all, sections) {
  const address = location.hash.toLowerCase().replace(/%20|%c2%a0|\s/g, '');
  const [, what, number, held] = /^#(player|record)=(\d{1,15})(?:-([0-9a-f]{8,64}))?$/.exec(address) ?? [];
  const isUnread = what === undefined && address.startsWith('#record=');
  const before = digits;
  digits = isUnread ? notCompared(UNREAD) : null;
  const parts = isUnread ? [make('h2', '', 'This address cannot be read'), make('p', 'bad', UNREAD)]
    : what === 'player' ? playerParts(all, Number(number), sections) : recordParts(all, bundle, Number(number), held);
  // While the records are checked that is told first.
  if (digits?.sentence !== before?.sentence && page.dataset.verdict !== 'checking') {
    if (known.value.trim() === '') byItself(bundle);
    else compare(bundle);
  }
  mine.hidden = what === undefined && !isUnread || parts === null;
  page.dataset.picked = mine.hidden ? '' : what ?? 'record';
  if (mine.hidden) return;
  const [heading, ...rest] = parts;
  heading.id = 'mine-heading';
  const close = make('a', '', 'Close');
  close.href = '#main';
  mine.replaceChildren(heading, ...rest, make('p', 'close', printing('mine', 'this'), close));
  who.value = '';
  hits.replaceChildren();
  found.textContent = '';
  mine.focus({ preventScroll: true });
  mine.scrollIntoView();
}

function playerParts(all, number, sections) {
  if (!all.players.get(number)?.stands) return null;
  const name = all.names(number);
  const changes = sections.find(({ kind }) => kind === 'changes')?.of(number) ?? [];
  const place = placeOf(all, number, sections);
  return [
    text('h2', '', name),
    ...(place === null ? [] : [text('p', '', place)]),
    table(matchesOf(all, number)),
    ...(changes.length === 0 ? [] : [make('ul', '', ...changes.map((one) => text('li', '', one)))]),
  ];
}

function recordParts(all, bundle, seq, held) {
  const record = recordOf(all, bundle, seq);
  if (record === null) {
    if (held !== undefined) digits = notCompared(`Record ${seq} is not on this page: the digits that you hold were compared with nothing. Ask for a later page.`);
    return [make('h2', '', `Record ${seq} is not on this page`), make('p', '', `It holds the records 1 to ${bundle.hashes.length}, and shows no pairing that nobody has seen. Ask for a later page.`)];
  }
  const hash = toHex(record.hash);
  const isSame = held !== undefined && hash.startsWith(held);
  const over = bundle.checkpoints.list.find(({ size }) => size >= seq);
  const differs = `The digits that you hold are not those of record ${seq}: it is another one than you were given. Yours begin with ${held}. Show both to the publisher, and not only to whoever runs the tournament.`;
  const compared = isSame ? '✓ The digits that you hold are those of this record: it is the one that you were given.' : `✗ ${differs}`;
  if (held !== undefined && !isSame) digits = { kind: 'differs', words: '✗ Does not match', sentence: differs };
  return [
    make('h2', '', held === undefined || isSame ? `Record ${seq} is in these records` : `Record ${seq} is another one`),
    ...(record.words === null ? [] : [text('p', 'words', record.words)]),
    ...(record.isGone ? [make('p', 'words', 'It was withdrawn later.')] : []),
    ...(record.now === null || record.isGone ? [] : [make('p', '', record.now)]),
    ...(held === undefined ? [] : [make('p', isSame ? 'good' : 'bad', compared)]),
    make('p', 'hash', `Its digits: ${fours(hash)}`),
    make('p', '', over === undefined
      ? 'No signed checkpoint stands over it yet: the next one will.'
      : `It is under the checkpoint over ${over.size} records, which a key of this tournament signed. Its root begins with ${fours(over.root)}: compare them with a sheet on the wall.`),
  ];
}

// A hash by which people compare: its first 32 digits, in fours.
const fours = (hash) => hash.slice(0, 32).replace(/(.{4})(?=.)/g, '$1 ');

function picture({ heading, stages }) {
  const seat = ({ seed, name, score, won, lost }) => {
    const called = text('th', '', name, true);
    called.scope = 'row';
    if (won) called.append(' ✓');
    return make('tr', won ? 'won' : lost ? 'lost' : '', make('td', '', seed), called, make('td', '', score));
  };
  const match = ({ head, seats }) => {
    return make('li', '', make('table', '', make('caption', '', head), make('tbody', '', ...seats.map(seat))));
  };
  const stage = ({ heading: called, matches }, at) => {
    const count = stages[at + 1]?.matches.length;
    const leads = count === matches.length ? 'same' : count * 2 === matches.length ? 'half' : '';
    return make('section', leads, make('h3', '', called), make('ul', '', ...matches.map(match)));
  };
  const drawn = make('div', 'bracket', ...stages.map(stage));
  drawn.tabIndex = 0;
  drawn.role = 'group';
  drawn.ariaLabel = heading;
  const most = Math.max(...stages.map(({ matches }) => matches.length));
  return make('section', `picture ${most > 16 ? 'small' : most > 8 ? 'half' : ''}`, make('h2', '', heading), drawn);
}

function show(kind, words, sentence) {
  page.dataset.verdict = kind;
  verdict.textContent = words;
  said.textContent = sentence;
}

function list(found) {
  findings.replaceChildren(...found.map(({ sentence, line, code }) => {
    return make('li', '', `${sentence}${line === null ? '' : ` (line ${line} of the bundle)`} [${code}]`);
  }));
  findings.hidden = found.length === 0;
}

// Nothing is wrong, and not everything was checked: it is neither ✓ nor ✗.
const NOT_IN_FULL = '⚠ Not checked in full';

// What is held against these records, which are whole: another history.
let against = null;

// That another history was signed is no fault of these records, and concerns everybody who reads them.
function rewritten(bundle, other, told) {
  const { verdict: kind, sentence } = compareKnown(bundle, other);
  if (kind === 'verified') return;
  const twice = `The log of this tournament was rewritten: whoever gave this page has a checkpoint of another history of it, too, and says: ${told}. ${sentence} The records here are whole and in order; they are one of two histories.`;
  against = { words: '✗ Rewritten', sentence: twice };
}

// What the records say by themselves, whatever anybody holds.
function byItself({ hashes: { length: count }, unchecked }) {
  const differs = against ?? (digits?.kind === 'differs' ? digits : null);
  if (differs !== null) show('differs', differs.words, differs.sentence);
  else if (unchecked.length > 0) show('incomplete', NOT_IN_FULL, `${unchecked[0].sentence}. What is shown of it may be anything.`);
  else if (digits !== null) show(digits.kind, digits.words, digits.sentence);
  else show('consistent', '✓ Consistent in itself', `${count} record${count === 1 ? '' : 's'}, checked in your browser, and everything shown here follows from them; compared with nothing from outside`);
}

function run(bytes, other, told) {
  const { findings: found, unchecked, bundle } = checkBundle(bytes);
  list([...found, ...unchecked]);
  if (found.length > 0) {
    const more = found.length > 1 ? `, and ${found.length - 1} more below` : '';
    show('not consistent', '✗ Not consistent', `${found[0].sentence}${more}. So nothing of the tournament is shown.`);
    return null;
  }
  draw(bundle);
  if (unchecked.length === 0 && other !== '') rewritten(bundle, other, told);
  byItself(bundle);
  return bundle;
}

function compare(bundle) {
  const typed = known.value.trim();
  if (typed === '') return;
  if (bundle === null) {
    answer.textContent = 'These records are not consistent; there is nothing to compare with.';
    return;
  }
  const { verdict: kind, sentence, size } = compareKnown(bundle, typed);
  const count = bundle.hashes.length;
  const reach = size === count ? `all ${count} records` : `records 1 to ${size} of ${count}`;
  const words = kind === 'verified' ? `${sentence} It covers ${reach}.` : sentence;
  answer.textContent = words;
  // What cannot be compared says nothing of these records, and what was compared before it is not asked any more.
  if (kind === 'unread') byItself(bundle);
  else if (kind !== 'verified') show(kind, '✗ Does not match', words);
  else if (against !== null) show('differs', against.words, `${words} But: ${against.sentence}`);
  else if (digits?.kind === 'differs') show('differs', digits.words, `${words} But: ${digits.sentence}`);
  else if (bundle.unchecked.length > 0) {
    show('incomplete', NOT_IN_FULL, `${words} But ${bundle.unchecked[0].sentence}. What is shown of it may be anything.`);
  }
  else if (digits !== null) show(digits.kind, digits.words, `${words} But: ${digits.sentence}`);
  else if (size === count) show(kind, '✓✓ Verified', words);
  else show('partly', `Verified only up to record ${size} of ${count}`, words);
}

function save(bundle) {
  const link = make('a', '');
  link.href = URL.createObjectURL(new Blob([bundle], { type: 'text/plain' }));
  link.download = 'tournament.bundle';
  // Outside of the page that is shown a click leads nowhere.
  main.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(link.href);
}

// Where a server gives the page it gives it as a file too, and the page leads back to what stands beside it. A page from
// nowhere may not name a link's file by itself. The addresses are whole: what a phone saves of the page leads there too.
function leadBack() {
  const [, base] = /^(.*)\/page$/.exec(location.pathname) ?? [];
  if (base === undefined || location.protocol === 'file:') return;
  const way = (words, path) => {
    const to = make('a', '', words);
    to.href = new URL(path, location.href).href;
    return to;
  };
  ways.replaceChildren(way('Save this page', `${base}/page?save`), way('Back', `${base}/standings`));
}

function start() {
  records.textContent = ofDocument('querySelector').call(document, 'pre#bundle')?.textContent ?? '';
  const given = (where) => ofDocument('querySelector').call(document, where)?.textContent.trimStart() ?? '';
  const [other, told] = [given('pre#other'), given('#known-of-it')];
  // A page that a browser saved has its script too, with none of the attributes that it came with.
  for (const { name } of [...script.attributes]) script.removeAttribute(name);
  page.querySelector('script').replaceWith(script);
  show('checking', '○ Checking', '');
  leadBack();
  ofDocument('documentElement').replaceWith(page);
  // So that the page is there before the work begins.
  setTimeout(() => {
    let bundle = null;
    let text = records.textContent;
    try {
      text = unpacked(text);
      bundle = run(toUtf8(text), other, told);
    } catch (error) {
      main.replaceChildren();
      show('not consistent', '✗ Not checked', `The check could not be done: ${error.message}`);
    }
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      compare(bundle);
    });
    saving.addEventListener('click', () => save(text));
  }, 0);
}

// Words may stand behind the script.
window.addEventListener('DOMContentLoaded', start);
