/**
 * A client for a Scrutineer server, made from its description, server/openapi.json.
 *
 * Do not edit it: SCRUTINEER_REWRITE_SCHEMAS=1 cargo test --test it clients:: writes it anew.
 * It needs a browser, or Node 20, and nothing else.
 */

/** The server said no: `code` is stable, `problem` has everything that it said. */
export class Refused extends Error {
  constructor(status, problem) {
    super(`${problem.detail ?? problem.title ?? status} [${problem.code ?? ''}]`);
    this.status = status;
    this.problem = problem;
    this.code = problem.code ?? '';
  }
}

const part = (value) => encodeURIComponent(String(value));
// On plain http browsers have no randomUUID.
const freshKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
// Longer than this, in seconds, nobody waits for a program.
const LONGEST = 60;
// For how many seconds whoever asks too fast is told to wait; null: nobody says so, or it is too long.
const secondsToWait = (answer) => {
  const seconds = Number(answer.headers.get('retry-after'));
  return answer.status === 429 && seconds > 0 && seconds <= LONGEST ? seconds : null;
};
const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

/** Asks a server, such as `new Client('http://127.0.0.1:7780', { token: 'scr_...' })`. */
export class Client {
  constructor(url, { token = null, waits = true } = {}) {
    this.url = `${url.replace(/\/+$/, '')}/api/v1`;
    this.token = token;
    /** Whether it waits as long as it is told where it asks too fast, twice at most, and then asks again. */
    this.waits = waits;
    /** The ETag of the last answer, for `ifNoneMatch` and `ifMatch`. */
    this.etag = null;
    /** The path of the next page of the last answer, where there is one. */
    this.next = null;
  }

  async send(method, path, query, headers, body) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const asked = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined && value !== null));
    if (this.token) sent.Authorization = `Bearer ${this.token}`;
    // A file and a text are sent as they are.
    const isFile = body instanceof Uint8Array || body instanceof Blob;
    const isJson = body !== undefined && body !== null && !isFile && typeof body !== 'string';
    if (isFile || isJson) sent['Content-Type'] = isFile ? 'application/octet-stream' : 'application/json';
    const data = isJson ? JSON.stringify(body) : body ?? undefined;
    return fetch(this.url + path + (asked ? `?${asked}` : ''), { method, headers: sent, body: data });
  }

  async ask(method, path, query, headers, body) {
    // What only reads, or has a key under which it is done once, may be sent again.
    const again = method === 'GET' || 'Idempotency-Key' in headers;
    for (const wait of [500, 2000, null]) {
      let told = null;
      try {
        const answer = await this.send(method, path, query, headers, body);
        // Of what came too fast nothing was done.
        if (this.waits) told = secondsToWait(answer);
        const isLater = told !== null || (again && [503, 504].includes(answer.status));
        if (wait === null || !isLater) return await this.read(answer);
      } catch (error) {
        if (error instanceof Refused || !again || wait === null) throw error;
      }
      await pause(told === null ? wait : told * 1000);
    }
    return null;
  }

  async read(answer) {
    if (answer.status === 304) return null;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const kind = answer.headers.get('content-type') ?? 'text/';
    const isJson = text !== '' && kind.includes('json');
    if (!answer.ok) throw new Refused(answer.status, isJson ? JSON.parse(text) : { title: answer.statusText });
    this.etag = answer.headers.get('etag');
    this.next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    if (!kind.includes('json') && !kind.startsWith('text/')) return bytes;
    if (kind.includes('ndjson')) return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
    if (text === '') return null;
    return isJson ? JSON.parse(text) : text;
  }

  /** Says what happens as it happens: `event`, `id` and `data` of each, until the stream ends. */
  async* watch(id, { lastEventId } = {}) {
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': lastEventId };
    const answer = await this.send('GET', `/tournaments/${part(id)}/live`, {}, headers);
    if (!answer.ok) await this.read(answer);
    let rest = '';
    for await (const bytes of answer.body.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + bytes).split('\n\n');
      rest = parts.pop();
      for (const one of parts) {
        const told = {};
        for (const line of one.split('\n')) {
          const found = /^(event|id|data): ?(.*)$/.exec(line);
          if (found) [, , told[found[1]]] = found;
        }
        if (told.data !== undefined) yield { ...told, data: JSON.parse(told.data) };
      }
    }
  }
