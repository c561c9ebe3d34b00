/** What somebody has put into the database refuses the drafts that it is about, and no others, on both stores. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { type Draft, type Store, StoreRefusal } from '../../src/store/promises/store.ts';
import { ALL } from '../support/all.ts';
import { connected } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  newAccount,
  outcomesOf,
  placeDraft,
  refused,
  thingDraft,
  write,
} from '../support/store-world.ts';

interface Harm {
  readonly does: string;
  readonly mend: string;
  /** Of the server, or of us. */
  readonly says: RegExp;
  /** A draft that it refuses; another one on the second call. */
  readonly bad?: (account: string, name: string) => Draft;
}

const titled = (account: string, name: string, title = `bad ${name}`): Draft =>
  placeDraft(account, name, { title });

/** Differs everywhere, so that no table can make it shorter. */
const LONG = Array.from({ length: 900 }, (_, at) => String((at * 7919 + 104_729) ** 2)).join('');

const ON_POSTGRES: Readonly<Record<string, Harm>> = {
  'a constraint': {
    does: "ALTER TABLE place ADD CONSTRAINT theirs CHECK (key_title NOT LIKE 'bad%') NOT VALID",
    mend: 'ALTER TABLE place DROP CONSTRAINT theirs',
    says: /condition that somebody has added \(table place\w*, theirs\)/,
  },
  'a trigger that raises': {
    does: `CREATE FUNCTION theirs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.key_title LIKE 'bad%' THEN RAISE 'not %', NEW.document; END IF; RETURN NEW; END $$;
      CREATE TRIGGER theirs BEFORE INSERT OR UPDATE ON place FOR EACH ROW EXECUTE FUNCTION theirs()`,
    mend: 'DROP FUNCTION theirs CASCADE',
    says: /trigger refuses it that somebody has added/,
  },
  'a unique index': {
    does: "CREATE UNIQUE INDEX theirs ON place (account, (key_title LIKE 'bad%')) WHERE key_title LIKE 'bad%'",
    mend: 'DROP INDEX theirs',
    says: /unique index in which another row has its values \(table place\w*, theirs\)/,
  },
  'a column that was made shorter': {
    does: 'ALTER TABLE place ALTER COLUMN key_title TYPE varchar(60)',
    mend: 'ALTER TABLE place ALTER COLUMN key_title TYPE text COLLATE "C"',
    says: /column too short/,
    bad: (account, name) => titled(account, name, `bad ${name} ${'x'.repeat(100)}`),
  },
  'an index without room': {
    does: 'CREATE INDEX theirs ON place (document)',
    mend: 'DROP INDEX theirs',
    says: /index that has no room for it/,
    bad: (account, name) => titled(account, name, `bad ${name} ${LONG}`),
  },
  'a foreign key': {
    does: `CREATE TABLE theirs (title text PRIMARY KEY);
      INSERT INTO theirs SELECT DISTINCT title FROM (SELECT key_title FROM place
        UNION SELECT 'good ' || n FROM generate_series(0, 9) AS n) AS all_of_them (title);
      ALTER TABLE place ADD CONSTRAINT of_title FOREIGN KEY (key_title) REFERENCES theirs NOT VALID`,
    mend: 'ALTER TABLE place DROP CONSTRAINT of_title; DROP TABLE theirs',
    says: /condition that somebody has added/,
  },
};

const ON_SQLITE: Readonly<Record<string, Harm>> = {
  'a trigger that raises': {
    does: "CREATE TRIGGER theirs BEFORE INSERT ON place WHEN NEW.key_title LIKE 'bad%' BEGIN SELECT RAISE(ABORT, 'theirs'); END",
    mend: 'DROP TRIGGER theirs',
    says: /trigger refuses it that somebody has added/,
  },
  'a unique index': {
    does: "CREATE UNIQUE INDEX theirs ON place (account, (key_title LIKE 'bad%')) WHERE key_title LIKE 'bad%'",
    mend: 'DROP INDEX theirs',
    says: /condition of a table or an index does not hold/,
  },
};

interface Opened {
  readonly store: Store;
  readonly run: (text: string) => Promise<unknown>;
}

function proves(open: () => Promise<Opened>, harms: Readonly<Record<string, Harm>>): void {
  for (const [name, { does, mend, says, bad = titled }] of Object.entries(harms))
    it(`is ${name}: alone, in a batch, and beside other accounts`, async () => {
      const { store, run } = await open();
      const account = await newAccount(store);
      const other = await newAccount(store, 'Another');
      await write(store, titled(account, 'there', 'there'));
      // Where one is there, a unique index refuses the next.
      if (name === 'a unique index') await write(store, titled(account, 'first'));
      await run(does);
      const good = (at: number, of = account) => titled(of, `good ${at}`, `good ${at}`);
      const batch = [good(0), bad(account, 'one'), good(1), good(2), bad(account, 'two'), good(3)];
      const outcomes = await store.commit(batch);
      assert.deepEqual(outcomesOf(outcomes), [
        ...['created', 'refused', 'created', 'created', 'refused', 'created'],
      ]);
      const error = refused(outcomes[1]);
      assert.equal(error.code, 'store_refused');
      const { cause } = error;
      assert.ok(cause instanceof StoreRefusal, String(cause));
      assert.match(cause.message, says);
      // Of a row, the log is to hold nothing.
      assert.doesNotMatch(`${cause.message} ${cause.says}`, /bad|"title"/);
      assert.match(cause.says ?? '', /^\w{4,5}\b/);
      const [alone] = await store.commit([bad(account, 'one')]);
      assert.equal(refused(alone).code, 'store_refused');
      const together = await Promise.all(
        store.commitEach?.([[bad(account, 'one')], [good(4, other)]]) ?? [
          store.commit([bad(account, 'one')]),
          store.commit([good(4, other)]),
        ],
      );
      assert.deepEqual(together.map(outcomesOf), [['refused'], ['created']]);
      // What is to be done whole is done not at all.
      await assert.rejects(
        store.commit([good(5), bad(account, 'one')], { atomic: true }),
        StoreRefusal,
      );
      assert.equal(await store.checkWritable(), undefined);
      await run(mend);
      const again = await store.commit([good(5), bad(account, 'one')]);
      assert.equal(again[0]?.outcome, 'created', 'the whole batch was taken back');
      assert.notEqual(again[1]?.outcome, 'refused');
    });
}

for (const threads of ALL ? [true, false] : [true])
  describe(`What a draft is refused for in SQLite${threads ? '' : ', without threads'}`, () => {
    proves(async () => {
      const { url, path, remove } = await sqliteGround();
      whenOver(remove);
      const store = await openStore({ url, shapes, create: true, serve: threads });
      whenOver(() => store.close());
      const run = async (text: string) => {
        using database = new DatabaseSync(path);
        database.exec(text);
      };
      return { store, run };
    }, ON_SQLITE);
  });

await onPostgres(({ name, ground }) => {
  const skip = process.env.TEST_DISTRIBUTION !== undefined && 'Citus takes no such rules';
  describe(`What a draft is refused for on ${name}`, { skip }, () => {
    const open = async (): Promise<Opened> => {
      const { url, remove } = await ground();
      whenOver(remove);
      const store = await openStore({ url, shapes, create: true, serve: true });
      whenOver(() => store.close());
      const admin = await connected(url);
      return { store, run: (text) => admin.query(text) };
    };
    proves(open, ON_POSTGRES);

    it('is a right, or an identity of rows, that a whole table lacks; those of other tables are taken', async () => {
      const { store, run } = await open();
      const account = await newAccount(store);
      const home = await write(store, titled(account, 'there', 'there'));
      await run(
        'ALTER TABLE place REPLICA IDENTITY NOTHING; CREATE PUBLICATION theirs FOR TABLE place',
      );
      const outcomes = await store.commit([
        titled(account, 'there'),
        thingDraft(home, 'a thing', { label: 'Urn' }),
        titled(account, 'new'),
      ]);
      assert.deepEqual(outcomesOf(outcomes), ['refused', 'created', 'refused']);
      for (const one of [outcomes[0], outcomes[2]]) {
        const { code, cause } = refused(one);
        assert.equal(code, 'store_refused');
        assert.match(String(cause), /a publication has the table, and nothing identifies its rows/);
      }
    });
  });
});
