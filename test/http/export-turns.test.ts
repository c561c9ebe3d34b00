/** An export from the console makes its rows in turns with everybody else's requests, not a batch at a time. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createScheduler, type Scheduler } from '../../src/core/fair/scheduler.ts';
import { location } from '../../src/core/resources/location.ts';
import { openTables, type TableParts } from '../../src/edge/console/exports/tables.ts';
import { importerOf } from '../../src/records/auth/operator.ts';

const RECORDS = 500;

it('every row is made in a turn that others were offered, few at a time', async () => {
  let isTurn = false;
  let made = 0;
  const inTurns = createScheduler();
  const scheduler: Scheduler = {
    ...inTurns,
    run: (key, step) =>
      inTurns.run(key, () => {
        isTurn = true;
        const before = made;
        try {
          return step();
        } finally {
          isTurn = false;
          assert.ok(made - before <= 1, 'a step makes one row, so that a turn can end after it');
        }
      }),
  };
  const record = (at: number) => ({
    unique_identifier: `loc_${at}`,
    account: 'acct_1',
    parent: 'acct_1',
    external_identifier: String(at),
    version: 1,
    inserted_at: 0,
    updated_at: 0,
    get document() {
      assert.ok(isTurn, 'a document is read only in a turn');
      made += 1;
      return '{"location_name":"Chapel","public_data":{}}';
    },
  });
  const snapshot = {
    async *records() {
      yield Array.from({ length: RECORDS }, (_, at) => record(at));
    },
    findAll: async () => [],
    close: async () => {},
  };
  const principal = { ...importerOf('imp_1', ['acct_1']), key: 'person' };
  const parts = {
    store: { snapshot: async () => snapshot },
    scheduler,
    asked: { resources: [location], format: 'csv', filters: undefined, location: undefined },
    stillMay: async () => principal,
  } as unknown as TableParts;
  const { tables } = await openTables(principal, () => assert.fail('No list is walked.'), parts);
  let rows = 0;
  for await (const batch of tables[0]?.rows ?? []) rows += batch.length;
  assert.equal(rows, RECORDS);
  assert.equal(made, RECORDS);
});
