/** The schema of a SQLite store: made from migrations and shapes, brought up to date when it is opened. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { describeSchema } from '../../scripts/reference/sqlite-schema.ts';
import { ownTables } from '../../src/core/objects/tables/all.ts';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import { FIXED_TABLES, tableName } from '../../src/store/names.ts';
import { openStore, pendingMigrations } from '../../src/store/open.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { ask } from '../support/ask.ts';
import { pluck } from '../support/pluck.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft, within } from '../support/store-world.ts';

const keyless = shapes.map((shape): RecordShape => ({ ...shape, keys: [] }));

/** The statements that would make it. */
async function statementsOf(url: string): Promise<string> {
  const kept = await ask(url, 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL');
  return kept.map(({ sql }) => `${sql};\n`).join('\n');
}
/** Their lines, in whatever order. */
const schemaOf = async (url: string) => new Set((await statementsOf(url)).split('\n'));

async function titles(store: Store, account: string) {
  const query = { shape: place, scope: within(account), order: { key: 'title' }, limit: 100 };
  return pluck((await store.list(query)).records, 'external_identifier');
}

describe('The schema of a SQLite store', () => {
  it('is what describeSchema says', async () => {
    const { url } = await sqliteGround();
    await (await openStore({ url, shapes, create: true, serve: false })).close();
    assert.equal(describeSchema(shapes), await statementsOf(url));
  });

  it('has no table whose name a resource could take', async () => {
    const { url } = await sqliteGround();
    await (await openStore({ url, shapes, create: true, serve: false })).close();
    const tables = `SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`;
    const names = new Set(pluck(await ask(url, tables), 'name'));
    const ours = new Set([...shapes.map(tableName), ...FIXED_TABLES.sqlite]);
    assert.deepEqual(names.symmetricDifference(ours), new Set());
    for (const resource of ['counter', 'search_term', 'staff'])
      assert.throws(() => tableName({ ...place, resource }), TypeError);
  });

  it('is told before it is changed, and then changed once', async () => {
    const { url } = await sqliteGround();
    const all = await pendingMigrations({ url, shapes });
    assert.deepEqual(all, [
      'migration 0001_fixed.sql',
      `tables ${ownTables.map(({ table }) => table).join(', ')}`,
      'declared key name of account',
      'table place',
      'declared key title of place',
      'table thing',
      'table visit "order"',
      'declared key person of visit "order"',
      'declared key phone of visit "order"',
      'declared key welcome of visit "order"',
    ]);
    const other = { url: `${url}2`, shapes };
    await (await openStore({ ...other, shapes: keyless, create: true, serve: false })).close();
    assert.deepEqual(await pendingMigrations(other), [
      'declared key name of account',
      'declared key title of place',
      'declared key person of visit "order"',
      'declared key phone of visit "order"',
      'declared key welcome of visit "order"',
    ]);
    await (await openStore({ ...other, create: false, serve: false })).close();
    assert.deepEqual(await pendingMigrations(other), []);
  });

  it('gains a declared key, filled from the documents, of accounts too', async () => {
    const { url } = await sqliteGround();
    let store = await openStore({ url, shapes: keyless, create: true, serve: true });
    const account = await newAccount(store, 'zz', true);
    await store.accounts.create({ name: 'Ä', livemode: true });
    const drafts = ['é', 'F', 'd'].map((title) => placeDraft(account, title, { title }));
    await store.commit(drafts.map((draft) => ({ ...draft, shape: { ...place, keys: [] } })));
    await store.close();

    store = await openStore({ url, shapes, create: false, serve: true });
    assert.deepEqual(await titles(store, account), ['d', 'é', 'F']);
    assert.deepEqual(pluck(await store.accounts.list(), 'name'), ['Ä', 'zz']);
    await store.close();

    // A version that knows no such key writes, and is left again.
    store = await openStore({ url, shapes: keyless, create: false, serve: true });
    const late = placeDraft(account, 'e', { title: 'e' });
    await store.commit([{ ...late, shape: { ...place, keys: [] } }]);
    await store.close();
    store = await openStore({ url, shapes, create: false, serve: true });
    assert.deepEqual(await titles(store, account), ['d', 'é', 'e', 'F']);
    await store.close();
  });

  it('gets the indexes that are missing or were made otherwise', async () => {
    const { url } = await sqliteGround();
    let store = await openStore({ url, shapes, create: true, serve: false });
    const account = await newAccount(store, 'A', true);
    await store.commit(['b', 'a'].map((title) => placeDraft(account, title, { title })));
    await store.close();
    const old = new DatabaseSync(url.slice('sqlite:'.length));
    old.exec(`DROP INDEX place_inserted_at; DROP INDEX place_identity; DROP INDEX place_key_title;
      CREATE UNIQUE INDEX place_identity ON place (account, parent, external_identifier);
      CREATE INDEX place_key_title ON place (account, key_title, unique_identifier);
      UPDATE place SET key_title = 'old'`);
    old.close();
    assert.deepEqual(await pendingMigrations({ url, shapes }), [
      'index place_identity',
      'index place_inserted_at',
      'declared key title of place',
    ]);
    store = await openStore({ url, shapes, create: false, serve: false });
    assert.deepEqual(await titles(store, account), ['a', 'b']);
    await store.close();
    assert.deepEqual(await schemaOf(url), new Set(describeSchema(shapes).split('\n')));
  });

  it('is brought up to date in one transaction: where that fails, the store stays as it was', async () => {
    const { url } = await sqliteGround();
    const some = keyless.slice(0, 2);
    await (await openStore({ url, shapes: some, create: true, serve: false })).close();
    // In the way of a table, after the declared keys of the one before it.
    await ask(url, 'CREATE VIEW thing AS SELECT 1');
    const before = await schemaOf(url);
    await assert.rejects(openStore({ url, shapes, create: false, serve: false }));
    assert.deepEqual(await schemaOf(url), before);
    await ask(url, 'DROP VIEW thing');
    await (await openStore({ url, shapes, create: false, serve: false })).close();
    assert.deepEqual(await pendingMigrations({ url, shapes }), []);
  });

  it('refills a declared key that takes its value from elsewhere', async () => {
    const { url } = await sqliteGround();
    const plain = shapes.map((shape) =>
      shape === place
        ? { ...shape, keys: shape.keys.map((key) => ({ ...key, as: 'plain' as const })) }
        : shape,
    );
    let store = await openStore({ url, shapes, create: true, serve: false });
    const account = await newAccount(store, 'A', true);
    await store.commit(['b', 'C', 'a'].map((title) => placeDraft(account, title, { title })));
    assert.deepEqual(await titles(store, account), ['a', 'b', 'C']);
    await store.close();
    assert.deepEqual(await pendingMigrations({ url, shapes: plain }), [
      'declared key title of place',
    ]);
    store = await openStore({ url, shapes: plain, create: false, serve: false });
    assert.deepEqual(await titles(store, account), ['C', 'a', 'b']);
    await store.close();
  });

  it('belongs to one root and to resources that are not called like its own tables', async () => {
    const { url } = await sqliteGround();
    const stolen = { ...place, resource: 'api_key' };
    const open = (those: readonly RecordShape[]) =>
      openStore({ url, shapes: those, create: true, serve: true });
    await assert.rejects(open([...shapes, stolen]), TypeError);
    await assert.rejects(open([place]), TypeError);
    await assert.rejects(open([]), TypeError);
    await (await open(shapes)).close();
  });
});
