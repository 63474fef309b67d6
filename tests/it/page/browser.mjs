// Opens pages in a headless Chromium and says what they say, as JSON.
//
//   node browser.mjs <chromium> <folder for the browser's own files> < requests
//
// A request is a line of JSON: `file`, with `hash` the end of its address, and where something is typed `known`, or a list of what is typed one after another, and `then` the end that its address has afterwards; with `script` false
// the page runs without JavaScript, and with `save` true the records are saved. One line of JSON comes
// out for each: the verdict, its words, what was said, the findings, the answer, what the address asked for, the visible text, what is seen
// line by line, what the browser tells of the page to those who cannot see it, what was saved, and every
// address that was asked for.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [chromium, profile] = process.argv.slice(2);
const PATIENCE = 60000;

const browser = spawn(chromium, [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--disable-dev-shm-usage', `--user-data-dir=${profile}`, '--remote-debugging-pipe',
], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });

const waiting = new Map();
const heard = [];
let last = 0;
let rest = '';
browser.stdio[4].setEncoding('utf8');
browser.stdio[4].on('data', (data) => {
  const messages = (rest + data).split('\0');
  rest = messages.pop();
  for (const text of messages) {
    const message = JSON.parse(text);
    if (message.id === undefined) heard.push(message);
    else {
      const { resolve, reject } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    }
  }
});

function ask(method, params = {}, sessionId = undefined) {
  last += 1;
  const id = last;
  browser.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// What a reader sees, line by line from the top: each text where it stands, if nothing lies over it.
const SEEN = `(() => {
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const pieces = [];
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (node.data.trim() === '') continue;
    range.selectNodeContents(node);
    const place = range.getClientRects()[0];
    if (!place || place.width === 0) continue;
    const on = document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2);
    if (on === node.parentElement) pieces.push({ y: Math.round(place.bottom / 8), x: place.x, text: node.data.trim() });
  }
  pieces.sort((a, b) => a.y - b.y || a.x - b.x);
  const lines = new Map();
  for (const { y, text } of pieces) lines.set(y, lines.has(y) ? lines.get(y) + ' | ' + text : text);
  return [...lines.values()];
})()`;

// What the button saves, as it lies on the disk.
async function pressed(value) {
  const downloadPath = join(profile, 'saved');
  await ask('Browser.setDownloadBehavior', { behavior: 'allowAndName', downloadPath, eventsEnabled: true });
  await value("document.getElementById('save').click()");
  const ended = () => heard.find(({ method, params }) => method === 'Browser.downloadProgress' && params.state === 'completed');
  const started = Date.now();
  while (ended() === undefined) {
    if (Date.now() - started > PATIENCE) throw new Error('the button saves nothing');
    await pause(20);
  }
  return readFileSync(join(downloadPath, ended().params.guid), 'utf8');
}

// Each part of the page that the browser tells to those who cannot see it: fields and what stands in
// them, pictures and their words, frames.
async function told(own) {
  const { nodes } = await own('Accessibility.getFullAXTree');
  return nodes.filter((node) => !node.ignored).map(({ role, name, value }) => {
    return [role?.value, name?.value, value?.value].filter((part) => part !== undefined && part !== '').join(': ');
  });
}

async function open({ file, hash = '', known, then, script = true, save = false }) {
  const { targetId } = await ask('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await ask('Target.attachToTarget', { targetId, flatten: true });
  const own = (method, params) => ask(method, params, sessionId);
  const value = async (expression) => {
    const { result, exceptionDetails } = await own('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value;
  };
  heard.length = 0;
  await own('Network.enable');
  await own('Page.enable');
  await own('Emulation.setDeviceMetricsOverride', { width: 1200, height: 4000, deviceScaleFactor: 1, mobile: false });
  if (!script) await own('Emulation.setScriptExecutionDisabled', { value: true });
  await own('Page.navigate', { url: `${pathToFileURL(file).href}${hash}` });
  const started = Date.now();
  const settled = () => {
    return value(script
      ? "document.readyState === 'complete' && !['unchecked', 'checking'].includes(document.documentElement.dataset.verdict ?? 'unchecked')"
      : "document.readyState === 'complete' && document.querySelector('main') !== null");
  };
  while (!await settled()) {
    if (Date.now() - started > PATIENCE) throw new Error(`${file} does not come to an end`);
    await pause(20);
  }
  for (const typed of known === undefined ? [] : [known].flat()) {
    await value(`document.getElementById('known').value = ${JSON.stringify(typed)}`);
    await value("document.getElementById('known-form').requestSubmit()");
    await pause(50);
  }
  if (then !== undefined) {
    await value(`location.hash = ${JSON.stringify(then)}`);
    await pause(50);
  }
  const said = await value(`({
    verdict: document.documentElement.dataset.verdict,
    words: document.getElementById('verdict').textContent,
    said: document.getElementById('said').textContent,
    mine: document.getElementById('mine').hidden ? '' : document.getElementById('mine').innerText,
    findings: [...document.querySelectorAll('#findings li')].map((item) => item.textContent),
    answer: document.getElementById('answer').textContent,
    window: document.title,
  })`);
  const lines = await value(SEEN);
  const tree = script ? await told(own) : [];
  // A bracket is drawn where a script runs; its matches stand in the rounds.
  const text = await value(`(() => {
    document.getElementById('brackets')?.remove();
    return document.querySelector('main').innerText;
  })()`);
  const asked = heard.filter((one) => one.method === 'Network.requestWillBeSent');
  const saved = save ? await pressed(value) : null;
  await ask('Target.closeTarget', { targetId });
  return { ...said, text, lines, tree, saved, requests: asked.map((one) => one.params.request.url) };
}

try {
  for (const line of readFileSync(0, 'utf8').split('\n').filter((text) => text !== '')) {
    console.log(JSON.stringify(await open(JSON.parse(line))));
  }
} finally {
  await ask('Browser.close').catch(() => {});
  browser.kill();
}
