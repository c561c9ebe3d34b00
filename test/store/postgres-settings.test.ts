/**
 * Whatever a role or a database has for others of PostgreSQL's settings: what the service does by them is the same, also
 * behind a pooler. The settings and their values are those that the server itself names.
 */
// needs: long

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openLoading, openStore } from '../../src/store/open.ts';
import { readAddress, untimed } from '../../src/store/postgres/wire/address.ts';
import { openSession } from '../../src/store/postgres/wire/server.ts';
import { FIXED } from '../../src/store/postgres/wire/settings.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { StoreUnavailable } from '../../src/store/promises/store.ts';
import { ALL } from '../support/all.ts';
import { ask, connected } from '../support/ask.ts';
import { backUp, digestsOf, fill, openAt, restore } from '../support/backups.ts';
import { onPostgres, type PostgresCase, type PostgresGround } from '../support/store-postgres.ts';
import { place, shapes, thing } from '../support/store-shapes.ts';
import { newAccount, placeDraft, thingDraft, within, write } from '../support/store-world.ts';
import { until } from '../support/until.ts';

/** What an operator decides by them: who he is, where tables are, whether anything is written, what the server logs. */
const DECIDED =
  /^(role|session_authorization|default_transaction_read_only|transaction_|log_|debug_print)/;
/** Texts that a server does not list values of. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  DateStyle: ['SQL, DMY', 'German', 'Postgres, MDY'],
  TimeZone: ['Asia/Kolkata', 'America/St_Johns'],
  client_encoding: ['LATIN1', 'SQL_ASCII'],
};
/** Ends what takes too long. */
const LIMIT = /^(?!deadlock).*_timeout$/;
/** Shorter than what is tested to take longer, and longer than opening a session on a busy machine. */
const SHORT_MS = 1_500;

type Row = Readonly<
  Record<'name' | 'vartype' | 'category' | 'min_val' | 'max_val' | 'reset_val', string>
> & { readonly enumvals: readonly string[] | null };

/** By setting, the values that it may have beside its own. */
async function otherValues(server: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = (await ask(
    server,
    "SELECT * FROM pg_settings WHERE context IN ('user', 'superuser') ORDER BY name",
  )) as unknown as Row[];
  const valuesOf = ({ name, vartype, category, min_val, max_val, reset_val, enumvals }: Row) => {
    if (DECIDED.test(name)) return [];
    if (vartype === 'bool') return [reset_val === 'on' ? 'off' : 'on'];
    if (enumvals !== null) return enumvals.filter((one) => one !== reset_val);
    if (name in TEXTS) return TEXTS[name] ?? [];
    if (LIMIT.test(name)) return [`${SHORT_MS}`];
    return /^(Query Tuning|Client Connection)/.test(category) && vartype !== 'string'
      ? [min_val, max_val]
      : [];
  };
  const all = rows.map((row) => [row.name, valuesOf(row)] as const);
  return new Map(all.filter(([, values]) => values.length > 0));
}

/** So that each value is in one of them; the first ones have each isolation. */
function rounds(all: ReadonlyMap<string, readonly string[]>) {
  const most = Math.max(...all.values().map(({ length }) => length));
  return Array.from({ length: ALL ? most : 3 }, (_, round) =>
    [...all].map(([name, values]) => [name, values[round % values.length] ?? ''] as const),
  );
}

await onPostgres(({ name, url: server, ground }) => {
  describe(`Whatever settings a database has on ${name}`, () => {
    /** One that has those of them that can be set there. */
    async function groundWith(
      settings: readonly (readonly [name: string, value: string])[],
    ): Promise<PostgresGround> {
      const found = await ground();
      await ask(
        server,
        ...settings.map(
          ([name, value]) =>
            `DO $do$ BEGIN ALTER DATABASE ${found.name} SET "${name}" = $value$${value}$value$;
             EXCEPTION WHEN OTHERS THEN NULL; END $do$`,
        ),
      );
      return found;
    }

    it('it is made, written, read, listed, backed up and restored as ever', async () => {
      const all = await otherValues(server);
      for (const named of Object.keys(FIXED)) {
        const known = all.keys().some((one) => one.toLowerCase() === named);
        assert.ok(known || named === 'transaction_timeout', named);
      }
      for (const settings of rounds(all)) {
        try {
          await wantAll(await groundWith(settings), await groundWith(settings));
        } catch (cause) {
          throw new Error(settings.map((one) => one.join(' = ')).join('\n'), { cause });
        }
      }
    });

    it('each session goes by what the service relies on', async () => {
      for (const settings of rounds(await otherValues(server))) {
        const { url } = await groundWith(settings);
        for (const address of [readAddress(url), untimed(readAddress(url))]) {
          await using session = await openSession(address);
          const rows = await session.query<readonly [name: string, value: string]>(
            'SELECT lower(name), setting FROM pg_settings',
          );
          const found = new Map(rows);
          const { statementMs, idleMs } = address.limits;
          const wanted = {
            ...FIXED,
            statement_timeout: `${statementMs}`,
            idle_in_transaction_session_timeout: `${idleMs}`,
          };
          for (const [name, value] of Object.entries(wanted)) {
            const seen = name === 'datestyle' ? found.get(name)?.split(',')[0] : found.get(name);
            // What each transaction is begun with counts for it.
            const isOfBegin = name.startsWith('default_transaction');
            if (seen === undefined || isOfBegin) continue;
            assert.equal(seen, value, name);
          }
          assert.equal(found.get('transaction_isolation'), 'read committed');
          assert.notEqual(found.get('synchronous_commit'), 'off');
        }
      }
    });

    it('no time limit of theirs ends a migration, a backup or a restore', async () => {
      const limits = [...(await otherValues(server)).keys()].filter((one) => LIMIT.test(one));
      const settings = limits.map((one) => [one, `${SHORT_MS}`] as const);
      const [from, to] = [await groundWith(settings), await groundWith(settings)];
      const lasting = (who: string) => async () =>
        (
          await ask(
            server,
            `SELECT FROM pg_stat_activity WHERE ${who} AND
              clock_timestamp() - xact_start > ${3 * SHORT_MS} * interval '1 ms'`,
          )
        ).length > 0;
      // Another process migrates, and this one waits for it.
      const direct = new URL(server);
      direct.pathname = from.name;
      const other = await connected(direct.href);
      await other.query('SET statement_timeout = 0');
      for (const one of limits) await other.query(`SET ${one} = 0`);
      await other.query(`BEGIN`);
      await other.query(`SELECT pg_advisory_xact_lock(${0x4c646773}, 0)`);
      const opening = openAt(from);
      opening.catch(() => undefined);
      await until(lasting(`datname = '${from.name}' AND wait_event_type = 'Lock'`));
      await other.query('COMMIT');
      const store = await opening;
      await fill(store, 10);
      const snapshot = await store.snapshot();
      await until(lasting(`datname = '${from.name}'`));
      await snapshot.close();
      const { bytes, trailer } = await backUp(store);
      const loading = await openLoading({ url: to.url, shapes });
      await until(lasting(`datname = '${to.name}'`));
      await loading.abandon();
      await restore(to, bytes);
      assert.deepEqual(digestsOf(await backUp(await openAt(to))), digestsOf({ trailer }));
    });

    it('that it is only to be read is left as it is, and told', async () => {
      const found = await groundWith([]);
      const before = await openStore({ url: found.url, shapes, create: true, serve: false });
      const account = await newAccount(before);
      await before.close();
      await ask(
        server,
        `ALTER DATABASE ${found.name} SET default_transaction_read_only = on`,
        // A pooler keeps sessions.
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${found.name}'`,
      );
      const store = await openAt(found);
      const refused = (error: unknown) =>
        error instanceof StoreUnavailable && /the database is read-only/.test(error.message);
      await assert.rejects(store.commit([placeDraft(account, 'home', {})]), refused);
      await assert.rejects(store.checkWritable(), refused);
      assert.equal((await store.accounts.list()).length, 1);
    });
  });
});

async function wantAll(first: Awaited<ReturnType<PostgresCase['ground']>>, other: PostgresGround) {
  const store = await openAt(first);
  await fill(store, 10);
  await wantWritten(store);
  await store.checkWritable();
  const { bytes, trailer } = await backUp(store);
  await store.close();
  // It is opened again: nothing is to be made.
  await (await openStore({ url: first.url, shapes, create: true, serve: true })).close();
  await restore(other, bytes);
  const restored = await openAt(other);
  assert.deepEqual(digestsOf(await backUp(restored)), digestsOf({ trailer }));
  await wantWritten(restored);
  await restored.close();
}

/** Writers who meet, values that are odd to write down, and a list of them. */
async function wantWritten(store: Store): Promise<void> {
  const account = await newAccount(store, 'Théo \\ "and" \'sons\'');
  const home = await write(store, placeDraft(account, "it's \\ null", { title: 'NULL' }));
  const names = Array.from({ length: 20 }, (_, at) => `${at}`);
  const all = names.flatMap((one) => [
    store.commit([thingDraft(home, one, { label: `\\x${one}` })]),
    store.commit([thingDraft(home, one, { label: `\\x${one}` }), thingDraft(home, 'same', {})]),
  ]);
  for (const outcomes of await Promise.all(all))
    for (const { outcome } of outcomes) assert.match(outcome, /^(created|updated|unchanged)$/);
  for (const shape of [place, thing]) {
    const query = { shape, scope: within(account), order: 'newest' as const, limit: 50 };
    const { records } = await store.list(query);
    assert.equal(records.length, shape === place ? 1 : names.length + 1);
  }
}
