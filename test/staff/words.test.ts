/** People who sign in have no API key: no sentence that reaches them speaks of one. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type CatalogueEntry, catalogue } from '../../src/core/errors/catalogue.ts';
import { type ConsoleBrowser, signedIn } from '../support/console.ts';
import { served } from '../support/world.ts';

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

/** Every sentence in the sources that speaks of a key. */
function sentences(): readonly string[] {
  const found: string[] = [];
  for (const room of ROOMS) {
    for (const path of readdirSync(join(SOURCE, room), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts')) continue;
      const text = readFileSync(join(SOURCE, room, path), 'utf8').replace(
        /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^\s*(?:hint|summary|description): .*$|^\s*hint:\n.*$/gm,
        '',
      );
      for (const [, one = ''] of text.matchAll(/(?<![\w.])(['`](?:[^'`\\\n]|\\.)*['`])/g))
        if (OF_KEYS.test(one)) found.push(one.slice(1, -1));
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
    const said = sentences();
    assert.ok(said.length > 10, 'there are such sentences');
    for (const one of said)
      assert.ok(
        TO_KEYS.some((known) => (typeof known === 'string' ? known === one : known.test(one))),
        one,
      );
    for (const { message, person = message } of entries)
      if (!TO_KEYS.includes(message)) assert.doesNotMatch(person, OF_KEYS);
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
