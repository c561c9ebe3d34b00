/** People who sign in have no API key: no sentence that reaches them speaks of one. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type CatalogueEntry, catalogue, isFileCode } from '../../src/core/errors/catalogue.ts';
import { MemoryBudget } from '../../src/edge/fair/memory.ts';
import { arrangement } from '../support/cli-load.ts';
import { type ConsoleBrowser, signedIn } from '../support/console.ts';
import { ownMessages } from '../support/own-messages.ts';
import { refused, served } from '../support/world.ts';

const SOURCE = join(import.meta.dirname, '..', '..', 'src');
/** Rooms whose sentences are answers to requests. */
const ROOMS = [
  ...['core/errors', 'records/auth', 'records/ingest', 'records/query', 'records/changes', 'store'],
  ...[
    'console',
    'fair',
    'limits',
    'listing',
    'request',
    'response',
    'routes',
    'rows',
    'server',
  ].map((room) => `edge/${room}`),
  'features/webhooks/serves',
];
const entries: readonly CatalogueEntry[] = Object.values(catalogue);
const OF_KEYS = /\bAPI key|\b(?:this|one) key may\b/i;

/** Said to those who come with a key, and whose key it is. */
const TO_KEYS: readonly (string | RegExp)[] = [
  ...Object.entries(catalogue)
    .filter(([code]) => code.startsWith('api_key_'))
    .map(([, { message }]) => message),
  catalogue.authentication_failed.message,
  // People read another one, which is next to it.
  ...entries.flatMap(({ message, person }) => (person === undefined ? [] : message)),
  /^This API key (?:may not|is limited to certain (?:resources|locations), and \$|lacks the right)/,
  // Of what was sent in place of one.
  /^This is not an API key: /,
  // What a new key may be, and what becomes of one: people ask for it.
  /can be rotated\. Create a key instead/,
  // A hint, which only programs are shown.
  /^Sessions of the console end after/,
  // Said of endpoints, which keys make.
  /The API key of the endpoint/,
];

/** How programs ask; people press buttons. */
const OF_REQUESTS =
  /\b(?:GET|POST|PATCH|PUT|DELETE) \/|\bcurl\b|\bIdempotency-Key\b|\bIf-Match\b|\bin the (?:query|headers?)\b/;
/** Said of requests that no page makes. */
const OF_NO_PAGE: readonly (string | RegExp)[] = [
  ...Object.entries(catalogue)
    .filter(([code]) => /^(?:api_key|idempotency)_/.test(code))
    .map(([, { message }]) => message),
  // Read by programs alone: faults of what only they send, and advice behind a message.
  /Idempotency-Key(?: must hold|, since| where it is taken)|^This Idempotency-Key was/,
  /ETag in If-Match\.$|in If-Match$|^Send dry_run=true/,
  // People read another one, as the catalogue has it.
  ...entries.flatMap(({ message, person }) => (person === undefined ? [] : message)),
  /^Send its present ETag|send cascade=true in the query|^The parameter \$\{query\} in the query/,
  /^(?:The ETag|If-Match|If-None-Match|The header)/,
  /^Send it first, with POST/,
];

/** Words of programs and of who writes them, in what an error says. */
const OF_PROGRAMS =
  /\b(?:Idempotency-Key|If-Match|If-None-Match|ETag|Content-\w+|HTTP|quer(?:y|ies)|retry|responses?|upserts?|pending|JSON|ASCII|streams?)\b|\b(?:GET|POST|PATCH|PUT|DELETE) |\bheaders?\b(?<!as the header)/;
/** The codes of errors that are thrown with one that is found only when they are. */
const CODES_LATER: Readonly<Record<string, readonly string[]>> = {
  'core/schema/csv/columns.ts': ['csv_invalid'],
  'edge/response/envelope.ts': ['memory_limited', 'service_unavailable'],
  'edge/server/server.ts': ['request_malformed'],
  'edge/rows/arriving.ts': ['memory_limited', 'service_unavailable'],
  'store/promises/refusals.ts': ['value_invalid'],
  'features/imports/operations/brought.ts': ['import_refused'],
  'features/follow-up/serves.ts': ['follow_up_closed'],
};

/** Every sentence in the sources that speaks of that. */
function sentences(about: RegExp): readonly string[] {
  const found: string[] = [];
  for (const room of ROOMS) {
    for (const path of readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts')) continue;
      const text = readFileSync(join(SOURCE, room, path), 'utf8').replace(
        /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^\s*(?:hint|summary|description): .*$|^\s*hint:\n.*$/gm,
        '',
      );
      for (const [, one = ''] of text.matchAll(/(?<![\w.])(['`](?:[^'`\\\n]|\\.)*['`])/g))
        if (about.test(one)) found.push(one.slice(1, -1));
    }
  }
  return found;
}

describe('What people are told', () => {
  let person: ConsoleBrowser;
  const service = served({ settings: { rate_limit: '3/m' } }, async () => {
    person = await signedIn(service);
  });

  it('says "you" where a program is told of its API key', () => {
    const said = sentences(OF_KEYS);
    assert.ok(said.length > 10, 'there are such sentences');
    for (const one of said)
      assert.ok(
        TO_KEYS.some((known) => (typeof known === 'string' ? known === one : known.test(one))),
        one,
      );
    for (const { message, person = message } of entries)
      if (!TO_KEYS.includes(message)) assert.doesNotMatch(person, OF_KEYS);
  });

  it('has no words of requests, which programs send', () => {
    const isNoSentence = /^(?:\w+ \/)?(?:\S|\$\{[^}]*\})*$/;
    const unknown = sentences(OF_REQUESTS).filter(
      (one) =>
        !isNoSentence.test(one) &&
        !OF_NO_PAGE.some((known) => (typeof known === 'string' ? known === one : known.test(one))),
    );
    assert.deepEqual(unknown, []);
    for (const { message, person = message } of entries)
      if (!OF_NO_PAGE.includes(message)) assert.doesNotMatch(person, OF_REQUESTS);
  });

  it('is of pages and people, whichever error of the service they meet', () => {
    const all: Readonly<Record<string, CatalogueEntry>> = catalogue;
    const met = (code: string) => !/^(?:api_key_|authentication_failed$|idempotency_)/.test(code);
    const own = ownMessages(SOURCE);
    assert.ok(own.length > 100, 'there are such errors');
    const found = own.flatMap(({ code, pieces, where }) => {
      const codes = code === undefined ? CODES_LATER[where.replace(/:\d+$/, '')] : [code];
      assert.ok(codes, `${where}: say which codes it can have`);
      if (codes.every((one) => !met(one) || all[one]?.person !== undefined)) return [];
      return pieces
        .filter((piece) => OF_PROGRAMS.test(piece) && !OF_KEYS.test(piece))
        .map((piece) => `${where} ${codes}: ${piece}`);
    });
    assert.deepEqual(
      found.filter((one) => !one.includes('The body must be a JSON object, but')),
      [],
      'the catalogue has another sentence for people, as `person`',
    );
    for (const [code, { message, person = message }] of Object.entries(all))
      if (met(code) && !isFileCode(code)) assert.doesNotMatch(person, OF_PROGRAMS, code);
  });

  it('of a record that belongs to none that is there, tells programs alone how it is sent', async () => {
    const [account, orphan] = [service.account.unique_identifier, 'loc_0000000000000000000000'];
    const body = {
      location_unique_identifier: orphan,
      external_identifier: 'x',
      event_name: 'X',
      event_datetime: '2027-01-01T12:00:00Z',
    };
    const program = await service.json('/v1/events/upsert', body);
    assert.match(program.text, /Send it first, with POST/);
    const page = await person.post('/v1/events/upsert', body);
    assert.equal(page.status, 404, `${account} ${page.text}`);
    assert.doesNotMatch(page.text, OF_REQUESTS);
    assert.doesNotMatch(page.text, /advice/);
  });

  it('in a refusal for too many requests, for a record that is not theirs, and for what they may not', async () => {
    const missing = await person.get('/v1/events/evt_0000000000000000000000');
    assert.equal(missing.status, 404, missing.text);
    const texts = [missing.text];
    for (let answer = missing; answer.status !== 429; answer = await person.get('/v1/events'))
      texts.push(answer.text);
    const refused = await person.get('/v1/events');
    assert.equal(refused.status, 429);
    assert.match(refused.body.error.message, /^You may send 3 requests a minute/);
    assert.equal(refused.body.error.errors[0].message, refused.body.error.message);
    const viewer = await signedIn(service, 'viewer@example.com', { role: 'viewer' });
    texts.push((await viewer.post('/v1/events/upsert', {})).text, refused.text);
    for (const text of texts) assert.doesNotMatch(text, OF_KEYS);
    // Whoever comes with a key is told of it as before.
    for (;;) {
      const { status, body } = await service.get('/v1/events');
      if (status !== 429) continue;
      assert.match(body.error.message, /^This API key may send 3 requests a minute/);
      return;
    }
  });
});

describe('A request of a page that was done, and whose answer found no room', () => {
  const service = served();

  it('says that it was done', async (t) => {
    const person = await signedIn(service);
    const location = await service.location();
    const made = await service.json(
      '/v1/online_arrangements/upsert',
      arrangement(location, 'dropped', { text: 'x'.repeat(9_000), more: 'y'.repeat(9_000) }),
    );
    assert.equal(made.status, 200, made.text);
    const path = `/v1/online_arrangements/${made.body.unique_identifier}`;
    // What arrives finds room, and no large answer does.
    const { tryTake } = MemoryBudget.prototype;
    const patched = t.mock.method(
      MemoryBudget.prototype,
      'tryTake',
      function (this: MemoryBudget, key: string, bytes: number) {
        return bytes < 30_000 && tryTake.call(this, key, bytes);
      },
    );
    const told = await person.send('PATCH', path, { cart_summary: 'Changed' });
    patched.mock.restore();
    refused(told, 503, 'answer_dropped');
    assert.match(told.body.error.message, /^This was done/);
    assert.equal((await service.get(path)).body.cart_summary, 'Changed');
  });
});
