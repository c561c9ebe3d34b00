/** What is done about a follow-up is refused by what enters the register before it is committed, though nothing stood there when it was asked for. By every operation that names that refusal. */
// needs: both stores
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { Client } from 'pg';
import { resources } from '../../../src/core/resources/index.ts';
import { operationsOf } from '../../../src/edge/operations/index.ts';
import { routeOf } from '../../../src/edge/operations/operation.ts';
import { signedIn } from '../../support/console.ts';
import { keyed } from '../../support/secret-key.ts';
import { serviceGround } from '../../support/service-ground.ts';
import { until } from '../../support/until.ts';
import { refused, world } from '../../support/world.ts';

const PATH = '/v1/follow_ups';
/** So many requests are answered one after the other until another has come as far as its commit, which waits. */
const LATER = 8;
/** A transaction goes on seeing the sessions that it saw first, unless it is told to look anew. */
const LOOK_ANEW = 'SELECT pg_stat_clear_snapshot()';
const WAITING = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const guarded = operationsOf(resources).filter(({ errors = [] }) =>
  errors.includes('do_not_contact'),
);

describe('What is done about a follow-up', () => {
  const on = world({ store: serviceGround, settings: keyed() }, async ({ read }) => {
    await read(PATH);
  });
  let made = 0;

  /** Keeps back what is to be committed in the account until somebody is in the register again. */
  const enteredBefore = async (id: string, asked: () => Promise<unknown>): Promise<void> => {
    const enter = `UPDATE no_contact SET lifted_at = NULL, lifted_by = NULL, lifted_because = NULL
      WHERE unique_identifier = '${id}'`;
    const { url } = on.ground;
    if (url.startsWith('sqlite:')) {
      const holder = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 5_000 });
      holder.exec(`BEGIN IMMEDIATE; ${enter}`);
      const asking = asked();
      for (let later = 0; later < LATER; later += 1) await on.read(PATH);
      holder.exec('COMMIT');
      holder.close();
      await asking;
      return;
    }
    const holder = new Client(url);
    await holder.connect();
    await holder.query(`BEGIN; SELECT FROM "account" FOR NO KEY UPDATE; ${enter}`);
    const asking = asked();
    await until(async () => {
      await holder.query(LOOK_ANEW);
      return (await holder.query(WAITING)).rowCount !== 0;
    });
    await holder.query('COMMIT');
    await holder.end();
    await asking;
  };

  const colleague = async (): Promise<string> => {
    const all = async () => (await on.service.app.store.staff.list())[0]?.unique_identifier;
    if ((await all()) === undefined) await signedIn(on.service, 'ada@example.com');
    return (await all()) ?? '';
  };
  const bodies: Readonly<Record<string, () => Promise<object>>> = {
    claim: async () => ({}),
    release: async () => ({}),
    hand_over: async () => ({ owner: await colleague() }),
    attempt: async () => ({ channel: 'call', outcome: 'reached' }),
    schedule: async () => ({ next_at: '2100-01-01T00:00:00Z' }),
    close: async () => ({ outcome: 'done' }),
    reopen: async () => ({ reason: 'again' }),
  };

  assert.ok(guarded.length > 7);
  for (const operation of guarded) {
    const verb = routeOf(operation).url.split('/').at(-1) ?? '';
    it(`is refused by an entry that is committed before it: ${operation.name}`, async () => {
      made += 1;
      const visitor_phone_number = `+1425${1_000_000 + made}`;
      const { unique_identifier: record } = await on.visit(`Visitor ${made}`, {
        visitor_phone_number,
      });
      const sent = { account: on.account, phone_number: visitor_phone_number };
      const { unique_identifier: entry } = await on.ok('/v1/do_not_contact', sent, on.officer);
      await on.ok(`/v1/do_not_contact/${entry}/lift`, { reason: 'called' }, on.officer);
      const isBegun = verb === 'follow_ups';
      const begun = isBegun ? undefined : await on.ok(PATH, { record }, on.officer);
      const path = begun ? `${PATH}/${begun.unique_identifier}` : PATH;
      if (verb === 'reopen') await on.ok(`${path}/close`, { outcome: 'done' }, on.officer);
      const body = isBegun ? { record } : await bodies[verb]?.();
      assert.ok(body, `say what ${operation.name} is sent`);
      const book = on.service.app.store.followUp;
      const before = await book.ofRecords(on.account, [record]);
      await enteredBefore(entry, async () => {
        const to = isBegun ? path : `${path}/${verb}`;
        refused(await on.service.json(to, body, { key: on.officer }), 409, 'do_not_contact');
      });
      assert.deepEqual(await book.ofRecords(on.account, [record]), before, 'it was not done');
    });
  }
});
