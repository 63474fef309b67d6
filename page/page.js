// The page checks itself: its records, and that what it shows follows from them.

import { toUtf8 } from './bytes.js';
import { compareKnown } from './known.js';
import { shown } from './shown.js';
import { checkBundle } from './verifier.js';

const find = (id) => document.getElementById(id);
const MOST_DIFFERENCES = 20;

/** What differs between the page's words and what the records say. */
function differences(bundle) {
  const main = document.querySelector('main');
  const parts = [document.querySelector('title'), ...main.querySelectorAll('h1, h2, p, th, td, li')];
  const wanted = shown(bundle);
  const found = [];
  const note = (sentence) => found.push({ code: 'shown-differs', line: null, seq: null, sentence });
  for (let at = 0; at < Math.max(parts.length, wanted.length); at += 1) {
    const [place, text] = wanted[at] ?? ['below the last line', null];
    const here = parts[at]?.textContent ?? null;
    if (here === text) continue;
    const said = text === null ? 'the records say nothing' : `the records say “${text}”`;
    note(`${place}: the page ${here === null ? 'shows nothing' : `shows “${here}”`}; ${said}`);
    // Where something is missing or too much, all behind it stands elsewhere.
    if (parts.length !== wanted.length || found.length === MOST_DIFFERENCES) break;
  }
  // Whoever reads the page reads what stands beside its records too.
  const own = ['HEADER#status', 'MAIN#', 'SECTION#check', 'PRE#bundle', 'SCRIPT#'];
  for (const node of document.body.childNodes) {
    const isOwn = node.nodeType === Node.COMMENT_NODE || own.includes(`${node.tagName}#${node.id}`);
    const words = isOwn ? '' : node.textContent.trim().slice(0, 80);
    if (words !== '') note(`the page shows “${words}” beside what the records say`);
  }
  const known = new Set(parts);
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (!known.has(node.parentElement) && node.data.trim() !== '') {
      note(`the page shows “${node.data.trim().slice(0, 80)}”; the records say nothing`);
    }
  }
  return found;
}

function show(verdict, words, said) {
  document.documentElement.dataset.verdict = verdict;
  find('verdict').textContent = words;
  find('said').textContent = said;
}

function list(findings) {
  const items = findings.map((finding) => {
    const item = document.createElement('li');
    const line = finding.line === null ? '' : ` (line ${finding.line} of the bundle)`;
    item.textContent = `${finding.sentence}${line} [${finding.code}]`;
    return item;
  });
  find('findings').replaceChildren(...items);
  find('findings').hidden = items.length === 0;
}

const text = find('bundle').textContent;

function run() {
  const { findings, bundle, records } = checkBundle(toUtf8(text));
  const all = findings.length > 0 ? findings : differences(bundle);
  list(all);
  if (all.length > 0) {
    const more = all.length > 1 ? `, and ${all.length - 1} more below` : '';
    show('not consistent', 'Not consistent', `${all[0].sentence}${more}`);
    return null;
  }
  const checked = `${records} record${records === 1 ? '' : 's'} and everything shown here, checked in your browser; compared with nothing from outside`;
  show('consistent', 'Consistent in itself', checked);
  return bundle;
}

function compare(bundle) {
  const typed = find('known').value.trim();
  if (typed === '') return;
  if (bundle === null) {
    find('answer').textContent = 'These records are not consistent; there is nothing to compare with.';
    return;
  }
  const { verdict, sentence, size } = compareKnown(bundle, typed);
  const records = bundle.hashes.length;
  const reach = size === records ? `all ${records} records` : `records 1 to ${size} of ${records}`;
  const said = verdict === 'verified' ? `${sentence} It covers ${reach}.` : sentence;
  find('answer').textContent = said;
  show(verdict, verdict === 'verified' ? 'Verified' : 'Does not match', said);
}

function save() {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = 'event.bundle';
  link.click();
  URL.revokeObjectURL(link.href);
}

function start() {
  let bundle = null;
  try {
    bundle = run();
  } catch (error) {
    show('not consistent', 'Not checked', `The check could not be done: ${error.message}`);
  }
  find('known-form').addEventListener('submit', (event) => {
    event.preventDefault();
    compare(bundle);
  });
  find('save').addEventListener('click', save);
}

show('checking', 'Checking', '');
// So that the page is there before the work begins.
setTimeout(start, 0);
