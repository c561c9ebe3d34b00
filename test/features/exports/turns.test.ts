/** An export from the console makes its rows in turns with everybody else's requests, not a batch at a time. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { location } from '../../../src/core/resources/location.ts';
import { openTables, type TableParts } from '../../../src/features/exports/operations/routes.ts';
import { importerOf } from '../../../src/records/auth/principal.ts';

const RECORDS = 40;
/** More than a tick of the event loop has for large requests. */
const LONG_MS = 5;

it('a row that takes long is the only one of its tick, so that others come in between', async () => {
  let made = 0;
  let madeInTick = 0;
  const record = (at: number) => ({
    unique_identifier: `loc_${at}`,
    account: 'acct_1',
    parent: 'acct_1',
    external_identifier: String(at),
    version: 1,
    inserted_at: 0,
    updated_at: 0,
    get document() {
      for (const until = performance.now() + LONG_MS; performance.now() < until; );
      made += 1;
      madeInTick += 1;
      assert.equal(madeInTick, 1);
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
    rows: {},
    options: { resources: [location], format: 'csv', filters: undefined, location: undefined },
    stillMay: async () => principal,
  } as unknown as TableParts;
  const { tables } = await openTables(principal, () => assert.fail('No list is walked.'), parts);
  const tick = (): void => {
    madeInTick = 0;
    if (made < RECORDS) setImmediate(tick);
  };
  tick();
  let rows = 0;
  for await (const batch of tables[0]?.rows ?? []) rows += batch.length;
  assert.equal(rows, RECORDS);
  assert.equal(made, RECORDS);
});
