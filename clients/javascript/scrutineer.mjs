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

  /** Lists who changed accounts, links and tokens. @returns {Promise<AccountChanges>} */
  async listChanges({ after } = {}) {
    return this.ask('GET', `/changes`, { 'after': after }, {});
  }

  /** Lists the editions of rules that are here for everybody, the newest first. @returns {Promise<EditionsOffered>} */
  async listEditions({ ifNoneMatch } = {}) {
    return this.ask('GET', `/editions`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Keeps an edition here for everybody. @returns {Promise<EditionOffered>} */
  async putEdition(body, { key } = {}) {
    return this.ask('POST', `/editions`, { 'key': key }, {}, body);
  }

  /** Gives an edition as it was signed. @returns {Promise<Anything>} */
  async getEdition(edition) {
    return this.ask('GET', `/editions/${part(edition)}`, {}, {});
  }

  /** Stores a file of another program, or says what would become of it. @returns {Promise<ImportDone>} */
  async importFile(body, { name, dryRun, rules, columns } = {}) {
    return this.ask('POST', `/imports`, { 'name': name, 'dry-run': dryRun, 'rules': rules, 'columns': columns }, {}, body);
  }

  /** Lists the links that hold. @returns {Promise<Links>} */
  async listLinks() {
    return this.ask('GET', `/links`, {}, {});
  }

  /** Makes a link for staff. @returns {Promise<LinkMade>} */
  async makeLink(body, { idempotencyKey } = {}) {
    return this.ask('POST', `/links`, {}, { 'Idempotency-Key': idempotencyKey ?? freshKey() }, body);
  }

  /** Takes a link back. @returns {Promise<unknown>} */
  async endLink(link) {
    return this.ask('DELETE', `/links/${part(link)}`, {}, {});
  }

  /** Gives this description. @returns {Promise<Anything>} */
  async describe() {
    return this.ask('GET', `/openapi.json`, {}, {});
  }

  /** Ends the enrollment here, and says so there. @returns {Promise<PublisherEnded>} */
  async endEnrollment() {
    return this.ask('DELETE', `/publisher`, {}, {});
  }

  /** Says where this store is enrolled, and how its pushing goes. @returns {Promise<PublisherStands>} */
  async getPublisher() {
    return this.ask('GET', `/publisher`, {}, {});
  }

  /** Enrolls this store at a publisher's server, by a link that is good once. @returns {Promise<PublisherStands>} */
  async enroll(body) {
    return this.ask('POST', `/publisher`, {}, {}, body);
  }

  /** Says what was corrected, ruled and signed in all tournaments, and who moved. @returns {Promise<Review>} */
  async review({ since, until, by, tournament, only, verify, before } = {}) {
    return this.ask('GET', `/review`, { 'since': since, 'until': until, 'by': by, 'tournament': tournament, 'only': only, 'verify': verify, 'before': before }, {});
  }

  /** Lists the rulesets that are shipped. @returns {Promise<Rulesets>} */
  async listRulesets() {
    return this.ask('GET', `/rulesets`, {}, {});
  }

  /** Reads a ruleset that somebody wrote, and says what is wrong with it. @returns {Promise<RulesetChecked>} */
  async checkRuleset(body) {
    return this.ask('POST', `/rulesets/check`, {}, {}, body);
  }

  /** Gives a ruleset with its texts. @returns {Promise<Ruleset>} */
  async getRuleset(rules) {
    return this.ask('GET', `/rulesets/${part(rules)}`, {}, {});
  }

  /** Stops the one that runs. It ends at the next tournament. @returns {Promise<SeasonStands>} */
  async stopSeason() {
    return this.ask('DELETE', `/season`, {}, {});
  }

  /** Says how the ranking of all tournaments under other rules goes, or what came of the last one. @returns {Promise<SeasonStands>} */
  async getSeason() {
    return this.ask('GET', `/season`, {}, {});
  }

  /** Ranks all tournaments of this server under other rules, as a job: one at a time. @returns {Promise<SeasonStands>} */
  async rankSeason(body) {
    return this.ask('POST', `/season`, {}, {}, body);
  }

  /** Gives a report of the last one: of everything, or of one store; or the page of who moves. @returns {Promise<string>} */
  async getSeasonFile(file) {
    return this.ask('GET', `/season/${part(file)}`, {}, {});
  }

  /** Lists the browsers that are signed in. @returns {Promise<Sessions>} */
  async listSessions() {
    return this.ask('GET', `/sessions`, {}, {});
  }

  /** Ends a session. @returns {Promise<unknown>} */
  async endSession(session) {
    return this.ask('DELETE', `/sessions/${part(session)}`, {}, {});
  }

  /** Lists the accounts. @returns {Promise<Accounts>} */
  async listAccounts() {
    return this.ask('GET', `/staff`, {}, {});
  }

  /** Removes an account; its sessions end. @returns {Promise<unknown>} */
  async removeAccount(name) {
    return this.ask('DELETE', `/staff/${part(name)}`, {}, {});
  }

  /** Makes an account, or changes one; its sessions end. @returns {Promise<Accounts>} */
  async putAccount(name, body) {
    return this.ask('PUT', `/staff/${part(name)}`, {}, {}, body);
  }

  /** Lists the stores that are enrolled here, and links that no store has used yet. @returns {Promise<Stores>} */
  async listStores() {
    return this.ask('GET', `/stores`, {}, {});
  }

  /** Makes a link that enrolls a store, once for all its tournaments. @returns {Promise<StoreLinkMade>} */
  async makeStoreLink(body, { idempotencyKey } = {}) {
    return this.ask('POST', `/stores`, {}, { 'Idempotency-Key': idempotencyKey ?? freshKey() }, body);
  }

  /** Ends the enrollment of a store, or takes a link back. @returns {Promise<unknown>} */
  async endStore(store) {
    return this.ask('DELETE', `/stores/${part(store)}`, {}, {});
  }

  /** Lists the tokens that hold. @returns {Promise<Tokens>} */
  async listTokens() {
    return this.ask('GET', `/tokens`, {}, {});
  }

  /** Makes a token for a program. @returns {Promise<TokenMade>} */
  async makeToken(body, { idempotencyKey } = {}) {
    return this.ask('POST', `/tokens`, {}, { 'Idempotency-Key': idempotencyKey ?? freshKey() }, body);
  }

  /** Takes a token back. @returns {Promise<unknown>} */
  async endToken(token) {
    return this.ask('DELETE', `/tokens/${part(token)}`, {}, {});
  }

  /** Lists the tournaments of the store. @returns {Promise<Tournaments>} */
  async listTournaments({ state, after, limit } = {}) {
    return this.ask('GET', `/tournaments`, { 'state': state, 'after': after, 'limit': limit }, {});
  }

  /** Opens a tournament. @returns {Promise<OrderAnswer>} */
  async openTournament(body, { idempotencyKey } = {}) {
    return this.ask('POST', `/tournaments`, {}, { 'Idempotency-Key': idempotencyKey ?? freshKey() }, body);
  }

  /** Says where a tournament stands. @returns {Promise<Stands>} */
  async getTournament(id, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives the brackets as they stood at an event, with numbers and no names. @returns {Promise<Brackets>} */
  async getBracketAt(id, head, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/at/${part(head)}/bracket`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives a round as it stood at an event, with numbers and no names. @returns {Promise<Pairings>} */
  async getRoundAt(id, head, round, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/at/${part(head)}/rounds/${part(round)}`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives the standings as they stood at an event, with numbers and no names. @returns {Promise<Standings>} */
  async getStandingsAt(id, head, { through, measures, division, after, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/at/${part(head)}/standings`, { 'through': through, 'measures': measures, 'division': division, 'after': after }, { 'If-None-Match': ifNoneMatch });
  }

  /** Says why a player stood where they stood at an event, with numbers and no names. @returns {Promise<Explanation>} */
  async explainPlaceAt(id, head, player, { through, against, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/at/${part(head)}/standings/${part(player)}/explanation`, { 'through': through, 'against': against }, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives every private text of a tournament, reasons and notes too, and no secret: for an auditor. @returns {Promise<Uint8Array>} */
  async getAudit(id) {
    return this.ask('GET', `/tournaments/${part(id)}/audit`, {}, {});
  }

  /** Gives the brackets, once their rounds are out. @returns {Promise<Brackets>} */
  async getBracket(id, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/bracket`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives the tournament in one file, without names. @returns {Promise<Uint8Array>} */
  async getBundle(id) {
    return this.ask('GET', `/tournaments/${part(id)}/bundle`, {}, {});
  }

  /** Gives the last checkpoint that is kept. @returns {Promise<Checkpoint>} */
  async getCheckpoint(id, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/checkpoint`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Signs the log as it stands. @returns {Promise<Checkpoint>} */
  async signCheckpoint(id) {
    return this.ask('POST', `/tournaments/${part(id)}/checkpoint`, {}, {});
  }

  /** Gives every checkpoint that is kept. @returns {Promise<Checkpoints>} */
  async listCheckpoints(id, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/checkpoints`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives the last report of each player in each of their matches. @returns {Promise<Claims>} */
  async listClaims(id, { round, table, open, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/claims`, { 'round': round, 'table': table, 'open': open }, { 'If-None-Match': ifNoneMatch });
  }

  /** Says who would stand elsewhere under another ruleset, and because of what. @returns {Promise<Comparison>} */
  async compareRules(id, { asOf, through, rules, cut } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/compare`, { 'as-of': asOf, 'through': through, 'rules': rules, 'cut': cut }, {});
  }

  /** Lists the disputes. @returns {Promise<Disputes>} */
  async listDisputes(id, { asOf, open, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/disputes`, { 'as-of': asOf, 'open': open }, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives all that a head judge needs for a dispute. @returns {Promise<DisputeFile>} */
  async getDisputeFile(id, dispute, { asOf, cut } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/disputes/${part(dispute)}/file`, { 'as-of': asOf, 'cut': cut }, {});
  }

  /** Lists the formats of other programs, with what each would not hold of the tournament. @returns {Promise<Exports>} */
  async listExports(id) {
    return this.ask('GET', `/tournaments/${part(id)}/exports`, {}, {});
  }

  /** Gives the tournament as a file of another program. @returns {Promise<(Uint8Array|string)>} */
  async exportFile(id, format, body, { names } = {}) {
    return this.ask('POST', `/tournaments/${part(id)}/exports/${part(format)}`, { 'names': names }, {}, body);
  }

  /** Says how the floor stands: clock, announcements, featured tables. @returns {Promise<Anything>} */
  async getFloor(id) {
    return this.ask('GET', `/tournaments/${part(id)}/floor`, {}, {});
  }

  /** Does something on the floor. @returns {Promise<Anything>} */
  async changeFloor(id, body, { idempotencyKey } = {}) {
    return this.ask('PATCH', `/tournaments/${part(id)}/floor`, {}, { 'Idempotency-Key': idempotencyKey ?? freshKey() }, body);
  }

  /** Calls a judge: `table` and `what`. @returns {Promise<Anything>} */
  async callJudge(id, body, { idempotencyKey } = {}) {
    return this.ask('POST', `/tournaments/${part(id)}/floor/calls`, {}, { 'Idempotency-Key': idempotencyKey ?? freshKey() }, body);
  }

  /** Gives everything that was done on the floor, by whom and when. @returns {Promise<Anything>} */
  async listFloor(id) {
    return this.ask('GET', `/tournaments/${part(id)}/floor/entries`, {}, {});
  }

  /** Empties the private texts that are somebody's or name them, for good. @returns {Promise<Forgotten>} */
  async forget(id, body) {
    return this.ask('POST', `/tournaments/${part(id)}/forget`, {}, {}, body);
  }

  /** Gives the file by which another desk carries the tournament on. @returns {Promise<Uint8Array>} */
  async getHandover(id) {
    return this.ask('GET', `/tournaments/${part(id)}/handover`, {}, {});
  }

  /** Gives the log in sentences. @returns {Promise<Lines>} */
  async getLog(id, { after, wait, player, table, round, kind, person, changed, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/log`, { 'after': after, 'wait': wait, 'player': player, 'table': table, 'round': round, 'kind': kind, 'person': person, 'changed': changed }, { 'If-None-Match': ifNoneMatch });
  }

  /** Carries out one order or many. @returns {Promise<(OrderAnswer|Array<OrderLine>)>} */
  async giveOrders(id, body, { idempotencyKey, ifMatch } = {}) {
    return this.ask('POST', `/tournaments/${part(id)}/orders`, {}, { 'Idempotency-Key': idempotencyKey ?? freshKey(), 'If-Match': ifMatch }, body);
  }

  /** Lists the links of the players, and whether a device is bound to each. @returns {Promise<PlayerLinks>} */
  async listPlayerLinks(id) {
    return this.ask('GET', `/tournaments/${part(id)}/player-links`, {}, {});
  }

  /** Makes links for players: those who are named, or everybody who takes part and has none. @returns {Promise<PlayerLinksMade>} */
  async makePlayerLinks(id, body, { idempotencyKey } = {}) {
    return this.ask('POST', `/tournaments/${part(id)}/player-links`, {}, { 'Idempotency-Key': idempotencyKey ?? freshKey() }, body);
  }

  /** Frees the link of a player from its device: the next one that opens it is theirs. @returns {Promise<unknown>} */
  async freePlayerLink(id, player) {
    return this.ask('DELETE', `/tournaments/${part(id)}/player-links/${part(player)}/device`, {}, {});
  }

  /** Lists the players. @returns {Promise<Players>} */
  async listPlayers(id, { asOf, through, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/players`, { 'as-of': asOf, 'through': through }, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives a player of the roster. @returns {Promise<RosterRow>} */
  async getPlayer(id, player, { asOf, through, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/players/${part(player)}`, { 'as-of': asOf, 'through': through }, { 'If-None-Match': ifNoneMatch });
  }

  /** Says what everybody may see of the tournament. @returns {Promise<Policy>} */
  async getPolicies(id, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/policies`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Chooses what everybody may see of the tournament. @returns {Promise<Policy>} */
  async putPolicies(id, body) {
    return this.ask('PUT', `/tournaments/${part(id)}/policies`, {}, {}, body);
  }

  /** Proves that the log begins with what it was. @returns {Promise<Proof>} */
  async getProof(id, { from, to, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/proof`, { 'from': from, 'to': to }, { 'If-None-Match': ifNoneMatch });
  }

  /** Says what everybody can still reach. @returns {Promise<Reach>} */
  async getReach(id, { asOf, rules, cut, after, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/reach`, { 'as-of': asOf, 'rules': rules, 'cut': cut, 'after': after }, { 'If-None-Match': ifNoneMatch });
  }

  /** Says what a player can still reach, with each end of their match. @returns {Promise<Reach>} */
  async getPlayerReach(id, player, { asOf, rules, cut, after, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/reach/${part(player)}`, { 'as-of': asOf, 'rules': rules, 'cut': cut, 'after': after }, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives a receipt for what was recorded of a player, without names. @returns {Promise<PlayerReceipt>} */
  async getReceipt(id, player, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/receipt/${part(player)}`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives the records behind an event, with a checkpoint over the last of them. @returns {Promise<LogPart>} */
  async followRecords(id, { after, wait } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/records`, { 'after': after, 'wait': wait }, {});
  }

  /** Gives a page of records with their bytes, 256 each. @returns {Promise<Records>} */
  async getRecords(id, page, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/records/${part(page)}`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Gives the tournament again, step by step: what happened, and who moved. @returns {Promise<Steps>} */
  async replay(id, { asOf, through, rules, by, after } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/replay`, { 'as-of': asOf, 'through': through, 'rules': rules, 'by': by, 'after': after }, {});
  }

  /** Gives a round: tables, results, byes. @returns {Promise<Pairings>} */
  async getRound(id, round, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/rounds/${part(round)}`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Says what screens and overlays show, and by which link a device shows it. @returns {Promise<Screens>} */
  async getScreens(id, { ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/screens`, {}, { 'If-None-Match': ifNoneMatch });
  }

  /** Makes the link by which a device shows the screen, with whole names, and does nothing. @returns {Promise<Screens>} */
  async makeScreenLink(id, body) {
    return this.ask('POST', `/tournaments/${part(id)}/screens`, {}, {}, body);
  }

  /** Gives the standings. @returns {Promise<Standings>} */
  async getStandings(id, { asOf, through, rules, measures, division, after, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/standings`, { 'as-of': asOf, 'through': through, 'rules': rules, 'measures': measures, 'division': division, 'after': after }, { 'If-None-Match': ifNoneMatch });
  }

  /** Says why a player stands where they stand. @returns {Promise<Explanation>} */
  async explainPlace(id, player, { asOf, through, rules, against, ifNoneMatch } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/standings/${part(player)}/explanation`, { 'as-of': asOf, 'through': through, 'rules': rules, 'against': against }, { 'If-None-Match': ifNoneMatch });
  }

  /** Says what moved a player, and because of whom. @returns {Promise<Traced>} */
  async trace(id, player, { asOf, through, rules, by } = {}) {
    return this.ask('GET', `/tournaments/${part(id)}/trace/${part(player)}`, { 'as-of': asOf, 'through': through, 'rules': rules, 'by': by }, {});
  }

  /** Says what orders would do; nothing is recorded. @returns {Promise<WhatIf>} */
  async tryOrders(id, body, { cut } = {}) {
    return this.ask('POST', `/tournaments/${part(id)}/what-if`, { 'cut': cut }, {}, body);
  }

  /** Lists the webhooks: addresses that are told what happens. @returns {Promise<Webhooks>} */
  async listWebhooks() {
    return this.ask('GET', `/webhooks`, {}, {});
  }

  /** Makes a webhook. @returns {Promise<WebhookMade>} */
  async makeWebhook(body, { idempotencyKey } = {}) {
    return this.ask('POST', `/webhooks`, {}, { 'Idempotency-Key': idempotencyKey ?? freshKey() }, body);
  }

  /** Removes a webhook. @returns {Promise<unknown>} */
  async endWebhook(webhook) {
    return this.ask('DELETE', `/webhooks/${part(webhook)}`, {}, {});
  }

  /** Pauses a webhook, or lets it go on at once. @returns {Promise<WebhookListed>} */
  async pauseWebhook(webhook, body) {
    return this.ask('PATCH', `/webhooks/${part(webhook)}`, {}, {}, body);
  }

  /** Sends a webhook a delivery of nothing, to try whether it arrives. @returns {Promise<WebhookTried>} */
  async tryWebhook(webhook) {
    return this.ask('POST', `/webhooks/${part(webhook)}/try`, {}, {});
  }
}

/**
 * What was changed of accounts, links and tokens.
 * @typedef {Object} AccountChanges
 * @property {Array<Change>} [changes]
 */

/**
 * An account, without its password.
 * @typedef {Object} AccountListed
 * @property {string} [made]
 * @property {string} [name]
 * @property {string} [role]
 * @property {number} [sessions]
 * @property {(string|null)} [tournament]
 */

/**
 * Those who sign in by name.
 * @typedef {Object} Accounts
 * @property {Array<AccountListed>} [accounts]
 */

/**
 * A player who goes on by ruling.
 * @typedef {Object} AdvanceAnswer
 * @property {Player} [player]
 * @property {number} [table]
 * @property {string} [verb]
 */

/**
 * The player that somebody is compared with.
 * @typedef {Object} Against
 * @property {Player} [player]
 * @property {number} [rank]
 */

/**
 * A ruleset that is in force now.
 * @typedef {Object} AmendRulesAnswer
 * @property {string} [before]
 * @property {string} [rules]
 * @property {string} [verb]
 */

/**
 * Standings that were announced.
 * @typedef {Object} AnnounceAnswer
 * @property {number} [open_tables]
 * @property {string} [table_hash]
 * @property {number} [through]
 * @property {string} [verb]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerAdvance
 * @property {Player} [player]
 * @property {number} [table]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerAmendRules
 * @property {string} [before]
 * @property {string} [rules]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerAnnounce
 * @property {number} [open_tables]
 * @property {string} [table_hash]
 * @property {number} [through]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerBye
 * @property {(string|null)} [kind]
 * @property {Player} [player]
 * @property {number} [round]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerCheckIn
 * @property {number} [missing]
 * @property {Player} [player]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerClaim
 * @property {(boolean|null)} [agrees]
 * @property {Player} [player]
 * @property {Array<Player>} [players]
 * @property {(string|null)} [result]
 * @property {number} [round]
 * @property {string} [score]
 * @property {number} [table]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerClose
 * @property {Array<Ranked>} [first]
 * @property {number} [rounds]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerCorrect
 * @property {number} [missing]
 * @property {Array<number>} [penalties_served]
 * @property {Array<Player>} [players]
 * @property {string} [result]
 * @property {number} [round]
 * @property {number} [table]
 * @property {boolean} [turned]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerCut
 * @property {Array<Player>} [entrants]
 * @property {string} [kind]
 * @property {Array<Player>} [passed_over]
 * @property {number} [phase]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerDescribe
 * @property {(string|null)} [federation]
 * @property {(string|null)} [id]
 * @property {Player} [player]
 * @property {(number|null)} [rating]
 * @property {(string|null)} [title]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerDisputeOpen
 * @property {number} [dispute]
 * @property {string} [verb]
 * @property {string} [where]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerDisputeRule
 * @property {ResultAnswer} [corrected]
 * @property {number} [dispute]
 * @property {boolean} [upheld]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerDrop
 * @property {(number|null)} [after_round]
 * @property {boolean} [match_lost]
 * @property {Player} [player]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerEnroll
 * @property {Array<Player>} [already]
 * @property {number} [from_round]
 * @property {Array<Player>} [players]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerKeepTable
 * @property {Player} [player]
 * @property {(number|null)} [table]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerLots
 * @property {Array<Player>} [drawn]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerNameStaff
 * @property {number} [actor]
 * @property {string} [name]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerNew
 * @property {string} [phases]
 * @property {string} [rules]
 * @property {string} [seed_commitment]
 * @property {string} [slip]
 * @property {string} [title]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerNote
 * @property {(number|null)} [about]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerNoteScore
 * @property {Array<Player>} [players]
 * @property {number} [round]
 * @property {string} [score]
 * @property {number} [table]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerPair
 * @property {boolean} [apart]
 * @property {Array<RoundBye>} [byes]
 * @property {(string|null)} [called]
 * @property {(string|null)} [engine]
 * @property {string} [method]
 * @property {number} [round]
 * @property {(string|null)} [seed]
 * @property {(number|null)} [seed_number]
 * @property {Array<RoundTable>} [tables]
 * @property {string} [verb]
 * @property {number} [version]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerPenalty
 * @property {string} [penalty]
 * @property {Player} [player]
 * @property {(number|null)} [table]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerPublish
 * @property {number} [round]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerReinstate
 * @property {(number|null)} [from_round]
 * @property {Player} [player]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerRemove
 * @property {string} [reason]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerRename
 * @property {Player} [player]
 * @property {string} [verb]
 * @property {string} [was]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerRepair
 * @property {Array<Player>} [byes]
 * @property {Array<Moved>} [moved]
 * @property {Array<Player>} [out]
 * @property {Array<NewTable>} [tables]
 * @property {Array<Player>} [unpaired]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerReseed
 * @property {string} [seed_commitment]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerSetDivision
 * @property {(string|null)} [division]
 * @property {Player} [player]
 * @property {string} [verb]
 * @property {(string|null)} [was]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerTables
 * @property {Array<string>} [ranges]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerUndo
 * @property {Array<number>} [stays]
 * @property {Array<Undone>} [undone]
 * @property {number} [undone_first]
 * @property {number} [undone_last]
 * @property {string} [verb]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} AnswerWithdraw
 * @property {number} [seq]
 * @property {string} [verb]
 * @property {string} [what]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/** An object. @typedef {Object<string, unknown>} Anything */

/**
 * The moment in the past as of which an answer is given.
 * @typedef {Object} AsOf
 * @property {number} [last]
 * @property {string} [recorded]
 * @property {number} [seq]
 */

/** What becomes of a player at a cut. @typedef {"enters"|"leaves"} AtCut */

/** What the places were taken from. @typedef {"counted"|"sampled"|"bounds"} Basis */

/** A bound that counts instead of what was computed. @typedef {"floor"|"cap"|"dropped-cap"|"one-opponent"} Bound */

/**
 * A bracket.
 * @typedef {Object} Bracket
 * @property {string} [name]
 * @property {Array<BracketPart>} [parts]
 * @property {Array<BracketSeed>} [seeds]
 */

/**
 * A match of a bracket.
 * @typedef {Object} BracketMatch
 * @property {string} [head]
 * @property {boolean} [is_played]
 * @property {Array<BracketSeat>} [seats]
 */

/**
 * A part of a bracket.
 * @typedef {Object} BracketPart
 * @property {string} [name]
 * @property {Array<BracketStage>} [stages]
 */

/**
 * A player of a match, or whoever that will be.
 * @typedef {Object} BracketSeat
 * @property {string} [name]
 * @property {string} [remark]
 * @property {string} [score]
 * @property {string} [seed]
 * @property {string} [state]
 */

/**
 * An entrant of a bracket.
 * @typedef {Object} BracketSeed
 * @property {string} [now]
 * @property {Person} [player]
 * @property {number} [seed]
 */

/**
 * A round of a bracket.
 * @typedef {Object} BracketStage
 * @property {string} [leads]
 * @property {Array<BracketMatch>} [matches]
 * @property {string} [name]
 */

/**
 * The brackets of a tournament.
 * @typedef {Object} Brackets
 * @property {Array<Bracket>} [brackets]
 */

/**
 * A player who has a bye in a round to come, or plays in it after all.
 * @typedef {Object} ByeAnswer
 * @property {(string|null)} [kind]
 * @property {Player} [player]
 * @property {number} [round]
 * @property {string} [verb]
 */

/**
 * A bye in a round that is not paired yet.
 * @typedef {Object} ByeToCome
 * @property {string} [kind]
 * @property {number} [round]
 */

/** How a player stands to the cut. @typedef {"clinched"|"open"|"out"} Chance */

/**
 * A change of who may do what.
 * @typedef {Object} Change
 * @property {string} [by]
 * @property {number} [seq]
 * @property {string} [time]
 * @property {string} [what]
 */

/**
 * What would change.
 * @typedef {Object} Changes
 * @property {TableName} [after]
 * @property {TableName} [before]
 * @property {(CutChange|null)} [cut]
 * @property {Array<CutMade>} [cuts_made]
 * @property {Array<Move>} [moves]
 * @property {Array<PlaceLost>} [out]
 * @property {Array<LaterRound>} [rounds]
 * @property {number} [unchanged]
 */

/**
 * A player who is here.
 * @typedef {Object} CheckInAnswer
 * @property {number} [missing]
 * @property {Player} [player]
 * @property {string} [verb]
 */

/**
 * A signed checkpoint.
 * @typedef {Object} Checkpoint
 * @property {string} [checkpoint]
 * @property {string} [head]
 * @property {number} [records]
 * @property {string} [root]
 * @property {Array<string>} [signers]
 * @property {string} [time]
 * @property {TournamentName} [tournament]
 * @property {string} [verb]
 * @property {Array<string>} [verifier_keys]
 */

/**
 * A signed checkpoint.
 * @typedef {Object} CheckpointAnswer
 * @property {string} [checkpoint]
 * @property {string} [head]
 * @property {number} [records]
 * @property {string} [root]
 * @property {Array<string>} [signers]
 * @property {string} [time]
 * @property {TournamentName} [tournament]
 * @property {string} [verb]
 * @property {Array<string>} [verifier_keys]
 */

/**
 * Checkpoints that are kept.
 * @typedef {Object} Checkpoints
 * @property {Array<CheckpointAnswer>} [checkpoints]
 */

/**
 * What a player reports of their match.
 * @typedef {Object} ClaimAnswer
 * @property {(boolean|null)} [agrees]
 * @property {Player} [player]
 * @property {Array<Player>} [players]
 * @property {(string|null)} [result]
 * @property {number} [round]
 * @property {string} [score]
 * @property {number} [table]
 * @property {string} [verb]
 */

/**
 * What players report.
 * @typedef {Object} Claims
 * @property {Array<Reported>} [claims]
 */

/**
 * A tournament that was closed.
 * @typedef {Object} CloseAnswer
 * @property {Array<Ranked>} [first]
 * @property {number} [rounds]
 * @property {string} [verb]
 */

/**
 * A command that was tried.
 * @typedef {Object} CommandTried
 * @property {Array<unknown>} [answers]
 * @property {string} [command]
 */

/**
 * A tournament's standings under another ruleset.
 * @typedef {Object} CompareAnswer
 * @property {RulesetName} [after]
 * @property {RulesetName} [before]
 * @property {(number|null)} [cut]
 * @property {Array<KeyDifference>} [differences]
 * @property {Array<Move>} [moves]
 * @property {TournamentName} [tournament]
 * @property {number} [unchanged]
 */

/**
 * An answer as of a moment in the past, if it is one.
 * @typedef {Object} Comparison
 * @property {RulesetName} [after]
 * @property {RulesetName} [before]
 * @property {(number|null)} [cut]
 * @property {Array<KeyDifference>} [differences]
 * @property {Array<Move>} [moves]
 * @property {TournamentName} [tournament]
 * @property {number} [unchanged]
 * @property {AsOf} [as_of]
 */

/**
 * Who makes a cut.
 * @typedef {Object} Cut
 * @property {boolean} [across_a_tie]
 * @property {Array<Player>} [in]
 * @property {Array<PassedOver>} [passed]
 * @property {number} [top]
 */

/**
 * A phase that began with a cut.
 * @typedef {Object} CutAnswer
 * @property {Array<Player>} [entrants]
 * @property {string} [kind]
 * @property {Array<Player>} [passed_over]
 * @property {number} [phase]
 * @property {string} [verb]
 */

/**
 * Who would cross a cut that is to come.
 * @typedef {Object} CutChange
 * @property {boolean} [across_a_tie]
 * @property {Array<Player>} [enters]
 * @property {Array<Player>} [leaves]
 * @property {Array<Player>} [newly_tied]
 * @property {Array<Player>} [no_longer_tied_in]
 * @property {Array<Player>} [no_longer_tied_out]
 * @property {number} [top]
 */

/**
 * A cut that was made and would have been another.
 * @typedef {Object} CutMade
 * @property {boolean} [by_lots]
 * @property {Array<Player>} [enters]
 * @property {Array<Player>} [leaves]
 * @property {number} [phase]
 * @property {boolean} [reseeded]
 * @property {number} [top]
 */

/**
 * An answer as of a moment in the past, if it is one.
 * @typedef {Object} DatedDisputeFile
 * @property {(Player|null)} [by]
 * @property {string} [claim]
 * @property {Array<DisputeClaim>} [claims]
 * @property {Array<number>} [corrected_in]
 * @property {number} [dispute]
 * @property {Array<LogLine>} [events]
 * @property {(DisputeFloor|null)} [floor]
 * @property {Array<DisputeNext>} [next_round]
 * @property {(string|null)} [opened]
 * @property {Array<PlausibleResult>} [plausible]
 * @property {Array<Player>} [players]
 * @property {(string|null)} [result]
 * @property {number} [round]
 * @property {(DisputeRuling|null)} [ruling]
 * @property {number} [seq]
 * @property {Array<DisputeSlip>} [slips]
 * @property {Array<DisputeStandings>} [standings]
 * @property {string} [state]
 * @property {(number|null)} [table]
 * @property {AsOf} [as_of]
 */

/**
 * An answer as of a moment in the past, if it is one.
 * @typedef {Object} DatedDisputes
 * @property {Array<DisputeRow>} [disputes]
 * @property {AsOf} [as_of]
 */

/**
 * An answer as of a moment in the past, if it is one.
 * @typedef {Object} DatedPairings
 * @property {Array<RoundBye>} [byes]
 * @property {(string|null)} [called]
 * @property {boolean} [completed]
 * @property {(string|null)} [engine]
 * @property {number} [missing]
 * @property {boolean} [published]
 * @property {number} [round]
 * @property {string} [status]
 * @property {Array<RoundTable>} [tables]
 * @property {Array<Unseated>} [unpaired]
 * @property {string} [verb]
 * @property {AsOf} [as_of]
 */

/**
 * An answer as of a moment in the past, if it is one.
 * @typedef {Object} DatedPlayers
 * @property {Array<RosterRow>} [players]
 * @property {string} [verb]
 * @property {AsOf} [as_of]
 */

/**
 * A player with another title, federation, rating or id.
 * @typedef {Object} DescribeAnswer
 * @property {(string|null)} [federation]
 * @property {(string|null)} [id]
 * @property {Player} [player]
 * @property {(number|null)} [rating]
 * @property {(string|null)} [title]
 * @property {string} [verb]
 */

/**
 * What a player reported of their match.
 * @typedef {Object} DisputeClaim
 * @property {string} [by]
 * @property {(string|null)} [device]
 * @property {Player} [player]
 * @property {string} [score]
 * @property {number} [seq]
 * @property {string} [time]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} DisputeFile
 * @property {(Player|null)} [by]
 * @property {string} [claim]
 * @property {Array<DisputeClaim>} [claims]
 * @property {Array<number>} [corrected_in]
 * @property {number} [dispute]
 * @property {Array<LogLine>} [events]
 * @property {(DisputeFloor|null)} [floor]
 * @property {Array<DisputeNext>} [next_round]
 * @property {(string|null)} [opened]
 * @property {Array<PlausibleResult>} [plausible]
 * @property {Array<Player>} [players]
 * @property {(string|null)} [result]
 * @property {number} [round]
 * @property {(DisputeRuling|null)} [ruling]
 * @property {number} [seq]
 * @property {Array<DisputeSlip>} [slips]
 * @property {Array<DisputeStandings>} [standings]
 * @property {string} [state]
 * @property {(number|null)} [table]
 * @property {AsOf} [as_of]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * All that a head judge needs for a dispute.
 * @typedef {Object} DisputeFileAnswer
 * @property {(Player|null)} [by]
 * @property {string} [claim]
 * @property {Array<DisputeClaim>} [claims]
 * @property {Array<number>} [corrected_in]
 * @property {number} [dispute]
 * @property {Array<LogLine>} [events]
 * @property {(DisputeFloor|null)} [floor]
 * @property {Array<DisputeNext>} [next_round]
 * @property {(string|null)} [opened]
 * @property {Array<PlausibleResult>} [plausible]
 * @property {Array<Player>} [players]
 * @property {(string|null)} [result]
 * @property {number} [round]
 * @property {(DisputeRuling|null)} [ruling]
 * @property {number} [seq]
 * @property {Array<DisputeSlip>} [slips]
 * @property {Array<DisputeStandings>} [standings]
 * @property {string} [state]
 * @property {(number|null)} [table]
 */

/**
 * What was done on the floor about a table.
 * @typedef {Object} DisputeFloor
 * @property {Array<DisputeFloorLine>} [done]
 * @property {number} [extension]
 */

/**
 * Something that was done on the floor.
 * @typedef {Object} DisputeFloorLine
 * @property {(string|null)} [by]
 * @property {string} [time]
 * @property {string} [what]
 */

/**
 * As what the next round took a player of the match.
 * @typedef {Object} DisputeNext
 * @property {Array<Player>} [against]
 * @property {(string|null)} [paired_as]
 * @property {Player} [player]
 * @property {(Record|null)} [record]
 * @property {number} [round]
 * @property {(number|null)} [table]
 */

/**
 * A dispute that was opened.
 * @typedef {Object} DisputeOpenAnswer
 * @property {number} [dispute]
 * @property {string} [verb]
 * @property {string} [where]
 */

/**
 * A dispute of the list.
 * @typedef {Object} DisputeRow
 * @property {(number|null)} [age_seconds]
 * @property {(Player|null)} [by]
 * @property {string} [claim]
 * @property {Array<number>} [corrected_in]
 * @property {number} [dispute]
 * @property {(string|null)} [opened]
 * @property {(string|null)} [recorded_by]
 * @property {(number|null)} [ruled_in]
 * @property {number} [seq]
 * @property {string} [state]
 * @property {boolean} [uncorrected]
 * @property {string} [where]
 */

/**
 * A dispute that was ruled.
 * @typedef {Object} DisputeRuleAnswer
 * @property {ResultAnswer} [corrected]
 * @property {number} [dispute]
 * @property {boolean} [upheld]
 * @property {string} [verb]
 */

/**
 * The ruling of a dispute.
 * @typedef {Object} DisputeRuling
 * @property {string} [by]
 * @property {string} [reason]
 * @property {number} [seq]
 * @property {string} [time]
 * @property {boolean} [upheld]
 */

/**
 * A slip of a match as it was typed.
 * @typedef {Object} DisputeSlip
 * @property {string} [by]
 * @property {boolean} [corrected]
 * @property {string} [score]
 * @property {number} [seq]
 * @property {string} [time]
 * @property {(DisputeUndone|null)} [undone]
 */

/**
 * The standings around the players of a dispute, at a moment.
 * @typedef {Object} DisputeStandings
 * @property {Array<PlaceAround>} [around]
 * @property {Array<DisputedPlace>} [players]
 * @property {number} [seq]
 * @property {number} [through]
 * @property {string} [when]
 */

/**
 * How a slip was taken back.
 * @typedef {Object} DisputeUndone
 * @property {string} [by]
 * @property {number} [seq]
 * @property {string} [time]
 */

/**
 * The place of a player of the match.
 * @typedef {Object} DisputedPlace
 * @property {Player} [player]
 * @property {(number|null)} [rank]
 * @property {(Record|null)} [record]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} Disputes
 * @property {Array<DisputeRow>} [disputes]
 * @property {AsOf} [as_of]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * The disputes.
 * @typedef {Object} DisputesAnswer
 * @property {Array<DisputeRow>} [disputes]
 */

/**
 * A player's place in their division.
 * @typedef {Object} DivisionPlace
 * @property {string} [decided_by]
 * @property {string} [name]
 * @property {number} [of]
 * @property {number} [rank]
 */

/**
 * A player who left.
 * @typedef {Object} DropAnswer
 * @property {(number|null)} [after_round]
 * @property {boolean} [match_lost]
 * @property {Player} [player]
 * @property {string} [verb]
 */

/**
 * An edition as a server has it for everybody.
 * @typedef {Object} EditionOffered
 * @property {string} [edition]
 * @property {string} [hash]
 * @property {string} [key]
 * @property {string} [name]
 * @property {(string|null)} [replaces]
 * @property {string} [rules]
 * @property {string} [time]
 */

/**
 * The editions that a server has for everybody.
 * @typedef {Object} EditionsOffered
 * @property {Array<EditionOffered>} [editions]
 */

/** How the match that a player is in may end for them. @typedef {"win"|"draw"|"agreed-draw"|"loss"} End */

/**
 * Players who were enrolled.
 * @typedef {Object} EnrollAnswer
 * @property {Array<Player>} [already]
 * @property {number} [from_round]
 * @property {Array<Player>} [players]
 * @property {string} [verb]
 */

/**
 * A store that is enrolled here.
 * @typedef {Object} EnrolledStore
 * @property {number} [forked]
 * @property {string} [id]
 * @property {string} [made]
 * @property {string} [name]
 * @property {Array<string>} [rewritten]
 * @property {number} [tournaments]
 * @property {(string|null)} [used]
 */

/**
 * An event with its envelope.
 * @typedef {Object} EventShown
 * @property {string} [by]
 * @property {string} [command]
 * @property {string} [hash]
 * @property {number} [kind]
 * @property {number} [part]
 * @property {number} [parts]
 * @property {string} [payload]
 * @property {string} [previous]
 * @property {number} [schema]
 * @property {string} [sentence]
 * @property {number} [seq]
 * @property {string} [time]
 * @property {string} [word]
 */

/**
 * An exact value.
 * @typedef {Object} Exact
 * @property {(Whole|null)} [den]
 * @property {(Whole|null)} [num]
 * @property {string} [text]
 */

/**
 * Why a player has their place.
 * @typedef {Object} ExplainAnswer
 * @property {(Against|null)} [against]
 * @property {(DivisionPlace|null)} [division]
 * @property {(boolean|null)} [lots]
 * @property {Array<MeasureExplained>} [measures]
 * @property {number} [of]
 * @property {Player} [player]
 * @property {number} [rank]
 * @property {RulesetName} [ruleset]
 * @property {Array<StepCompared>} [steps]
 * @property {number} [through]
 * @property {TournamentName} [tournament]
 */

/**
 * An answer as of a moment in the past, if it is one.
 * @typedef {Object} Explanation
 * @property {(Against|null)} [against]
 * @property {(DivisionPlace|null)} [division]
 * @property {(boolean|null)} [lots]
 * @property {Array<MeasureExplained>} [measures]
 * @property {number} [of]
 * @property {Player} [player]
 * @property {number} [rank]
 * @property {RulesetName} [ruleset]
 * @property {Array<StepCompared>} [steps]
 * @property {number} [through]
 * @property {TournamentName} [tournament]
 * @property {AsOf} [as_of]
 */

/**
 * A format, and what it would not hold of this tournament.
 * @typedef {Object} ExportFormat
 * @property {string} [ending]
 * @property {string} [format]
 * @property {boolean} [into]
 * @property {Array<string>} [left_out]
 * @property {string} [name]
 * @property {boolean} [needs_file]
 * @property {(Problem|null)} [refused]
 */

/**
 * An export that has names in it.
 * @typedef {Object} ExportNoted
 * @property {(string|null)} [path]
 * @property {(number|null)} [player]
 * @property {string} [time]
 * @property {string} [what]
 */

/**
 * The formats in which a tournament can be given away.
 * @typedef {Object} Exports
 * @property {Array<ExportFormat>} [formats]
 * @property {TournamentName} [tournament]
 */

/** What is done on the floor: `do` names it. A round that is not named is the last one. @typedef {Object<string, unknown>} FloorChange */

/** What the overlay of a stream shows. @typedef {"auto"|"featured"|"standings"|"clock"|"nothing"} FloorOverlaying */

/** What a screen shows. @typedef {"auto"|"pairings"|"clock"|"standings"|"divisions"|"bracket"|"missing"|"announcements"} FloorShowing */

/**
 * Somebody who is forgotten, or would be.
 * @typedef {Object} Forgotten
 * @property {(number|null)} [actor]
 * @property {boolean} [already]
 * @property {boolean} [done]
 * @property {Array<ForgottenElsewhere>} [elsewhere]
 * @property {Array<ForgottenText>} [emptied]
 * @property {Array<ExportNoted>} [exports]
 * @property {number} [exports_unreadable]
 * @property {Array<number>} [namesakes]
 * @property {(number|null)} [player]
 * @property {string} [stand_in]
 * @property {Array<ForgottenText>} [staying]
 * @property {TournamentName} [tournament]
 */

/** What another tournament holds of somebody who is forgotten. @typedef {Object<string, unknown>} ForgottenElsewhere */

/**
 * A private text of somebody who is forgotten.
 * @typedef {Object} ForgottenText
 * @property {string} [because]
 * @property {number} [entry]
 * @property {(number|null)} [seq]
 * @property {(string|null)} [text]
 * @property {string} [what]
 */

/**
 * What happened in a step.
 * @typedef {Object} Happened
 * @property {number} [first_seq]
 * @property {number} [last_seq]
 * @property {string} [recorded]
 * @property {Array<string>} [sentences]
 * @property {TournamentName} [tournament]
 */

/**
 * A command that a hint names. What stands in angle brackets is to be filled in.
 * @typedef {Object} HintedCommand
 * @property {Array<string>} [arguments]
 * @property {string} [verb]
 */

/**
 * How far a tournament is.
 * @typedef {Object} HowFar
 * @property {(number|null)} [players]
 * @property {(number|null)} [round]
 * @property {string} [state]
 */

/**
 * A file that was imported, or not; a line for each.
 * @typedef {Object} ImportAnswer
 * @property {(Problem|null)} [error]
 * @property {string} [file]
 * @property {string} [format]
 * @property {number} [matched]
 * @property {number} [matches]
 * @property {number} [mismatched]
 * @property {Array<ImportOddity>} [oddities]
 * @property {number} [places]
 * @property {number} [players]
 * @property {Array<string>} [renewed]
 * @property {number} [rounds]
 * @property {number} [rows]
 * @property {string} [rules]
 * @property {number} [same_places]
 * @property {number} [stale]
 * @property {TournamentName} [tournament]
 * @property {Array<string>} [unknown]
 * @property {Array<Unmatched>} [unmatched]
 */

/**
 * What became of a file, or would become of it.
 * @typedef {Object} ImportDone
 * @property {ImportAnswer} [read]
 * @property {(SheetSeen|null)} [sheet]
 * @property {boolean} [stored]
 * @property {TournamentName} [tournament]
 * @property {string} [what]
 */

/**
 * Something that looks wrong in a file.
 * @typedef {Object} ImportOddity
 * @property {string} [at]
 * @property {string} [sentence]
 */

/**
 * A player who keeps a table, or no longer.
 * @typedef {Object} KeepTableAnswer
 * @property {Player} [player]
 * @property {(number|null)} [table]
 * @property {string} [verb]
 */

/**
 * A key in which two rulesets differ.
 * @typedef {Object} KeyDifference
 * @property {(string|null)} [after]
 * @property {(string|null)} [before]
 * @property {string} [key]
 */

/**
 * A round that was paired before a change was known.
 * @typedef {Object} LaterRound
 * @property {Array<Place>} [by_hand]
 * @property {Array<Place>} [instead]
 * @property {boolean} [out]
 * @property {Array<Place>} [paired]
 * @property {number} [round]
 * @property {number} [tables]
 * @property {PairedWith} [verdict]
 * @property {(string|null)} [why]
 */

/**
 * Lines of a log.
 * @typedef {Object} Lines
 * @property {Array<LogLine>} [log]
 */

/**
 * A link that was made.
 * @typedef {Object} LinkMade
 * @property {string} [code]
 * @property {string} [id]
 * @property {string} [path]
 */

/**
 * Links that hold.
 * @typedef {Object} Links
 * @property {Array<Listed>} [links]
 */

/**
 * A link, a session or a token, without its secret.
 * @typedef {Object} Listed
 * @property {string} [id]
 * @property {string} [made]
 * @property {(string|null)} [name]
 * @property {boolean} [once]
 * @property {string} [role]
 * @property {(string|null)} [tournament]
 * @property {(string|null)} [until]
 * @property {(string|null)} [used]
 */

/**
 * The end of a log.
 * @typedef {Object} LogHead
 * @property {string} [hash]
 * @property {number} [seq]
 */

/**
 * A line of `log`.
 * @typedef {Object} LogLine
 * @property {string} [by]
 * @property {string} [kind]
 * @property {string} [sentence]
 * @property {number} [seq]
 * @property {string} [time]
 * @property {(number|null)} [undone_in]
 * @property {(string|null)} [was]
 */

/**
 * What a log has behind an event, with a checkpoint over the last of it.
 * @typedef {Object} LogPart
 * @property {string} [checkpoint]
 * @property {(string|null)} [other]
 * @property {(number|null)} [other_restored]
 * @property {Array<string>} [records]
 */

/**
 * Lots that were drawn.
 * @typedef {Object} LotsAnswer
 * @property {Array<Player>} [drawn]
 * @property {string} [verb]
 */

/**
 * A measure of a player and what it is made of.
 * @typedef {Object} MeasureExplained
 * @property {number} [as_drawn]
 * @property {Exact} [before_bounds]
 * @property {boolean} [floor_counts]
 * @property {string} [label]
 * @property {string} [measure]
 * @property {boolean} [nothing_to_average]
 * @property {Array<Term>} [terms]
 * @property {Exact} [value]
 */

/**
 * A game of the two who are compared.
 * @typedef {Object} Meeting
 * @property {boolean} [forfeited]
 * @property {MeetingOutcome} [outcome]
 * @property {number} [round]
 * @property {MeetingOutcome} [theirs]
 */

/** How a game came out. @typedef {"win"|"draw"|"loss"|"none"} MeetingOutcome */

/**
 * A player whose place differs.
 * @typedef {Object} Move
 * @property {number} [after]
 * @property {Array<string>} [because]
 * @property {(number|null)} [before]
 * @property {(AtCut|null)} [cut]
 * @property {(Player|null)} [passes]
 * @property {(Passing|null)} [passing]
 * @property {Player} [player]
 * @property {(string|null)} [step_after]
 * @property {(string|null)} [step_before]
 */

/**
 * A player who sits somewhere else now.
 * @typedef {Object} Moved
 * @property {string} [name]
 * @property {number} [number]
 * @property {(number|null)} [from_table]
 */

/**
 * A number of the staff with another name.
 * @typedef {Object} NameStaffAnswer
 * @property {number} [actor]
 * @property {string} [name]
 * @property {string} [verb]
 */

/**
 * What a tournament is opened with.
 * @typedef {Object} New
 * @property {(number|null)} [best_of]
 * @property {Array<OrderRulesetText>} [files]
 * @property {(string|null)} [held_on]
 * @property {Array<string>} [phases]
 * @property {string} [rules]
 * @property {(string|null)} [slip]
 * @property {string} [title]
 */

/**
 * A tournament that was opened.
 * @typedef {Object} NewAnswer
 * @property {string} [phases]
 * @property {string} [rules]
 * @property {string} [seed_commitment]
 * @property {string} [slip]
 * @property {string} [title]
 * @property {string} [verb]
 */

/**
 * A table that was made.
 * @typedef {Object} NewTable
 * @property {Array<Player>} [players]
 * @property {number} [table]
 */

/**
 * A tournament that is in the store and not read.
 * @typedef {Object} NotRead
 * @property {string} [code]
 * @property {string} [id]
 * @property {string} [message]
 */

/**
 * A note that was written down.
 * @typedef {Object} NoteAnswer
 * @property {(number|null)} [about]
 * @property {string} [verb]
 */

/**
 * How a match stands that is not finished.
 * @typedef {Object} NoteScoreAnswer
 * @property {Array<Player>} [players]
 * @property {number} [round]
 * @property {string} [score]
 * @property {number} [table]
 * @property {string} [verb]
 */

/** What is asked for at the desk of a tournament: `order` names the verb. @typedef {(OrderEnroll|OrderLate|OrderPair|OrderPublish|OrderCheckIn|OrderClaim|OrderNoteScore|OrderNameStaff|OrderEnter|OrderCorrect|OrderRename|OrderSetDivision|OrderDescribe|OrderBye|OrderDrop|OrderReinstate|OrderDisqualify|OrderPenalty|OrderRepair|OrderSetPairing|OrderKeepTable|OrderSetTables|OrderCut|OrderAdvance|OrderDispute|OrderRule|OrderAmendRules|OrderNote|OrderUndo|OrderWithdraw|OrderRemove|OrderLots|OrderReseed|OrderAnnounce|OrderClose)} Order */

/**
 * Let a player go on by ruling.
 * @typedef {Object} OrderAdvance
 * @property {string} [order]
 * @property {string} [player]
 * @property {string} [reason]
 * @property {(number|null)} [round]
 * @property {number} [table]
 */

/**
 * Go on under another ruleset, for every round.
 * @typedef {Object} OrderAmendRules
 * @property {Array<OrderRulesetText>} [files]
 * @property {string} [order]
 * @property {string} [reason]
 * @property {string} [rules]
 */

/**
 * Record the standings' hash; completed rounds do it anyway.
 * @typedef {Object} OrderAnnounce
 * @property {string} [order]
 * @property {(number|null)} [through]
 */

/** What an order answers: what is told of every order, and the answer of its verb. @typedef {unknown} OrderAnswer */

/**
 * Note the bye that a player asks for in a round to come, or that they play after all.
 * @typedef {Object} OrderBye
 * @property {OrderByeAskedFor} [kind]
 * @property {string} [order]
 * @property {string} [player]
 * @property {number} [round]
 */

/** What a bye is worth that a player asks for. @typedef {"half"|"zero"|"full"|"none"} OrderByeAskedFor */

/**
 * Check a player in: they are here.
 * @typedef {Object} OrderCheckIn
 * @property {string} [order]
 * @property {string} [player]
 */

/**
 * Record what a player reports of their match; it is no result.
 * @typedef {Object} OrderClaim
 * @property {string} [order]
 * @property {string} [slip]
 */

/**
 * Close the tournament: its standings are final.
 * @typedef {Object} OrderClose
 * @property {string} [order]
 * @property {boolean} [unfinished]
 */

/**
 * Correct a result.
 * @typedef {Object} OrderCorrect
 * @property {(number|null)} [dispute]
 * @property {string} [order]
 * @property {string} [reason]
 * @property {(number|null)} [round]
 * @property {string} [slip]
 * @property {(string|null)} [was]
 */

/**
 * End the phase; those who go on play the next one.
 * @typedef {Object} OrderCut
 * @property {(number|null)} [best_of]
 * @property {Array<string>} [decline]
 * @property {(string|null)} [division]
 * @property {(string|null)} [kind]
 * @property {string} [order]
 * @property {(number|null)} [points]
 * @property {(number|null)} [top]
 */

/**
 * Correct a player's title, federation, rating and id.
 * @typedef {Object} OrderDescribe
 * @property {(string|null)} [federation]
 * @property {(string|null)} [id]
 * @property {string} [order]
 * @property {string} [player]
 * @property {(string|null)} [rating]
 * @property {(string|null)} [title]
 */

/**
 * Open a dispute about a match.
 * @typedef {Object} OrderDispute
 * @property {(string|null)} [by]
 * @property {string} [claim]
 * @property {string} [order]
 * @property {(number|null)} [round]
 * @property {string} [table]
 */

/**
 * Disqualify a player: they take no place.
 * @typedef {Object} OrderDisqualify
 * @property {string} [order]
 * @property {string} [player]
 * @property {string} [reason]
 */

/**
 * Drop a player.
 * @typedef {Object} OrderDrop
 * @property {boolean} [no_show]
 * @property {string} [order]
 * @property {string} [player]
 */

/**
 * Enroll players.
 * @typedef {Object} OrderEnroll
 * @property {boolean} [leave_known]
 * @property {boolean} [new_division]
 * @property {boolean} [now]
 * @property {string} [order]
 * @property {Array<OrderPerson>} [people]
 * @property {boolean} [same_name]
 */

/**
 * Enter a result.
 * @typedef {Object} OrderEnter
 * @property {string} [order]
 * @property {(number|null)} [round]
 * @property {string} [slip]
 */

/** How divisions are paired. @typedef {"together"|"apart"} OrderHowDivided */

/**
 * Keep a table for a player who sits there whenever they are paired, or no longer.
 * @typedef {Object} OrderKeepTable
 * @property {string} [order]
 * @property {string} [player]
 * @property {(number|null)} [table]
 */

/**
 * Enroll a player after round 1.
 * @typedef {Object} OrderLate
 * @property {boolean} [byes]
 * @property {boolean} [half_byes]
 * @property {boolean} [losses]
 * @property {boolean} [new_division]
 * @property {boolean} [now]
 * @property {string} [order]
 * @property {OrderPerson} [person]
 * @property {boolean} [same_name]
 */

/** What one of several orders answers: its place among them, its status, and the answer or why it is refused. @typedef {unknown} OrderLine */

/**
 * Many orders, as one object.
 * @typedef {Object} OrderList
 * @property {Array<Order>} [orders]
 */

/**
 * Draw lots for players whom nothing else tells apart.
 * @typedef {Object} OrderLots
 * @property {string} [order]
 */

/**
 * Say for whom of the staff a number in the log stands.
 * @typedef {Object} OrderNameStaff
 * @property {number} [actor]
 * @property {string} [name]
 * @property {string} [order]
 */

/**
 * Write a note into the log.
 * @typedef {Object} OrderNote
 * @property {(number|null)} [about]
 * @property {string} [order]
 * @property {string} [text]
 */

/**
 * Note how a match stands that is not finished.
 * @typedef {Object} OrderNoteScore
 * @property {string} [order]
 * @property {string} [slip]
 */

/**
 * Pair the next round.
 * @typedef {Object} OrderPair
 * @property {boolean} [again]
 * @property {(string|null)} [dice]
 * @property {(OrderHowDivided|null)} [divisions]
 * @property {(string|null)} [engine]
 * @property {boolean} [further]
 * @property {Array<string>} [merge]
 * @property {string} [order]
 * @property {Array<string>} [rounds]
 */

/**
 * Penalize a player.
 * @typedef {Object} OrderPenalty
 * @property {boolean} [now]
 * @property {string} [order]
 * @property {string} [player]
 * @property {string} [reason]
 * @property {(number|null)} [round]
 * @property {OrderTakes} [takes]
 */

/**
 * Somebody who is enrolled.
 * @typedef {Object} OrderPerson
 * @property {number} [byes]
 * @property {(string|null)} [division]
 * @property {(string|null)} [federation]
 * @property {(string|null)} [id]
 * @property {Array<string>} [members]
 * @property {string} [name]
 * @property {(number|null)} [rating]
 * @property {(string|null)} [title]
 */

/**
 * Show players the pairings.
 * @typedef {Object} OrderPublish
 * @property {string} [order]
 */

/**
 * Bring back a player who dropped.
 * @typedef {Object} OrderReinstate
 * @property {boolean} [now]
 * @property {string} [order]
 * @property {string} [player]
 * @property {string} [reason]
 */

/**
 * Remove a tournament that was imported and on which nobody built: its import is taken back.
 * @typedef {Object} OrderRemove
 * @property {string} [order]
 * @property {string} [reason]
 */

/**
 * Correct a player's name.
 * @typedef {Object} OrderRename
 * @property {string} [name]
 * @property {string} [order]
 * @property {string} [player]
 * @property {(string|null)} [reason]
 * @property {boolean} [same_name]
 */

/**
 * Pair some tables anew, disturbing as few as can be.
 * @typedef {Object} OrderRepair
 * @property {string} [order]
 * @property {Array<string>} [out]
 * @property {string} [reason]
 * @property {Array<number>} [tables]
 */

/**
 * Replace the pairing secret where it was lost.
 * @typedef {Object} OrderReseed
 * @property {string} [order]
 * @property {string} [reason]
 */

/**
 * Rule a dispute.
 * @typedef {Object} OrderRule
 * @property {number} [dispute]
 * @property {string} [order]
 * @property {string} [reason]
 * @property {(string|null)} [score]
 * @property {boolean} [upheld]
 */

/**
 * A ruleset's text, under the id by which others name it.
 * @typedef {Object} OrderRulesetText
 * @property {string} [id]
 * @property {string} [text]
 */

/**
 * Correct a player's division.
 * @typedef {Object} OrderSetDivision
 * @property {(string|null)} [division]
 * @property {boolean} [new_division]
 * @property {string} [order]
 * @property {string} [player]
 * @property {string} [reason]
 */

/**
 * Seat players by hand.
 * @typedef {Object} OrderSetPairing
 * @property {string} [order]
 * @property {Array<string>} [players]
 * @property {string} [reason]
 * @property {(number|null)} [table]
 */

/**
 * Say which tables the hall has, from the next pairing on.
 * @typedef {Object} OrderSetTables
 * @property {string} [order]
 * @property {Array<string>} [ranges]
 */

/** What a penalty takes away. @typedef {"warning"|"game-loss"|"match-loss"} OrderTakes */

/**
 * Undo a command.
 * @typedef {Object} OrderUndo
 * @property {string} [order]
 * @property {(string|null)} [reason]
 * @property {(number|null)} [seq]
 */

/**
 * Take one event of the log back.
 * @typedef {Object} OrderWithdraw
 * @property {string} [order]
 * @property {string} [reason]
 * @property {number} [seq]
 */

/** One order, or many. @typedef {(Order|Array<Order>|OrderList)} Orders */

/** What the overlay of a stream shows. @typedef {"auto"|"featured"|"standings"|"clock"|"nothing"} Overlaying */

/**
 * A round that was paired.
 * @typedef {Object} PairAnswer
 * @property {boolean} [apart]
 * @property {Array<RoundBye>} [byes]
 * @property {(string|null)} [called]
 * @property {(string|null)} [engine]
 * @property {string} [method]
 * @property {number} [round]
 * @property {(string|null)} [seed]
 * @property {(number|null)} [seed_number]
 * @property {Array<RoundTable>} [tables]
 * @property {string} [verb]
 * @property {number} [version]
 */

/** How a round would have been paired, had a change been known. @typedef {"same"|"otherwise"|"not-paired"|"unknown"} PairedWith */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} Pairings
 * @property {Array<RoundBye>} [byes]
 * @property {(string|null)} [called]
 * @property {boolean} [completed]
 * @property {(string|null)} [engine]
 * @property {number} [missing]
 * @property {boolean} [published]
 * @property {number} [round]
 * @property {string} [status]
 * @property {Array<RoundTable>} [tables]
 * @property {Array<Unseated>} [unpaired]
 * @property {string} [verb]
 * @property {AsOf} [as_of]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * The tables of a round and the results so far.
 * @typedef {Object} PairingsAnswer
 * @property {Array<RoundBye>} [byes]
 * @property {(string|null)} [called]
 * @property {boolean} [completed]
 * @property {(string|null)} [engine]
 * @property {number} [missing]
 * @property {boolean} [published]
 * @property {number} [round]
 * @property {string} [status]
 * @property {Array<RoundTable>} [tables]
 * @property {Array<Unseated>} [unpaired]
 * @property {string} [verb]
 */

/**
 * A player because of whom another one moves.
 * @typedef {Object} Passed
 * @property {Passing} [passing]
 * @property {Player} [player]
 * @property {(string|null)} [step_after]
 * @property {(string|null)} [step_before]
 */

/**
 * A player who stands high enough and does not go on.
 * @typedef {Object} PassedOver
 * @property {Player} [player]
 * @property {string} [why]
 */

/** How a player stands to another one, as against before. @typedef {"passes"|"passed-by"|"now-level"|"no-longer-level"|"came-in"|"gone"} Passing */

/**
 * A player with a penalty.
 * @typedef {Object} PenaltyAnswer
 * @property {string} [penalty]
 * @property {Player} [player]
 * @property {(number|null)} [table]
 * @property {string} [verb]
 */

/**
 * A player as pages show them.
 * @typedef {Object} Person
 * @property {string} [name]
 * @property {U32} [number]
 */

/**
 * A table or a bye.
 * @typedef {Object} Place
 * @property {(string|null)} [because]
 * @property {(number|null)} [bracket_slot]
 * @property {(string|null)} [bye]
 * @property {string} [origin]
 * @property {Array<Player>} [players]
 * @property {number} [seq]
 * @property {(number|null)} [table]
 */

/**
 * A place around those of the match.
 * @typedef {Object} PlaceAround
 * @property {Player} [player]
 * @property {number} [rank]
 * @property {Record} [record]
 */

/**
 * A player whose place is another one after a step.
 * @typedef {Object} PlaceChange
 * @property {(number|null)} [after]
 * @property {(number|null)} [before]
 * @property {Player} [player]
 * @property {(Exact|null)} [points]
 */

/**
 * A player who would take no place any more.
 * @typedef {Object} PlaceLost
 * @property {number} [before]
 * @property {Player} [player]
 */

/**
 * Places from one to another.
 * @typedef {Object} Places
 * @property {number} [best]
 * @property {number} [worst]
 */

/**
 * Another result of the match, and what it would change.
 * @typedef {Object} PlausibleResult
 * @property {(Problem|null)} [error]
 * @property {string} [slip]
 * @property {boolean} [stands]
 * @property {(Changes|null)} [what_if]
 * @property {(Player|null)} [winner]
 */

/**
 * A player.
 * @typedef {Object} Player
 * @property {string} [name]
 * @property {number} [number]
 */

/**
 * How the link of a player stands.
 * @typedef {Object} PlayerLinkListed
 * @property {boolean} [bound]
 * @property {U32} [player]
 */

/**
 * A link that was made for a player.
 * @typedef {Object} PlayerLinkMade
 * @property {string} [path]
 * @property {U32} [player]
 */

/**
 * The links of the players of a tournament.
 * @typedef {Object} PlayerLinks
 * @property {Array<PlayerLinkListed>} [links]
 */

/**
 * Links that were made.
 * @typedef {Object} PlayerLinksMade
 * @property {Array<PlayerLinkMade>} [links]
 */

/**
 * A receipt of a player.
 * @typedef {Object} PlayerReceipt
 * @property {Array<number>} [events]
 * @property {number} [player]
 * @property {string} [receipt]
 * @property {number} [records]
 */

/**
 * What a verb at the desk of a tournament answers.
 * @typedef {Object} Players
 * @property {Array<RosterRow>} [players]
 * @property {string} [verb]
 * @property {AsOf} [as_of]
 * @property {(number|null)} [first_seq]
 * @property {(number|null)} [last_seq]
 * @property {Array<string>} [notes]
 * @property {TournamentName} [tournament]
 */

/**
 * The roster.
 * @typedef {Object} PlayersAnswer
 * @property {Array<RosterRow>} [players]
 * @property {string} [verb]
 */

/**
 * What everybody may see of a tournament.
 * @typedef {Object} Policy
 * @property {(Policyu16|null)} [hidden_from]
 * @property {PolicyShownName} [names]
 * @property {PolicyRecords} [records]
 * @property {Object<string, PolicyShownName>} [wishes]
 */

/** Who may read the records of a tournament. @typedef {"public"|"with-token"} PolicyRecords */

/** How much of a name everybody sees; each shows less than the one before. @typedef {"full"|"first-last-initial"|"initials"|"number"} PolicyShownName */

/**  @typedef {number} Policyu16 */

/**
 * Why something could not be done.
 * @typedef {Object} Problem
 * @property {string} [code]
 * @property {Array<HintedCommand>} [commands]
 * @property {(string|null)} [hint]
 * @property {string} [kind]
 * @property {string} [message]
 */

/**
 * Why something was refused (RFC 9457).
 * @typedef {Object} ProblemDetails
 * @property {string} [code]
 * @property {string} [detail]
 * @property {string} [head]
 * @property {(string|null)} [hint]
 * @property {string} [kind]
 * @property {string} [since]
 * @property {number} [status]
 * @property {string} [title]
 * @property {string} [type]
 */

/**
 * A proof that a log begins with what it was.
 * @typedef {Object} Proof
 * @property {number} [from]
 * @property {string} [from_root]
 * @property {Array<string>} [hashes]
 * @property {number} [to]
 * @property {string} [to_root]
 */

/**
 * A round whose pairings players can see.
 * @typedef {Object} PublishAnswer
 * @property {number} [round]
 * @property {string} [verb]
 */

/**
 * What came of an end.
 * @typedef {Object} PublisherEnded
 * @property {string} [address]
 * @property {boolean} [told]
 */

/**
 * A tournament that the publisher's server does not take.
 * @typedef {Object} PublisherRefused
 * @property {string} [code]
 * @property {string} [id]
 * @property {string} [why]
 */

/**
 * Where a store is enrolled, and how its pushing goes.
 * @typedef {Object} PublisherStands
 * @property {(string|null)} [address]
 * @property {(Problem|null)} [error]
 * @property {(number|null)} [heard]
 * @property {(string|null)} [name]
 * @property {number} [not_pushed]
 * @property {(string|null)} [only]
 * @property {Array<PublisherRefused>} [refused]
 * @property {number} [there]
 */

/**
 * A player and their place.
 * @typedef {Object} Ranked
 * @property {Player} [player]
 * @property {number} [rank]
 */

/**
 * An answer as of a moment in the past, if it is one.
 * @typedef {Object} Reach
 * @property {Basis} [basis]
 * @property {(number|null)} [combinations]
 * @property {(number|null)} [cut]
 * @property {number} [missing]
 * @property {Array<Reachable>} [players]
 * @property {(number|null)} [rounds_left]
 * @property {RulesetName} [ruleset]
 * @property {number} [through]
 * @property {TournamentName} [tournament]
 * @property {AsOf} [as_of]
 */

/**
 * What players can still reach.
 * @typedef {Object} ReachAnswer
 * @property {Basis} [basis]
 * @property {(number|null)} [combinations]
 * @property {(number|null)} [cut]
 * @property {number} [missing]
 * @property {Array<Reachable>} [players]
 * @property {(number|null)} [rounds_left]
 * @property {RulesetName} [ruleset]
 * @property {number} [through]
 * @property {TournamentName} [tournament]
 */

/**
 * What a player can still reach.
 * @typedef {Object} Reachable
 * @property {(Chance|null)} [chance]
 * @property {Places} [places]
 * @property {(Places|null)} [sampled]
 * @property {Array<WithEnd>} [ends]
 * @property {Player} [player]
 */

/**
 * What somebody can still reach.
 * @typedef {Object} Reached
 * @property {(Chance|null)} [chance]
 * @property {Places} [places]
 * @property {(Places|null)} [sampled]
 */

/**
 * Matches won, lost and drawn.
 * @typedef {Object} Record
 * @property {number} [draws]
 * @property {number} [losses]
 * @property {number} [wins]
 */

/**
 * Records of a log.
 * @typedef {Object} Records
 * @property {boolean} [full]
 * @property {number} [page]
 * @property {Array<EventShown>} [records]
 */

/**
 * A player who is back.
 * @typedef {Object} ReinstateAnswer
 * @property {(number|null)} [from_round]
 * @property {Player} [player]
 * @property {string} [verb]
 */

/**
 * A tournament that was removed.
 * @typedef {Object} RemoveAnswer
 * @property {string} [reason]
 * @property {string} [verb]
 */

/**
 * A player with another name.
 * @typedef {Object} RenameAnswer
 * @property {Player} [player]
 * @property {string} [verb]
 * @property {string} [was]
 */

/**
 * Tables of a round that were changed.
 * @typedef {Object} RepairAnswer
 * @property {Array<Player>} [byes]
 * @property {Array<Moved>} [moved]
 * @property {Array<Player>} [out]
 * @property {Array<NewTable>} [tables]
 * @property {Array<Player>} [unpaired]
 * @property {string} [verb]
 */

/**
 * The least repair of a round.
 * @typedef {Object} RepairTold
 * @property {Array<number>} [broken]
 * @property {Array<Player>} [byes]
 * @property {(Problem|null)} [error]
 * @property {number} [kept]
 * @property {(number|null)} [kept_without]
 * @property {number} [of]
 * @property {Array<Player>} [out]
 * @property {number} [round]
 * @property {Array<NewTable>} [tables]
 * @property {Array<Player>} [touched]
 */

/**
 * A step of a replay: a round, or what was recorded together.
 * @typedef {Object} ReplayStep
 * @property {number} [first_seq]
 * @property {number} [last_seq]
 * @property {string} [recorded]
 * @property {Array<string>} [sentences]
 * @property {TournamentName} [tournament]
 * @property {Array<PlaceChange>} [moves]
 * @property {number} [round]
 * @property {(string|null)} [table_hash]
 */

/**
 * What a player reported last of one of their matches.
 * @typedef {Object} Reported
 * @property {(boolean|null)} [agrees]
 * @property {boolean} [own_device]
 * @property {Player} [player]
 * @property {(string|null)} [result]
 * @property {number} [round]
 * @property {string} [score]
 * @property {number} [seq]
 * @property {(number|null)} [table]
 * @property {string} [time]
 */

/**
 * A pairing commitment that replaces the one before.
 * @typedef {Object} ReseedAnswer
 * @property {string} [seed_commitment]
 * @property {string} [verb]
 */

/**
 * A result that was entered or corrected.
 * @typedef {Object} ResultAnswer
 * @property {number} [missing]
 * @property {Array<number>} [penalties_served]
 * @property {Array<Player>} [players]
 * @property {string} [result]
 * @property {number} [round]
 * @property {number} [table]
 * @property {boolean} [turned]
 * @property {string} [verb]
 */

/**
 * What a publisher looks at, over all tournaments of a store.
 * @typedef {Object} Review
 * @property {Array<ReviewRow>} [changes]
 * @property {Array<ReviewFinding>} [findings]
 * @property {(string|null)} [next]
 * @property {Array<ReviewNotRead>} [not_read]
 * @property {number} [tournaments]
 * @property {number} [verified]
 */

/**
 * What verification found in a tournament.
 * @typedef {Object} ReviewFinding
 * @property {string} [code]
 * @property {string} [sentence]
 * @property {number} [seq]
 * @property {string} [severity]
 * @property {TournamentName} [tournament]
 */

/**
 * A player with their place before and after.
 * @typedef {Object} ReviewMove
 * @property {number} [after]
 * @property {number} [before]
 * @property {Player} [player]
 */

/**
 * A tournament that could not be read.
 * @typedef {Object} ReviewNotRead
 * @property {string} [code]
 * @property {string} [message]
 * @property {TournamentName} [tournament]
 */

/**
 * An event that a publisher looks at.
 * @typedef {Object} ReviewRow
 * @property {string} [by]
 * @property {string} [kind]
 * @property {(Array<ReviewMove>|null)} [moves]
 * @property {string} [sentence]
 * @property {number} [seq]
 * @property {string} [time]
 * @property {TournamentName} [tournament]
 * @property {(number|null)} [undone_in]
 * @property {(string|null)} [was]
 * @property {string} [what]
 */

/**
 * A player of the roster.
 * @typedef {Object} RosterRow
 * @property {string} [name]
 * @property {number} [number]
 * @property {(number|null)} [after_round]
 * @property {number} [byes]
 * @property {Array<ByeToCome>} [byes_requested]
 * @property {boolean} [checked_in]
 * @property {(string|null)} [division]
 * @property {(string|null)} [dropped]
 * @property {(string|null)} [federation]
 * @property {number} [from_round]
 * @property {(number|null)} [keeps_table]
 * @property {(number|null)} [rating]
 * @property {(Record|null)} [record]
 * @property {(string|null)} [title]
 * @property {boolean} [without_table]
 */

/**
 * A bye of a round.
 * @typedef {Object} RoundBye
 * @property {string} [name]
 * @property {number} [number]
 * @property {string} [kind]
 */

/**
 * A table of a round.
 * @typedef {Object} RoundTable
 * @property {Player} [advanced]
 * @property {Array<Seated>} [players]
 * @property {string} [remark]
 * @property {(string|null)} [result]
 * @property {number} [table]
 */

/**
 * A ruleset with its texts.
 * @typedef {Object} Ruleset
 * @property {Array<RulesetText>} [files]
 * @property {Object<string, string>} [keys]
 * @property {string} [name]
 * @property {RulesetName} [ruleset]
 */

/**
 * A file that was read as a ruleset.
 * @typedef {Object} RulesetChecked
 * @property {(Problem|null)} [error]
 * @property {string} [file]
 * @property {Array<string>} [order]
 * @property {(RulesetName|null)} [ruleset]
 */

/**
 * A ruleset of the library.
 * @typedef {Object} RulesetListed
 * @property {string} [edition]
 * @property {(string|null)} [extends]
 * @property {string} [id]
 * @property {string} [name]
 * @property {string} [source]
 */

/**
 * A ruleset: anybody can call a text like one that is shipped, so the hash tells them apart.
 * @typedef {Object} RulesetName
 * @property {string} [hash]
 * @property {string} [id]
 * @property {boolean} [shipped]
 */

/**
 * A text of a ruleset.
 * @typedef {Object} RulesetText
 * @property {string} [name]
 * @property {string} [text]
 */

/**
 * Rulesets that are shipped.
 * @typedef {Object} Rulesets
 * @property {Array<RulesetListed>} [rulesets]
 */

/**
 * The screens of a tournament.
 * @typedef {Object} Screens
 * @property {Overlaying} [overlay]
 * @property {(string|null)} [path]
 * @property {Showing} [show]
 */

/**
 * A report of a rebuild.
 * @typedef {Object} SeasonFile
 * @property {string} [file]
 * @property {(string|null)} [store]
 * @property {number} [tournaments]
 */

/**
 * How a rebuild as a job of a server goes, or what came of the last one.
 * @typedef {Object} SeasonStands
 * @property {(string|null)} [begun]
 * @property {(string|null)} [by]
 * @property {(number|null)} [cut]
 * @property {number} [done]
 * @property {(string|null)} [ended]
 * @property {Array<SeasonFile>} [files]
 * @property {boolean} [names]
 * @property {boolean} [players]
 * @property {(string|null)} [rules]
 * @property {string} [state]
 * @property {(string|null)} [sums]
 * @property {number} [tournaments]
 * @property {(string|null)} [why]
 */

/**
 * A player at a table.
 * @typedef {Object} Seated
 * @property {string} [name]
 * @property {number} [number]
 * @property {string} [points]
 */

/**
 * Browsers that are signed in.
 * @typedef {Object} Sessions
 * @property {Array<Listed>} [sessions]
 */

/**
 * A player with another division.
 * @typedef {Object} SetDivisionAnswer
 * @property {(string|null)} [division]
 * @property {Player} [player]
 * @property {string} [verb]
 * @property {(string|null)} [was]
 */

/**
 * A column of a sheet.
 * @typedef {Object} SheetColumn
 * @property {(string|null)} [holds]
 * @property {string} [name]
 * @property {number} [number]
 */

/**
 * Something that nobody but a person can tell.
 * @typedef {Object} SheetQuestion
 * @property {Array<number>} [candidates]
 * @property {string} [word]
 */

/**
 * A sheet before it is read.
 * @typedef {Object} SheetSeen
 * @property {Array<SheetColumn>} [columns]
 * @property {string} [kind]
 * @property {(SheetQuestion|null)} [question]
 * @property {Array<Array<string>>} [rows]
 * @property {(string|null)} [sheet]
 */

/** What a screen shows. @typedef {"auto"|"pairings"|"clock"|"standings"|"divisions"|"bracket"|"missing"|"announcements"} Showing */

/** Why an opponent does not count. @typedef {"no-opponent"|"unfinished"|"forfeited"|"met-before"|"lowest"|"highest"} Skipped */

/**
 * An answer as of a moment in the past, if it is one.
 * @typedef {Object} Standings
 * @property {(Cut|null)} [cut]
 * @property {(string|null)} [division]
 * @property {Array<string>} [divisions]
 * @property {boolean} [final]
 * @property {number} [fold_version]
 * @property {LogHead} [log_head]
 * @property {string} [program]
 * @property {Array<StandingsRow>} [rows]
 * @property {RulesetName} [ruleset]
 * @property {string} [table_hash]
 * @property {number} [through]
 * @property {TournamentName} [tournament]
 * @property {AsOf} [as_of]
 */

/**
 * The standings after a round.
 * @typedef {Object} StandingsAnswer
 * @property {(Cut|null)} [cut]
 * @property {(string|null)} [division]
 * @property {Array<string>} [divisions]
 * @property {boolean} [final]
 * @property {number} [fold_version]
 * @property {LogHead} [log_head]
 * @property {string} [program]
 * @property {Array<StandingsRow>} [rows]
 * @property {RulesetName} [ruleset]
 * @property {string} [table_hash]
 * @property {number} [through]
 * @property {TournamentName} [tournament]
 */

/**
 * A player's place.
 * @typedef {Object} StandingsRow
 * @property {string} [decided_by]
 * @property {(DivisionPlace|null)} [division]
 * @property {Object<string, Exact>} [measures]
 * @property {number} [phase]
 * @property {Player} [player]
 * @property {number} [rank]
 * @property {(Record|null)} [record]
 */

/**
 * Where a tournament stands.
 * @typedef {Object} Stands
 * @property {string} [hash]
 * @property {number} [missing]
 * @property {(string|null)} [next]
 * @property {number} [players]
 * @property {boolean} [published]
 * @property {number} [round]
 * @property {number} [seq]
 * @property {string} [state]
 * @property {TournamentName} [tournament]
 */

/**
 * A step of the order, for a player and the one they are compared with.
 * @typedef {Object} StepCompared
 * @property {Array<Meeting>} [met]
 * @property {(Exact|null)} [other]
 * @property {(Exact|null)} [own]
 * @property {string} [step]
 * @property {Verdict} [verdict]
 */

/**
 * A tournament again, step by step.
 * @typedef {Object} Steps
 * @property {Array<ReplayStep>} [steps]
 */

/**
 * A link that was made.
 * @typedef {Object} StoreLinkMade
 * @property {string} [id]
 * @property {string} [link]
 */

/**
 * Stores that are enrolled here, and links that are good still.
 * @typedef {Object} Stores
 * @property {Array<Listed>} [links]
 * @property {Array<EnrolledStore>} [stores]
 */

/**
 * A table of standings, by what it came from.
 * @typedef {Object} TableName
 * @property {RulesetName} [ruleset]
 * @property {string} [table_hash]
 */

/**
 * The tables of the hall.
 * @typedef {Object} TablesAnswer
 * @property {Array<string>} [ranges]
 * @property {string} [verb]
 */

/** A part of a value. @typedef {Object<string, unknown>} Term */

/** Why a round adds what it adds. @typedef {"counted"|"bye-skipped"|"not-of-interest"|"averaged"|"bounded"|"as-draw"} TermNote */

/**
 * A token that was made.
 * @typedef {Object} TokenMade
 * @property {string} [id]
 * @property {string} [token]
 */

/**
 * Tokens that hold.
 * @typedef {Object} Tokens
 * @property {Array<Listed>} [tokens]
 */

/**
 * A tournament of a store.
 * @typedef {Object} TournamentListed
 * @property {(number|null)} [players]
 * @property {(number|null)} [round]
 * @property {string} [state]
 * @property {AsOf} [as_of]
 * @property {number} [events]
 * @property {(string|null)} [file]
 * @property {(string|null)} [held_on]
 * @property {boolean} [rewritten]
 * @property {string} [rules]
 * @property {TournamentName} [tournament]
 */

/**
 * The tournament that an answer is about.
 * @typedef {Object} TournamentName
 * @property {(string|null)} [id]
 * @property {(string|null)} [title]
 */

/**
 * The tournaments of the store.
 * @typedef {Object} Tournaments
 * @property {Array<TournamentListed>} [tournaments]
 * @property {Array<NotRead>} [unread]
 */

/**
 * A step that moved the player of a trace.
 * @typedef {Object} TraceStep
 * @property {number} [first_seq]
 * @property {number} [last_seq]
 * @property {string} [recorded]
 * @property {Array<string>} [sentences]
 * @property {TournamentName} [tournament]
 * @property {(number|null)} [after]
 * @property {(number|null)} [before]
 * @property {Player} [player]
 * @property {(Exact|null)} [points]
 * @property {Array<Passed>} [because]
 */

/**
 * What moved a player.
 * @typedef {Object} Traced
 * @property {Array<TraceStep>} [steps]
 */

/**
 * A command that was undone.
 * @typedef {Object} UndoAnswer
 * @property {Array<number>} [stays]
 * @property {Array<Undone>} [undone]
 * @property {number} [undone_first]
 * @property {number} [undone_last]
 * @property {string} [verb]
 */

/**
 * An event that was taken back.
 * @typedef {Object} Undone
 * @property {number} [seq]
 * @property {string} [what]
 */

/** A published row or place that is not the computed one. @typedef {Object<string, unknown>} Unmatched */

/**
 * A player without a table.
 * @typedef {Object} Unseated
 * @property {string} [name]
 * @property {number} [number]
 * @property {number} [from_round]
 */

/** What a step of the order says of two players. @typedef {"tied"|"decides"|"not-reached"} Verdict */

/**
 * For whom a link or a token is made.
 * @typedef {Object} Wanted
 * @property {(number|null)} [hours]
 * @property {(string|null)} [name]
 * @property {boolean} [once]
 * @property {string} [role]
 * @property {(string|null)} [tournament]
 */

/**
 * What an account is to be.
 * @typedef {Object} WantedAccount
 * @property {(string|null)} [password]
 * @property {string} [role]
 * @property {(string|null)} [tournament]
 */

/**
 * Who is to be forgotten.
 * @typedef {Object} WantedForget
 * @property {Array<number>} [also]
 * @property {boolean} [dry_run]
 * @property {boolean} [everywhere]
 * @property {string} [player]
 */

/**
 * For whom links are made.
 * @typedef {Object} WantedPlayerLinks
 * @property {Array<U32>} [players]
 * @property {boolean} [without_device]
 */

/**
 * With which link a store is enrolled.
 * @typedef {Object} WantedPublisher
 * @property {string} [link]
 * @property {(string|null)} [only]
 */

/**
 * Which link of a screen is wanted.
 * @typedef {Object} WantedScreenLink
 * @property {boolean} [another]
 */

/**
 * What a season is ranked by.
 * @typedef {Object} WantedSeason
 * @property {(number|null)} [cut]
 * @property {boolean} [no_names]
 * @property {boolean} [players]
 * @property {string} [rules]
 */

/**
 * For which store a link is made.
 * @typedef {Object} WantedStore
 * @property {(number|null)} [hours]
 * @property {string} [name]
 */

/**
 * An address that is to be told what happens.
 * @typedef {Object} WantedWebhook
 * @property {(string|null)} [tournament]
 * @property {string} [url]
 */

/**
 * A webhook, without its secret.
 * @typedef {Object} WebhookListed
 * @property {number} [delivered]
 * @property {string} [id]
 * @property {string} [is]
 * @property {(string|null)} [last]
 * @property {string} [made]
 * @property {(string|null)} [next]
 * @property {(string|null)} [paused]
 * @property {(string|null)} [tournament]
 * @property {number} [tries]
 * @property {(string|null)} [trouble]
 * @property {string} [url]
 */

/**
 * A webhook that was made.
 * @typedef {Object} WebhookMade
 * @property {string} [id]
 * @property {string} [secret]
 */

/**
 * Whether it is paused, from now on.
 * @typedef {Object} WebhookPaused
 * @property {boolean} [paused]
 */

/**
 * Whether something arrived.
 * @typedef {Object} WebhookTried
 * @property {boolean} [delivered]
 * @property {(string|null)} [trouble]
 */

/**
 * Webhooks.
 * @typedef {Object} Webhooks
 * @property {Array<WebhookListed>} [webhooks]
 */

/**
 * What commands would do.
 * @typedef {Object} WhatIf
 * @property {TableName} [after]
 * @property {TableName} [before]
 * @property {(CutChange|null)} [cut]
 * @property {Array<CutMade>} [cuts_made]
 * @property {Array<Move>} [moves]
 * @property {Array<PlaceLost>} [out]
 * @property {Array<LaterRound>} [rounds]
 * @property {number} [unchanged]
 * @property {Array<CommandTried>} [commands]
 * @property {LogHead} [log_head]
 * @property {(RepairTold|null)} [repair]
 * @property {TournamentName} [tournament]
 */

/** A whole number; a text where it is beyond 2^53, up to which every reader of JSON is exact. @typedef {(number|string)} Whole */

/**
 * What a player can reach where their match ends like this.
 * @typedef {Object} WithEnd
 * @property {(Chance|null)} [chance]
 * @property {Places} [places]
 * @property {(Places|null)} [sampled]
 * @property {End} [end]
 */

/**
 * An event of the log that was taken back.
 * @typedef {Object} WithdrawAnswer
 * @property {number} [seq]
 * @property {string} [verb]
 * @property {string} [what]
 */

/**  @typedef {number} U32 */
