/**
 * No list of our own objects walks all of an account: whatever filters it is asked by, the store finds its rows by an index
 * in their order. Derived from the operations; the statements are those that a service sends.
 */
// needs: both stores
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, it } from 'node:test';
import { Client } from 'pg';
import { ownTables } from '../../src/core/objects/tables/all.ts';
import { resources } from '../../src/core/resources/index.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import { routeOf } from '../../src/edge/operations/operation.ts';
import { rights } from '../../src/records/auth/principal.ts';
import { type Call, type Result, Session } from '../../src/store/postgres/wire/session.ts';
import { keyed } from '../support/secret-key.ts';
import { visitorBody } from '../support/sent.ts';
import { type Service, startService } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import type { Ground } from '../support/store-world.ts';

const sent = new Set<string>();
const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (...given) {
  sent.add(given[0]);
  return prepare.apply(this, given);
};
const { run, bundle } = Session.prototype;
Session.prototype.run = function <Row extends readonly unknown[]>(
  this: Session,
  wanted: Call<Row>,
) {
  sent.add(this.place.name(wanted).statement.text);
  return run.call(this, wanted) as Promise<Result<Row>>;
};
Session.prototype.bundle = function (...given) {
  for (const one of given[0]) sent.add(this.place.name(one).statement.text);
  return bundle.apply(this, given);
};

let ground: Ground;
let service: Service;
const known: Record<string, string> = {};

const sampleOf = (name: string, schema: Readonly<Record<string, unknown>>): string => {
  if (/^(?:time|hour|due_before|opened_since)$/.test(name)) return '2027-01-13T15:00:00Z';
  const [first] = (schema.enum as readonly string[] | undefined) ?? [];
  if (first !== undefined) return first;
  if (known[name] !== undefined) return known[name];
  return schema.type === 'boolean' ? 'true' : schema.type === 'integer' ? '404' : 'one';
};

const lists = operationsOf(resources).filter(
  ({ name, route }) =>
    name.startsWith('list_') &&
    routeOf({ route }).method === 'GET' &&
    !['list_changes', 'list_removals', 'list_proposals'].includes(name),
);

/** The list without filters, by each of them, and by each two. */
function queriesOf(names: readonly string[]): readonly (readonly string[])[] {
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));
  return [[], ...names.map((one) => [one]), ...pairs];
}

/** What may be read otherwise: the rows of a page that are known, and what is few in all. */
const OTHERS: readonly (readonly [RegExp, why: string])[] = [
  [/WHERE \((?:unique_identifier|request_id) (?:IN \(SELECT value FROM json_each|= ANY)/, 'a page'],
  [
    /\bFROM "?(?:retention_rule|retention_run|self_test|webhook_endpoint)\b/,
    'a hundred of an account',
  ],
  [/\bFROM hold WHERE released_at/, 'holds that lasted, once a quarter of a minute'],
  [/\bFROM do_not_contact\b/, 'what version 1.0 has left, when a service starts'],
  [/\bFROM erasure_journal ORDER BY line DESC LIMIT 1/, 'the last line, by its key'],
  [/\bFROM erased WHERE line = 0/, 'what the journal lacks'],
];

async function plansOf(): Promise<Map<string, string>> {
  const plans = new Map<string, string>();
  const tables = ownTables.map(({ table }) => table).join('|');
  const ofOwn = new RegExp(`^\\s*SELECT[^;]*\\bFROM "?(?:${tables})\\b[^;]*\\bLIMIT\\b`);
  const own = [...sent].filter((text) => ofOwn.test(text));
  if (ground.url.startsWith('sqlite:')) {
    const database = new DatabaseSync(ground.url.slice('sqlite:'.length));
    for (const text of own) {
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
      plans.set(text, steps.map(({ detail }) => detail).join('\n'));
    }
    database.close();
    return plans;
  }
  const client = new Client(ground.url);
  await client.connect();
  await client.query('SET enable_seqscan = off; SET enable_sort = off');
  for (const text of own) {
    const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN) ${text}`);
    plans.set(text, rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  await client.end();
  return plans;
}

describe('Lists of our own objects', () => {
  before(async () => {
    ground = await serviceGround();
    service = await startService({ ground, settings: keyed() });
    const location = await service.location();
    await service.patch(`/v1/locations/${location}/settings`, { region: 'North' });
    const { key, secret } = await service.newKey({
      allow: Object.keys(rights),
    });
    const account = service.account.unique_identifier;
    Object.assign(known, {
      account,
      location,
      region: 'North',
      key: key.unique_identifier,
      secret,
    });
    Object.assign(known, { phone_number: '4155550123', email_address: 'a@b.org' });
    const visitor = visitorBody(await service.event(location), 'visitor');
    const { body } = await service.json('/v1/event_check_in_records/upsert', visitor);
    Object.assign(known, { owner: 'me', record: body.unique_identifier });
  });

  it('are read along an index, by every filter and each two', async () => {
    const refused: string[] = [];
    for (const { name, route, query = {} } of lists) {
      const { url } = routeOf({ route });
      if (url.includes(':')) continue;
      const names = Object.keys(query).filter((one) => !/^(?:limit|starting_after)$/.test(one));
      const needed = names.filter((one) => query[one]?.required);
      for (const some of queriesOf(names)) {
        const sought = [...new Set([...needed, ...some])].map(
          (one) => `${one}=${sampleOf(one, query[one]?.kind.schema ?? {})}`,
        );
        const key = known.secret ?? '';
        const { status, text } = await service.get(`${url}?${sought.join('&')}`, { key });
        if (status !== 200) refused.push(`${name} ${sought.join('&')}: ${text}`);
      }
    }
    assert.deepEqual(refused, []);
    const plans = await plansOf();
    assert.ok(plans.size > 60, `${plans.size} statements`);
    const walked = [...plans].filter(
      ([text, plan]) =>
        !OTHERS.some(([pattern]) => pattern.test(text.replaceAll(/\s+/g, ' '))) &&
        /TEMP B-TREE FOR ORDER BY|SCAN (?!json_each|api_key|staff)\w+\b(?! USING)|Seq Scan on (?!api_key|staff)|\bSort\b/.test(
          plan,
        ),
    );
    assert.deepEqual(walked, []);
  });
});
