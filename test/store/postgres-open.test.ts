/** A PostgreSQL store is opened whole, or not at all, and then one clear sentence says why. */

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { ownTables } from '../../src/core/objects/tables/all.ts';
import { quoteName } from '../../src/store/names.ts';
import { openStore } from '../../src/store/open.ts';
import { readAddress } from '../../src/store/postgres/wire/address.ts';
import { asUnusable } from '../../src/store/postgres/wire/failure.ts';
import { openSession } from '../../src/store/postgres/wire/server.ts';
import { StoreUnavailable, StoreUnusable } from '../../src/store/promises/store.ts';
import { ALL } from '../support/all.ts';
import { connected } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { pendingSteps } from '../support/pending.ts';
import { onOwnPostgres, postgresGround } from '../support/store-postgres.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { placeDraft, write } from '../support/store-world.ts';

const PASSWORD = 'hunter2';
const how = { shapes, create: true, serve: true };

await onOwnPostgres((server) => {
  after(() => server.remove());

  /** A database of its own, and a way to look at it past the store. */
  const database = async () => {
    const { url, remove } = await postgresGround(server.url);
    whenOver(remove);
    const client = await connected(url);
    return { url, run: async (text: string) => (await client.query(text)).rows };
  };
  const refuses = async (url: string, words: RegExp, options: object = {}): Promise<void> => {
    const check = (error: unknown): boolean => {
      assert.ok(error instanceof StoreUnusable, String(error));
      assert.match(error.message, words);
      assert.doesNotMatch(error.message, /\n/);
      assert.ok(!error.message.includes(PASSWORD), 'a password is shown');
      return true;
    };
    await assert.rejects(openStore({ ...how, url, ...options }), check);
  };
  const otherwise = (url: string, change: Partial<URL>): string =>
    Object.assign(new URL(url), change).href;

  describe('A PostgreSQL store is not opened', () => {
    it('where no server answers', async () => {
      const { url } = await database();
      const none = otherwise(url, { port: '1', password: PASSWORD });
      await refuses(none, /cannot be opened: no server answers at that address\.$/);
    });

    it('where none of several servers answers, and the next one is used where one does not', async () => {
      const { url } = await database();
      const { host, port } = new URL(url);
      const none = otherwise(url, { port: '1', password: PASSWORD });
      const { hostname } = new URL(none);
      const why = 'no server answers at that address';
      await refuses(
        none.replace(`${hostname}:1`, `${hostname}:1,${hostname}:2`),
        new RegExp(
          `${hostname}:1,${hostname}:2/.*: ${hostname}:1: ${why}; ${hostname}:2: ${why}\\.$`,
        ),
      );
      const next = await openStore({ ...how, url: url.replace(host, `${hostname}:1,${host}`) });
      assert.match(next.place, new RegExp(`${hostname}:1,${hostname}:${port}/`));
      assert.deepEqual(await next.accounts.list(), []);
      await next.close();
    });

    it('with a wrong password, or for a user that is not there', async () => {
      const { url } = await database();
      const wrong = otherwise(url, { password: PASSWORD });
      const says = /the server refuses this user or password\. Characters such as @ .*such as %40/;
      await refuses(wrong, says);
      const nobody = otherwise(wrong, { username: 'nobody_like_that' });
      await refuses(nobody, says);
    });

    it('where there is no such database', async () => {
      const { url } = await database();
      const none = otherwise(url, { pathname: 'no_such_database' });
      await refuses(none, /there is no such database\.$/);
    });

    it('where there are no tables and none are to be made', async () => {
      const { url, run } = await database();
      await refuses(url, /^There is no Ledgerstone store at postgres:/, { create: false });
      assert.deepEqual(await run("SELECT * FROM pg_class WHERE relname = 'account'"), []);
    });

    it('where the tables are those of another program', async () => {
      const { url, run } = await database();
      await run('CREATE TABLE account (id integer)');
      await refuses(url, /has tables of another program, .*: table account\. Nothing was changed/);
    });

    it('where a name that it would make is that of anything else, each of which is said', async () => {
      const { url: empty, run: all } = await database();
      await (await openStore({ ...how, url: empty })).close();
      const rows = await all(
        "SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'i', 'I')",
      );
      const { url, run } = await database();
      const names = rows as { relname: string; relkind: string }[];
      for (const [at, { relname: name, relkind }] of names.entries()) {
        const quoted = quoteName(name);
        const kinds: Readonly<Record<string, string>> = {
          table: `CREATE TABLE ${quoted} (id integer)`,
          view: `CREATE VIEW ${quoted} AS SELECT 1 AS id`,
          sequence: `CREATE SEQUENCE ${quoted}`,
          ...(/^[rp]$/.test(relkind) && { type: `CREATE TYPE ${quoted} AS ENUM ('one')` }),
        };
        // A primary key's index is named by PostgreSQL, which finds another name.
        if (name.endsWith('_pkey') || (!ALL && at % 5 > 0)) continue;
        const each = Object.entries(kinds);
        for (const [kind, make] of ALL ? each : [each[at % each.length] ?? ['', '']]) {
          await run(make);
          await refuses(
            url,
            new RegExp(`needs: ${kind} ${RegExp.escape(name)}\\. Nothing was changed`),
          );
          await run(`DROP ${kind} ${quoted}`);
        }
      }
      await run('CREATE VIEW place AS SELECT 1 AS id; CREATE TABLE hold (id integer)');
      await refuses(url, /needs: table hold, view place\. Nothing was changed/);
      const left = await run(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1",
      );
      assert.deepEqual(left, [{ relname: 'hold' }, { relname: 'place' }]);
    });

    it('at a server that was taken out of its cluster, told by the parts of tables that it lacks', async () => {
      const { url } = await database();
      const session = await openSession(readAddress(url));
      const lacks = (name: string): Promise<unknown> =>
        session.query(`SELECT FROM public.${name}`).catch((error: unknown) => error);
      const told = asUnusable(await lacks('erased_102022'), 'here') as Error;
      assert.ok(told instanceof StoreUnusable);
      assert.match(
        told.message,
        /at here cannot be opened: .*removed from its cluster.*DATABASE_URL/,
      );
      const other = await lacks('erased');
      assert.match(String(other), /"public\.erased" does not exist/);
      assert.equal(asUnusable(other, 'here'), other, 'a fault of ours stays one');
      await session.close();
    });

    it('as spread over servers where nothing spreads it', async () => {
      const { url } = await database();
      const citus = { distribution: 'citus' } as const;
      await refuses(url, /at postgres:\S+ has no Citus: run CREATE EXTENSION citus/, citus);
      await assert.rejects(pendingSteps({ url, shapes, ...citus }), /has no Citus/);
      await refuses('sqlite:no.db', /^A SQLite file cannot be distributed by citus/, citus);
    });

    it('where the user may make no tables', async () => {
      const { url, run } = await database();
      const name = new URL(url).pathname.slice(1);
      await run(`CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}'`);
      const limited = otherwise(url, { username: name, password: PASSWORD });
      await refuses(
        limited,
        /cannot be opened: the user lacks a right; the server says "permission denied .*"\. Make the user the owner of the database/,
      );
      await run(`DROP ROLE ${name}`);
    });

    it('where it has rows of a feature that is not there', async () => {
      const { url, run } = await database();
      await (await openStore({ ...how, url })).close();
      await run('CREATE TABLE promise (unique_identifier text PRIMARY KEY)');
      await run('CREATE INDEX promise_first ON promise (unique_identifier)');
      await run("COMMENT ON INDEX promise_first IS 'CREATE INDEX promise_first ON promise'");
      await (await openStore({ ...how, url })).close();
      await run("INSERT INTO promise VALUES ('pro_1')");
      await refuses(url, /has rows in the table promise, which this Ledgerstone does not know/);
    });

    it('where it was made by a newer version', async () => {
      const { url, run } = await database();
      await (await openStore({ ...how, url })).close();
      await run("INSERT INTO ledgerstone_migration (version, name) VALUES (1002003, 'later')");
      await refuses(
        url,
        /was migrated by Ledgerstone 1\.2\.3, and this is [\d.]+: use 1\.2\.3 or a later version/,
      );
    });

    it('where the database cannot hold all texts', async () => {
      const { url } = await database();
      // At the server: a pooler keeps connections, and its role's timeouts are for statements of a service.
      const direct = await connected(server.url);
      await direct.query("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
      const latin = otherwise(url, { pathname: 'latin' });
      await refuses(latin, /has the encoding LATIN1/);
      await direct.query('DROP DATABASE latin WITH (FORCE)');
    });

    it('while the server does not wait for its disk', async () => {
      const { url, run } = await database();
      const change = async (how: string, wanted: string) => {
        await run(`ALTER SYSTEM ${how}`);
        await run('SELECT pg_reload_conf()');
        while ((await run('SHOW fsync'))[0].fsync !== wanted);
      };
      await change('SET fsync = off', 'off');
      await refuses(url, /has fsync off/);
      await change('RESET fsync', 'on');
      await (await openStore({ ...how, url })).close();
    });
  });

  describe('A PostgreSQL store', () => {
    it('names its place without user and password', async () => {
      const { url } = await database();
      const store = await openStore({ ...how, url });
      const { host, pathname } = new URL(url);
      assert.equal(store.place, `postgres://${host}${pathname}`);
      await store.close();
    });

    it('commits to the disk also where the database would rather not', async () => {
      const { url, run } = await database();
      const name = new URL(url).pathname.slice(1);
      await run(`ALTER DATABASE ${name} SET synchronous_commit = off`);
      await run('CREATE TABLE seen (setting text)');
      await run(`CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO seen SELECT current_setting('synchronous_commit'); RETURN NULL; END $$`);
      const store = await openStore({ ...how, url });
      await run('CREATE TRIGGER look AFTER INSERT ON place EXECUTE FUNCTION look()');
      const account = await store.accounts.create({ name: 'A', livemode: false });
      await write(store, placeDraft(account.unique_identifier, 'a', {}));
      assert.deepEqual(await run('SELECT * FROM seen'), [{ setting: 'on' }]);
      await store.close();
    });

    it('that is closed refuses all calls, and keeps no connection', async () => {
      const { url, run } = await database();
      const store = await openStore({ ...how, url });
      await store.checkWritable();
      await store.close();
      await assert.rejects(store.accounts.list(), StoreUnavailable);
      const others = 'SELECT FROM pg_stat_activity WHERE datname = current_database()';
      while ((await run(others)).length > 1);
    });

    it('tells what is pending, and does it once', async () => {
      const { url } = await database();
      const all = await pendingSteps({ url, shapes, partitions: 3 });
      assert.deepEqual(all, [
        'migration 1.0.0_fixed.sql',
        'migration 1.0.1_field.sql',
        'migration 1.1.0_receipts.sql',
        'table change, divided into 3 partitions',
        `tables ${ownTables.map(({ table }) => table).join(', ')}`,
        'declared key name of account',
        'table place, divided into 3 partitions',
        'declared key title of place',
        'table thing, divided into 3 partitions',
        'table visit "order", divided into 3 partitions',
        'declared key person of visit "order"',
        'declared key phone of visit "order"',
        'declared key welcome of visit "order"',
      ]);
      await (await openStore({ ...how, url, partitions: 3 })).close();
      assert.deepEqual(await pendingSteps({ url, shapes, partitions: 3 }), []);
      assert.deepEqual(await pendingSteps({ url, shapes }), []);
    });

    it('has in every table an index by which logical replication can tell its rows apart', async () => {
      const { url, run } = await database();
      await (await openStore({ ...how, url })).close();
      const without = await run(`SELECT relname FROM pg_class AS of_table
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND NOT EXISTS (
          SELECT FROM pg_index WHERE indrelid = of_table.oid AND indisunique AND indimmediate AND indpred IS NULL
            AND (indisprimary OR NOT EXISTS (SELECT FROM unnest(indkey) AS own (number)
              LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number WHERE attnotnull IS NOT TRUE)))`);
      assert.deepEqual(without, []);
    });

    it('can be opened ten times at once where there is nothing yet', async () => {
      const { url } = await database();
      const opening = Array.from({ length: 10 }, () => openStore({ ...how, url }));
      const stores = await Promise.all(opening);
      const account = await stores[0]?.accounts.create({ name: 'A', livemode: false });
      assert.ok(account);
      for (const [index, store] of stores.entries()) {
        await write(store, placeDraft(account.unique_identifier, `${index}`, {}));
      }
      for (const store of stores) await store.close();
    });

    it('loses the index of a key that is no longer declared', async () => {
      const { url, run } = await database();
      await (await openStore({ ...how, url })).close();
      const other = shapes.map((shape) => (shape === place ? { ...place, keys: [] } : shape));
      assert.deepEqual(await pendingSteps({ url, shapes: other }), [
        'index place_key_title of a key that is no longer declared',
      ]);
      await (await openStore({ ...how, url, shapes: other })).close();
      const index = "SELECT FROM pg_class WHERE relname = 'place_key_title'";
      assert.equal((await run(index)).length, 0);
    });
  });
});
