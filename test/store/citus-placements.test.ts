/** Each account is worked in at its server of a cluster, also while it moves, and nothing is lost or done twice. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import {
  checkEachWritable,
  checkNodes,
  untestedCitus,
} from '../../src/store/postgres/schema/distribution.ts';
import { readAddress } from '../../src/store/postgres/wire/address.ts';
import { openSession } from '../../src/store/postgres/wire/server.ts';
import { type Store, StoreUnavailable } from '../../src/store/promises/store.ts';
import { ask } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { type CutWire, cutWire } from '../support/cut-wire.ts';
import { bookStatements } from '../support/feature-statements.ts';
import { opened } from '../support/opened.ts';
import { pendingSteps } from '../support/pending.ts';
import { pluck } from '../support/pluck.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { serverOf, storeOverWire } from '../support/store-wire.ts';
import {
  newAccount,
  outcomesOf,
  placeDraft,
  remove,
  within,
  written,
} from '../support/store-world.ts';
import { until } from '../support/until.ts';

const ON_CLUSTER = process.env.TEST_DISTRIBUTION === 'citus';

/** Cuts the wire to the server of the address: nothing that it must do is done from then on. */
async function cutFor(store: Store, wire: CutWire): Promise<void> {
  wire.staysCut = true;
  wire.cutAt('there', 'too late');
  await assert.rejects(newAccount(store, 'too late'), StoreUnavailable);
  assert.ok((await store.accounts.list()).length > 0, 'any server lists the accounts');
}

await onPostgres(({ name, ground }) => {
  const skip = !ON_CLUSTER && 'TEST_DISTRIBUTION=citus names no cluster';
  describe(`Accounts of a cluster on ${name}`, { skip }, () => {
    it('have no statement of a book that Citus refuses', async () => {
      const { url } = await storeOverWire(ground);
      const session = await openSession(readAddress(url));
      whenOver(() => session.close());
      const refused: string[] = [];
      for (const [name, all] of bookStatements)
        for (const [key, { postgres }] of Object.entries(all)) {
          await session.query('BEGIN');
          try {
            await session.query(`PREPARE tried AS ${postgres}`);
            const types = await session.value<string>(
              "SELECT array_to_string(parameter_types::text[], ',') FROM pg_prepared_statements WHERE name = 'tried'",
            );
            const values = (types ?? '').split(',').filter(Boolean).map(sqlOfType).join();
            await session.query(`EXPLAIN EXECUTE tried${values === '' ? '' : `(${values})`}`);
          } catch (error) {
            refused.push(`${name}.${key}: ${(error as Error).message}`);
          }
          await session.query('ROLLBACK');
          await session.query('DEALLOCATE ALL');
        }
      assert.deepEqual(refused, []);
    });

    it('are not served at a server that was removed, which is told nothing any more', async () => {
      const { url } = await storeOverWire(ground);
      const [worker] = await ask(
        url,
        'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0',
      );
      const at = new URL(url);
      at.host = `${worker?.nodename}:${worker?.nodeport}`;
      const session = await openSession(readAddress(at.href));
      whenOver(() => session.close());
      await checkNodes(session);
      // As it goes on to see itself, while no other server knows it.
      await session.query(`BEGIN;
        UPDATE pg_dist_node SET groupid = 99 WHERE groupid = (SELECT groupid FROM pg_dist_local_group);
        UPDATE pg_dist_local_group SET groupid = 99`);
      const message = /was removed from its cluster: take it out of DATABASE_URL/;
      await assert.rejects(checkNodes(session), { name: 'StoreUnusable', message });
      await assert.rejects(checkEachWritable(session, 1), { name: 'StoreUnavailable', message });
      await session.query('ROLLBACK');
    });

    it('are written and read while the server of the address is down, once they are known', async () => {
      const { store, wire } = await storeToCut(ground);
      const made = await store.accounts.create({ name: 'A', livemode: false });
      const account = made.unique_identifier;
      const other = await newAccount(store, 'B');
      const [home] = await store.commit([placeDraft(account, 'one', { title: 'one' })]);
      await cutFor(store, wire);

      const [changed] = await store.commit([placeDraft(account, 'one', { title: 'two' })]);
      assert.equal(changed?.outcome, 'updated');
      const { unique_identifier } = written(home).record;
      const scope = within(account);
      const found = await store.find(place, unique_identifier, scope);
      assert.equal(found?.version, 2);
      const page = await store.list({ shape: place, scope, order: 'newest', limit: 10 });
      assert.equal(page?.records.length, 1);
      const log = await store.log.read({ account, limit: 10, bytes: 1_000 });
      assert.ok(typeof log === 'object' && log.changes.length === 3);
      await remove(store, written(changed).record);
      const [first] = await store.commit([placeDraft(other, 'one', { title: 'one' })]);
      assert.equal(first?.outcome, 'created', 'the other servers know where accounts are, too');
    });

    it('of one key are listed together, and its requests are done once, while the server of the address is down', async () => {
      const { url, store, wire } = await storeToCut(ground);
      const accounts = (await accountsApart(url, store)).slice(0, 3);
      const [account = '', beside = '', other = ''] = accounts;
      for (const one of accounts) await store.commit([placeDraft(one, 'one', { title: one })]);
      await cutFor(store, wire);

      const scope = within(...accounts);
      const page = await store.list({ shape: place, scope, order: 'newest', limit: 10 });
      assert.deepEqual(new Set(page?.records.map((one) => one.account)), new Set(accounts));
      const found = page?.records.map((one) => one.unique_identifier) ?? [];
      assert.equal((await store.findAll(place, found, scope)).length, 3);
      assert.deepEqual([...(await store.log.positions(accounts)).values()], [2, 2, 2]);
      const batch = [account, beside].map((one) => placeDraft(one, 'both', { title: 'both' }));
      const both = outcomesOf(await store.commit(batch, { atomic: true }));
      assert.deepEqual(both, ['created', 'created']);

      const receipt = {
        ...{ owner: 'key', accounts, idempotency_key: 'once', fingerprint: new Uint8Array(32) },
        expires_at: Date.now() + 60_000,
      };
      const send = async (to: string) =>
        outcomesOf(await store.commit([{ ...placeDraft(to, 'two', { title: 'two' }), receipt }]));
      assert.deepEqual(await send(account), ['created']);
      assert.deepEqual(await send(account), ['repeated']);
      assert.deepEqual(await send(other), ['created']);
      assert.deepEqual(await send(other), ['repeated']);
      const unique_identifier = found[0] ?? '';
      const { account: of = '' } = page?.records[0] ?? {};
      const removal = { shape: place, account: of, unique_identifier, cascade: true, receipt };
      assert.equal((await store.remove(removal)).outcome, 'repeated');
      assert.equal((await store.receipt(receipt))?.outcome, 'created');
    });

    it('that move are written at their new server by a store that was not told', async () => {
      const { url, options, direct, account } = await storeOverWire(ground);
      const unaware = await opened(options);
      const names: string[] = [];
      for (let round = 0; round < 4; round++) {
        for (const [at, store] of [direct, unaware].entries()) {
          const drafts = [`${round} ${at}`, 'both'].map((title) =>
            placeDraft(account, title, { title: `${round} ${at}` }),
          );
          names.push(...outcomesOf(await store.commit(drafts)));
        }
        await move(url, account);
      }
      assert.equal(names.filter((outcome) => outcome === 'created').length, 9);
      assert.equal(names.filter((outcome) => outcome === 'updated').length, 7);
      await wantPositions(url, account);
      const pair = { account, parent: account, external_identifier: 'both' };
      assert.equal((await unaware.findPair(place, pair))?.version, 8);
    });

    it('that move or are split while several write are written once each, without a gap', async () => {
      const { url, options, direct, account } = await storeOverWire(ground);
      const unaware = await opened(options);
      let moving = true;
      const made: string[] = [];
      const writing = [direct, unaware].flatMap((store, at) =>
        [0, 1].map(async (writer) => {
          for (let count = 0; moving; count++) {
            const title = `${at} ${writer} ${count}`;
            try {
              const outcomes = await store.commit([placeDraft(account, title, { title })]);
              assert.deepEqual(outcomesOf(outcomes), ['created']);
              made.push(title);
            } catch (error) {
              if (!(error instanceof StoreUnavailable)) throw error;
            }
          }
        }),
      );
      /** Some more was written since. */
      const more = async (): Promise<void> => {
        const before = made.length;
        await until(() => made.length >= before + 8);
      };
      try {
        for (let round = 0; round < 3; round++) {
          await more();
          await move(url, account);
        }
        await more();
        await split(url, account);
        await more();
      } finally {
        moving = false;
        await Promise.all(writing);
      }
      for (const external_identifier of made) {
        const pair = { account, parent: account, external_identifier };
        assert.equal((await direct.findPair(place, pair))?.version, 1, external_identifier);
      }
      await wantPositions(url, account);
    });

    it('share a commit where they share a server, and only there', async () => {
      const { url, direct, account } = await storeOverWire(ground);
      const server = await serverOf(url, account);
      const [here, there] = [[account], [] as string[]];
      while (here.length < 4 || there.length < 2) {
        const unique_identifier = await newAccount(direct, 'B');
        const at = await serverOf(url, unique_identifier);
        (at === server ? here : there).push(unique_identifier);
      }
      const accounts = [...here.slice(0, 4), ...there.slice(0, 2)];
      const commit = (title: string) =>
        Promise.all(
          direct.commitEach?.(accounts.map((one) => [placeDraft(one, 'one', { title })])) ?? [],
        );
      assert.ok((await commit('a')).every(([one]) => one?.outcome === 'created'));
      assert.ok((await commit('b')).every(([one]) => one?.outcome === 'updated'));
      const rows = await ask(url, 'SELECT account, token FROM commit ORDER BY position');
      const tokens = accounts.map((one) => rows.findLast((row) => row.account === one)?.token);
      assert.equal(new Set(tokens.slice(0, 4)).size, 1);
      assert.equal(new Set(tokens.slice(4)).size, 1);
      assert.equal(new Set(tokens).size, 2);
    });

    it('whose commit comes late, after they have moved, are written once', async () => {
      const { url, store, direct, account, wire } = await storeOverWire(ground);
      await store.commit([placeDraft(account, 'before', { title: 'before' })]);
      const title = 'a title that comes late';
      const late = wire.holdAt(title);
      const committing = store.commit([placeDraft(account, 'a', { title })]);
      const release = await late;
      await move(url, account);
      assert.deepEqual(outcomesOf(await committing), ['created']);
      await release();
      const pair = { account, parent: account, external_identifier: 'a' };
      assert.equal((await direct.findPair(place, pair))?.version, 1);
      const next = await direct.commit([placeDraft(account, 'b', {})]);
      assert.deepEqual(outcomesOf(next), ['created']);
      await wantPositions(url, account);
    });

    it('are locked for moves by the inner parts of Citus that versions since 10 have', async () => {
      const { url, account } = await storeOverWire(ground);
      const [found] = await ask(
        url,
        `SELECT citus_version() AS version,
           to_regprocedure('pg_catalog.lock_shard_metadata(integer,bigint[])') AS lock,
           to_regclass('pg_catalog.pg_dist_placement') AS placement,
           to_regclass('pg_catalog.pg_dist_local_group') AS here,
           get_shard_id_for_distribution_column('account', '${account}') AS part`,
      );
      assert.match(String(found?.version), /^Citus 13\./, 'seen on these versions');
      for (const part of ['lock', 'placement', 'here'] as const) assert.ok(found?.[part], part);
      const server = new URL(url);
      server.host = await serverOf(url, account);
      const rows = await ask(server.href, `SELECT count(*) AS count FROM account_${found?.part}`);
      assert.deepEqual(rows, [{ count: '1' }]);
    });

    it('are not served where a server cannot be reached, with what to do', async () => {
      const { url, options, account } = await storeOverWire(ground);
      const server = await serverOf(url, account);
      const nodes = [`${server}=127.0.0.1:1`];
      await assert.rejects(openStore({ ...options, nodes }), {
        message: new RegExp(`${server}.*127.0.0.1:1: no server answers.*pg_hba.conf.*CITUS_NODES`),
      });
      const mistaken = [`${server}=${new URL(url).host}`];
      await assert.rejects(openStore({ ...options, nodes: mistaken }), /another server answers/);
      const unknown = ['elsewhere:5432=127.0.0.1:1'];
      await assert.rejects(openStore({ ...options, nodes: unknown }), {
        message: /CITUS_NODES names elsewhere:5432, and the cluster knows/,
      });
    });

    it('are served by a store at a worker while its schema is up to date, which only the coordinator can change', async () => {
      const { url, options, account } = await storeOverWire(ground);
      const worker = new URL(url);
      worker.host = await serverOf(url, account);
      const there = { ...options, url: worker.href };
      assert.deepEqual(await pendingSteps(there), []);
      await ask(url, 'DROP INDEX place_updated_hour');
      const pending = await pendingSteps(there);
      assert.deepEqual(pending, ['index place_updated_hour']);
      assert.deepEqual(await pendingSteps(options), pending);
      await assert.rejects(openStore(there), /is not the coordinator.*"ledgerstone migrate"/);
      await (await openStore(options)).close();
      await (await openStore(there)).close();
    });
  });

  describe(`A version of Citus that was not tested, on ${name}`, { skip: ON_CLUSTER }, () => {
    it('is named as the reason why nothing is written', async () => {
      const { url, remove: drop } = await ground();
      const session = await openSession(readAddress(url));
      whenOver(async () => {
        await session.close();
        await drop();
      });
      await session.query(`SET allow_system_table_mods = on;
        UPDATE pg_extension SET extname = 'citus', extversion = '99.1-1' WHERE extname = 'plpgsql'`);
      assert.match((await untestedCitus(session)) ?? '', /Citus 99\.1-1.*CITUS_UNTESTED=yes/);
      await session.query("UPDATE pg_extension SET extversion = '13.4-1' WHERE extname = 'citus'");
      assert.equal(await untestedCitus(session), undefined);
    });
  });
});

/** Any value of that type, as SQL. */
function sqlOfType(type: string): string {
  const one = /^(?:bigint|integer|smallint|numeric|double)/.test(type)
    ? '1'
    : type.startsWith('boolean')
      ? 'true'
      : type.startsWith('json')
        ? '{}'
        : '';
  return type.endsWith('[]') ? `ARRAY['${one}']::${type}` : `'${one}'::${type}`;
}

/** A store over a wire to the server of its address. */
async function storeToCut(ground: PostgresCase['ground']) {
  const { url, distribution, remove: drop } = await ground();
  const wire = await cutWire(Number(new URL(url).port));
  const over = new URL(url);
  over.port = String(wire.port);
  const options = { distribution, shapes, create: true, serve: true };
  const store = await opened({ ...options, url: over.href });
  whenOver(drop);
  return { url, store, wire };
}

/** Two at one server, and one at another. */
async function accountsApart(url: string, store: Store): Promise<readonly string[]> {
  const at = new Map<string, string[]>();
  for (;;) {
    const unique_identifier = await newAccount(store, 'B');
    const server = await serverOf(url, unique_identifier);
    at.set(server, [...(at.get(server) ?? []), unique_identifier]);
    const [some, others] = [...at.values()].sort((one, other) => other.length - one.length);
    if (some?.[1] !== undefined && others !== undefined) return [...some.slice(0, 2), ...others];
  }
}

/** Moves all that lies together with the account to another server. */
async function move(url: string, account: string): Promise<void> {
  const from = await serverOf(url, account);
  const [to] = await ask(
    url,
    `SELECT nodename, nodeport FROM pg_dist_node
     WHERE shouldhaveshards AND nodename || ':' || nodeport <> '${from}' LIMIT 1`,
  );
  const [name, port] = from.split(':');
  await ask(
    url,
    `SELECT citus_move_shard_placement(get_shard_id_for_distribution_column('account', '${account}'),
       '${name}', ${port}, '${to?.nodename}', ${to?.nodeport}, 'block_writes')`,
  );
}

/** Splits the part that has the account in two, one of them at another server. */
async function split(url: string, account: string): Promise<void> {
  await ask(
    url,
    `SELECT citus_split_shard_by_split_points(shardid,
       ARRAY[((shardminvalue::bigint + shardmaxvalue::bigint) / 2)::text],
       (SELECT array_agg(nodeid::int) FROM (SELECT nodeid FROM pg_dist_node WHERE shouldhaveshards LIMIT 2) AS two),
       'block_writes')
     FROM pg_dist_shard WHERE shardid = get_shard_id_for_distribution_column('account', '${account}')`,
  );
}

/** The commits of an account have all positions from 1 on. */
async function wantPositions(url: string, account: string): Promise<void> {
  const own = `SELECT position::int FROM commit WHERE account = '${account}' ORDER BY position`;
  const positions = pluck(await ask(url, own), 'position');
  assert.deepEqual(
    positions,
    [...positions.keys()].map((at) => at + 1),
  );
}
