// The page draws itself anew from its records once they are checked, so that nothing stays on it that
// stood in the file beside them: whatever a reader sees then, the script has made.

import { toUtf8 } from './bytes.js';
import { compareKnown } from './known.js';
import { unpacked } from './packed.js';
import { shown } from './shown.js';
import { checkBundle } from './verifier.js';

// An element in the file may be called like a part of `document` and stand in its place.
const ofDocument = (name) => Reflect.get(Document.prototype, name, document);
const script = ofDocument('currentScript');

// FRAME is the page without an event; it stands in the script.
const sheet = new DOMParser().parseFromString(FRAME, 'text/html');
const page = sheet.documentElement;
const [verdict, said, main, findings, form, known, answer, saving, records] = [
  'verdict', 'said', 'main', 'findings', 'known-form', 'known', 'answer', 'save', 'bundle',
].map((id) => sheet.getElementById(id));

function make(tag, kind, ...inside) {
  const element = sheet.createElement(tag);
  if (kind !== '') element.className = kind;
  element.append(...inside);
  return element;
}

// A text in which what people typed stands between U+2068 and U+2069.
function text(tag, kind, words) {
  const parts = words.split(/[\u2068\u2069]/u);
  return make(tag, kind, ...parts.map((part, at) => (at % 2 === 1 ? make('bdi', '', part) : part)));
}

const KINDS = new Map([
  ['player', 'name'], ['opponent', 'name'], ['players', 'name'], ['decided by', 'why'], ['result', 'result'],
]);

function table({ head, rows }) {
  const row = (tag, cells) => {
    return make('tr', '', ...cells.map((cell, at) => text(tag, KINDS.get(head[at]) ?? 'number', cell)));
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
  const { title, about, sections } = shown(bundle);
  document.title = title;
  main.replaceChildren(make('h1', '', title), text('p', 'about', about), ...sections.map(section));
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

function run(bytes) {
  const { findings: found, unchecked, bundle, records: count } = checkBundle(bytes);
  list([...found, ...unchecked]);
  if (found.length > 0) {
    const more = found.length > 1 ? `, and ${found.length - 1} more below` : '';
    show('not consistent', '✗ Not consistent', `${found[0].sentence}${more}. So nothing of the tournament is shown.`);
    return null;
  }
  draw(bundle);
  if (unchecked.length > 0) {
    show('incomplete', NOT_IN_FULL, `${unchecked[0].sentence}. What is shown of it may be anything.`);
    return bundle;
  }
  const checked = `${count} record${count === 1 ? '' : 's'}, checked in your browser, and everything shown here follows from them; compared with nothing from outside`;
  show('consistent', '✓ Consistent in itself', checked);
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
  if (kind !== 'verified') show(kind, '✗ Does not match', words);
  else if (bundle.unchecked.length > 0) {
    show('incomplete', NOT_IN_FULL, `${words} But ${bundle.unchecked[0].sentence}. What is shown of it may be anything.`);
  }
  else if (size === count) show(kind, '✓✓ Verified', words);
  else show('partly', `Verified only up to record ${size} of ${count}`, words);
}

function save(bundle) {
  const link = make('a', '');
  link.href = URL.createObjectURL(new Blob([bundle], { type: 'text/plain' }));
  link.download = 'tournament.bundle';
  link.click();
  URL.revokeObjectURL(link.href);
}

function start() {
  records.textContent = ofDocument('querySelector').call(document, 'pre#bundle')?.textContent ?? '';
  // A page that a browser saved has its script too, with none of the attributes that it came with.
  for (const { name } of [...script.attributes]) script.removeAttribute(name);
  page.querySelector('script').replaceWith(script);
  show('checking', '○ Checking', '');
  ofDocument('documentElement').replaceWith(page);
  // So that the page is there before the work begins.
  setTimeout(() => {
    let bundle = null;
    let text = records.textContent;
    try {
      text = unpacked(text);
      bundle = run(toUtf8(text));
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
