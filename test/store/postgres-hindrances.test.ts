/** What keeps writes from a single table is found in the catalog, whichever table and whatever it is. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quoteName } from '../../src/store/names.ts';
import { openStore } from '../../src/store/open.ts';
import { findHindrances } from '../../src/store/postgres/schema/hindrances.ts';
import { readAddress } from '../../src/store/postgres/wire/address.ts';
import { openSession } from '../../src/store/postgres/wire/server.ts';
import { ALL } from '../support/all.ts';
import { connected } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { place, shapes } from '../support/store-shapes.ts';
import { listed, newAccount, placeDraft, within, write } from '../support/store-world.ts';

const PASSWORD = 'tables';

interface Harm {
  readonly does: (table: string, role: string) => string;
  readonly mend: (table: string, role: string) => string;
  readonly says: RegExp;
  readonly refuses?: false;
}

const HARMS: Readonly<Record<string, Harm>> = {
  'rights that a restore left out': {
    does: (table, role) =>
      `ALTER TABLE ${table} OWNER TO CURRENT_USER; GRANT SELECT ON ${table} TO ${role}`,
    mend: (table, role) =>
      `REVOKE ALL ON ${table} FROM ${role}; ALTER TABLE ${table} OWNER TO ${role}`,
    says: /may not INSERT, UPDATE, DELETE there/,
  },
  'row level security': {
    does: (table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`,
    mend: (table) => `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY`,
    says: /row level security/,
  },
  'a condition of somebody': {
    does: (table) => `ALTER TABLE ${table} ADD CONSTRAINT by_somebody CHECK (false) NOT VALID`,
    mend: (table) => `ALTER TABLE ${table} DROP CONSTRAINT by_somebody`,
    says: /constraint by_somebody CHECK \(false\) NOT VALID/,
  },
  'a rule': {
    does: (table) => `CREATE RULE ours AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
    mend: (table) => `DROP RULE ours ON ${table}`,
    says: /rule ours/,
  },
  'a column that must have a value': {
    does: (table) =>
      `ALTER TABLE ${table} ADD COLUMN theirs integer NOT NULL DEFAULT 1; ALTER TABLE ${table} ALTER theirs DROP DEFAULT`,
    mend: (table) => `ALTER TABLE ${table} DROP COLUMN theirs`,
    says: /column theirs, which must have a value/,
  },
  'a trigger that raises': {
    does: (table) =>
      `CREATE TRIGGER guard BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION by_somebody()`,
    mend: (table) => `DROP TRIGGER guard ON ${table}`,
    says: /trigger guard: a write was tried there, and the server said "P0001 in the function by_somebody"/,
  },
  'a trigger': {
    does: (table) =>
      `CREATE TRIGGER audit BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION pg_catalog.suppress_redundant_updates_trigger()`,
    mend: (table) => `DROP TRIGGER audit ON ${table}`,
    says: /trigger audit/,
    refuses: false,
  },
};

/** Whether a harm to a table keeps every record from being written. */
const STOPS: readonly (readonly [table: string, harm: string, isStopped: boolean])[] = [
  ['commit', 'a column that must have a value', true],
  // It has rows, so that a row like one of them was refused.
  ['change', 'a trigger that raises', true],
  ['change', 'a trigger', false],
  ['commit', 'rights that a restore left out', true],
  ['change', 'row level security', true],
  ['change', 'a condition of somebody', true],
  ['place', 'a condition of somebody', false],
  ['hold', 'rights that a restore left out', false],
];

await onPostgres(({ name, ground }) => {
  const skip = process.env.TEST_DISTRIBUTION !== undefined && 'Citus takes no such rules';
  describe(`What keeps writes from a table on ${name}`, { skip }, () => {
    it('is found, whichever table and whatever it is, and nothing is found where nothing does', async () => {
      const { url, name: role, remove, giveTo } = await ground();
      whenOver(remove);
      const admin = await connected(url);
      await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
      whenOver(async () => {
        await admin.query(
          `REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; DROP ROLE ${role}`,
        );
      });
      await giveTo(role);
      await admin.query(
        "CREATE FUNCTION by_somebody() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no %', NEW; END $$",
      );
      const own = Object.assign(new URL(url), { username: role, password: PASSWORD }).href;
      await (await openStore({ url: own, shapes, create: true, serve: true })).close();
      const session = await openSession(readAddress(own));
      whenOver(() => session.close());
      assert.deepEqual(await findHindrances(session, shapes), []);
      const { rows } = await admin.query(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
      );
      const harms = Object.values(HARMS);
      assert.ok(rows.length > 40);
      for (const [at, { relname }] of rows.entries())
        for (const { does, mend, says, refuses = true } of ALL
          ? harms
          : [harms[at % harms.length] ?? harms[0]].flatMap((one) => one ?? [])) {
          const table = quoteName(relname);
          await admin.query(does(table, role));
          const found = await findHindrances(session, shapes);
          assert.deepEqual(
            found.map((one) => [one.table, one.refuses]),
            [[relname, refuses]],
            String(says),
          );
          assert.match(found[0]?.says ?? '', says);
          await admin.query(mend(table, role));
        }
      const writing = await openStore({ url: own, shapes, create: false, serve: true });
      const account = await newAccount(writing);
      await write(writing, placeDraft(account, 'there', { title: 'There' }));
      // What refuses nothing that the service writes is a word, and no fault; and nothing stays of what was tried.
      await admin.query(
        'ALTER TABLE change ADD CONSTRAINT theirs CHECK (length(outcome) > 3); CREATE UNIQUE INDEX theirs ON place (account, unique_identifier, version)',
      );
      assert.deepEqual(
        (await findHindrances(session, shapes)).map(({ table, refuses }) => [table, refuses]),
        [
          ['change', false],
          ['place', false],
        ],
      );
      assert.equal(await writing.checkWritable(), undefined);
      assert.equal((await listed(writing, place, within(account))).length, 1);
      await admin.query('ALTER TABLE change DROP CONSTRAINT theirs; DROP INDEX theirs');
      await writing.close();
      // What stops every record makes the store one that takes no writes, and names the reason.
      for (const [table, name, isStopped] of STOPS) {
        const { does, mend } = HARMS[name] ?? assert.fail(name);
        await admin.query(does(quoteName(table), role));
        const store = await openStore({ url: own, shapes, create: false, serve: true });
        const checked = store.checkWritable();
        if (isStopped)
          await assert.rejects(
            checked,
            new RegExp(`No record can be stored: writes to the table ${table} are refused`),
          );
        else await checked;
        await store.close();
        await admin.query(mend(quoteName(table), role));
      }
      // As a store of an earlier release has it.
      await admin.query('ALTER TABLE place REPLICA IDENTITY NOTHING');
      assert.deepEqual(await findHindrances(session, shapes), []);
      await admin.query('CREATE PUBLICATION everything FOR ALL TABLES');
      const [found, ...more] = await findHindrances(session, shapes);
      assert.deepEqual([found?.table, found?.refuses, more], ['place', true, []]);
      assert.match(found?.says ?? '', /publication everything .*ledgerstone migrate/);
    });
  });
});
