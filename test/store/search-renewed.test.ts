/**
 * A version that compares texts in another way gives the index new terms beside a serving service: nothing that was
 * found is lost meanwhile, however often the process is killed, and what is written then is found at once.
 */
// needs: waits
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { Client } from 'pg';
import { rangesOf, readSearchText, TERMS_VERSION } from '../../src/core/schema/search/searching.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { opened } from '../support/opened.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { shapes, visit } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import {
  newAccount,
  placeDraft,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

/** More than several steps take. */
const VISITORS = 450;
const OLD = TERMS_VERSION - 1;

/** Gives the index the terms that 1.0 made: letters with bars were not plain ones. */
const AGED = (of: { mark: string; record: string; term: string }) => [
  `UPDATE ${of.mark} SET terms = ${OLD}`,
  `UPDATE ${of.record} SET terms = replace(terms, 'dang', 'đang')`,
  `UPDATE ${of.term} SET term = replace(term, 'dang', 'đang')`,
];

interface Given {
  readonly url: string;
  run(statements: readonly string[]): Promise<void>;
}

async function found(store: Store, account: string, text: string): Promise<number> {
  const ranges = rangesOf(visit, readSearchText(text));
  return (await store.search.find({ scope: within(account), ranges })).records.length;
}

async function feed(store: Store): Promise<void> {
  while (await store.search.feed());
}

function describeOn(name: string, given: () => Promise<Given>): void {
  describe(`The terms of search on ${name}`, () => {
    it('are made again step by step, and everything is found all the time', async () => {
      const { url, run } = await given();
      const open = () => opened({ url, shapes, create: true, serve: true });
      const first = await open();
      const account = await newAccount(first);
      const place = await write(first, placeDraft(account, 'home', { title: 'Home' }));
      const at = await write(first, thingDraft(place, 'chapel', { label: 'Chapel' }));
      await first.commit(
        Array.from({ length: VISITORS }, (_, index) =>
          visitDraft(at, `${index}`, { person: { name: `Đặng ${index}`, phone: '+14155550123' } }),
        ),
      );
      await feed(first);
      assert.equal(await found(first, account, 'dang'), VISITORS);
      await first.close();
      await run(
        AGED(
          name === 'SQLite'
            ? { mark: 'mark', record: 'record', term: 'term' }
            : { mark: 'search_mark', record: 'search_record', term: 'search_term' },
        ),
      );

      for (let steps = 1, written = 0; ; steps += 1) {
        const store = await open();
        // As people who have the letter type it, and by what did not change.
        assert.equal(await found(store, account, 'Đặng'), VISITORS);
        assert.equal(await found(store, account, '0123'), VISITORS);
        assert.equal((await store.search.lag([account])).building, 1);
        const name = `Late ${written}`;
        await write(store, visitDraft(at, name, { person: { name } }));
        written += 1;
        // Some pieces of work, then the process ends.
        let more = true;
        for (let left = steps; left > 0 && more; left -= 1) more = await store.search.feed();
        const { building } = await store.search.lag([account]);
        await store.close();
        if (building === 0) break;
        await run([]);
        assert.ok(steps < 50, 'it comes to an end');
      }
      await run([]);
      const last = await open();
      await feed(last);
      assert.equal(await found(last, account, 'dang'), VISITORS);
      assert.ok((await found(last, account, 'late')) > 0);
      assert.deepEqual(await last.search.lag([account]), { building: 0, since: undefined });
      await last.close();
    });

    it('that are being made again do not keep what is written meanwhile from being found', async () => {
      const { url, run } = await given();
      const open = () => opened({ url, shapes, create: true, serve: true });
      const first = await open();
      const account = await newAccount(first);
      const place = await write(first, placeDraft(account, 'home', { title: 'Home' }));
      const at = await write(first, thingDraft(place, 'chapel', { label: 'Chapel' }));
      const crowd = Array.from({ length: 6_000 }, (_, index) =>
        visitDraft(at, `${index}`, { person: { name: `Guest ${index}` } }),
      );
      await first.commit(crowd);
      await feed(first);
      await first.close();
      await run(
        AGED(
          name === 'SQLite'
            ? { mark: 'mark', record: 'record', term: 'term' }
            : { mark: 'search_mark', record: 'search_record', term: 'search_term' },
        ),
      );
      const store = await open();
      await store.search.feed();
      await write(store, visitDraft(at, 'late', { person: { name: 'Philomena' } }));
      await store.search.feed();
      await store.search.feed();
      assert.equal((await store.search.lag([account])).building, 1, 'it is still under way');
      assert.equal(await found(store, account, 'philomena'), 1);
      await feed(store);
      assert.equal((await store.search.lag([account])).building, 0);
      await store.close();
    });
  });
}

describeOn('SQLite', async () => {
  const { url, path } = await sqliteGround();
  return {
    url,
    async run(statements) {
      const database = new DatabaseSync(`${path}-search`);
      for (const one of statements) database.exec(one);
      database.close();
    },
  };
});

await onPostgres(({ name, ground }) =>
  describeOn(name, async () => {
    const { url } = await ground();
    return {
      url,
      async run(statements) {
        const client = new Client({ connectionString: url });
        await client.connect();
        // The lease of a process that was killed would last for half a minute.
        for (const one of [...statements, 'DELETE FROM search_feeder']) await client.query(one);
        await client.end();
      },
    };
  }),
);
