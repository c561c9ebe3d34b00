/** A publication of all tables, as a move to another server or release begins with, refuses no write. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownTables } from '../../src/core/objects/tables/all.ts';
import { quoteName } from '../../src/store/names.ts';
import { openStore } from '../../src/store/open.ts';
import { connected } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { pendingSteps } from '../support/pending.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { shapes } from '../support/store-shapes.ts';
import { newAccount, placeDraft, remove, write } from '../support/store-world.ts';

/** Tables whose rows nothing identifies: once they are published, PostgreSQL takes no change of them. */
const NAMELESS = `SELECT relname FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relreplident <> 'f'
    AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid
      AND (indisreplident OR (indisprimary AND relreplident = 'd')))
  ORDER BY relname`;

await onPostgres(({ name, ground }) => {
  const skip =
    process.env.TEST_DISTRIBUTION !== undefined && 'its databases have schemas of others';
  describe(`A publication of all tables on ${name}`, { skip }, () => {
    for (const partitions of [0, 3])
      it(`refuses no write to a new store${partitions > 0 ? ' in partitions' : ''}`, async () => {
        const { url, remove: drop } = await ground();
        whenOver(drop);
        const store = await openStore({ url, shapes, create: true, serve: true, partitions });
        whenOver(() => store.close());
        const { query } = await session(url);
        assert.deepEqual(await query(NAMELESS), []);
        await query('CREATE PUBLICATION everything FOR ALL TABLES');
        const account = await newAccount(store);
        for (const title of ['one', 'two']) {
          const made = await write(store, placeDraft(account, 'a', { title }));
          assert.equal(JSON.parse(made.document).title, title);
        }
        await remove(store, await write(store, placeDraft(account, 'b', { title: 'gone' })));
        for (const { table } of ownTables) {
          await query(
            `UPDATE ${quoteName(table)} SET ${quoteName(await columnOf(query, table))} = NULL WHERE false`,
          );
          await query(`DELETE FROM ${quoteName(table)} WHERE false`);
        }
      });

    it('refuses none to a store of an earlier release, after the migration that says so', async () => {
      const { url, remove: drop } = await ground();
      whenOver(drop);
      await (await openStore({ url, shapes, create: true, serve: true })).close();
      const { query } = await session(url);
      const tables = await query(
        "SELECT relname FROM pg_class WHERE relreplident = 'i' AND relkind = 'r'",
      );
      assert.ok(tables.length > 3);
      for (const { relname } of tables)
        await query(`ALTER TABLE ${quoteName(relname)} REPLICA IDENTITY DEFAULT`);
      const [step = '', ...others] = await pendingSteps({ url, shapes });
      assert.deepEqual(others, []);
      assert.match(step, /^identity of rows of .*\bplace\b/);
      await (await openStore({ url, shapes, create: false, serve: true })).close();
      assert.deepEqual(await query(NAMELESS), []);
      assert.deepEqual(await pendingSteps({ url, shapes }), []);
    });
  });
});

type Query = (text: string) => Promise<readonly { readonly relname: string }[]>;

async function session(url: string): Promise<{ readonly query: Query }> {
  const client = await connected(url);
  return { query: async (text) => (await client.query(text)).rows };
}

async function columnOf(query: Query, table: string): Promise<string> {
  const [first] = await query(
    `SELECT attname AS relname FROM pg_attribute WHERE attrelid = '${quoteName(table)}'::regclass AND attnum = 1`,
  );
  return first?.relname ?? '';
}
