/** Changes come out of the rows of the log as they went in. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LogEntry, LoggedChange } from '../../src/store/promises/log.ts';
import { changesOf, FillingRow } from '../../src/store/sqlite/commit/change-rows.ts';
import { pluck } from '../support/pluck.ts';

const identifier = fc.constantFrom('loc_1', 'loc_2', 'evt_3', 'key_4', 'stf_5');
const entries = fc.array(
  fc.record<LogEntry>({
    resource: fc.constantFrom('event', 'event_check_in_record'),
    record: identifier,
    anchor: fc.option(identifier),
    outcome: fc.constantFrom('created', 'updated', 'deleted', 'restored', 'wiped'),
    version: fc.nat(),
    before: fc.nat(),
    by: fc.option(identifier, { nil: undefined }),
    content: fc.option(fc.json()),
  }),
  { minLength: 1, maxLength: 300 },
);

/** What the rows are that the entries fill, and what is read of them. */
function through(all: readonly LogEntry[]): { rows: FillingRow[]; changes: LoggedChange[] } {
  const rows: FillingRow[] = [];
  let filling: FillingRow | undefined;
  for (const entry of all) {
    if (filling === undefined || filling.full) {
      filling = new FillingRow();
      rows.push(filling);
    }
    filling.add(entry);
  }
  let place = 0;
  const changes = rows.flatMap((row) => {
    const read = changesOf('acc_1', row.at({ position: 7, place, token: 99, occurred_at: 1_000 }));
    place += row.count;
    return read;
  });
  return { rows, changes };
}

describe('Rows of the log of changes', () => {
  it('give every change back, in its order and at its place', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const expected = all.map((entry, place) => ({
          account: 'acc_1',
          position: 7,
          place,
          token: 99,
          occurred_at: 1_000,
          ...entry,
          by: entry.by ?? null,
        }));
        assert.deepEqual(through(all).changes, expected);
      }),
    );
  });

  it('hold a bounded number of changes and of bytes, but for the last one', () => {
    const entry = (content: string | null): LogEntry => ({
      resource: 'event',
      record: 'evt_3',
      anchor: null,
      outcome: 'updated',
      version: 2,
      before: 1,
      by: undefined,
      content,
    });
    const many = through(Array.from({ length: 200 }, () => entry(null)));
    assert.deepEqual(pluck(many.rows, 'count', 'contents'), [
      [64, null],
      [64, null],
      [64, null],
      [8, null],
    ]);
    const long = JSON.stringify('x'.repeat(20_000));
    const large = through([entry(long), entry(long), entry(long)]);
    assert.deepEqual(pluck(large.rows, 'count'), [2, 1]);
  });
});
