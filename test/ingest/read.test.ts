/** What is read of the rows of a request: no more than somebody waits for, and of their faults no more than is named. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/core/errors.ts';
import { resources } from '../../src/core/resources/index.ts';
import type { Drafts } from '../../src/records/ingest/drafts.ts';
import { ClientGone, createRowReader, type ManyCall } from '../../src/records/ingest/many/row.ts';

const [, resource] = resources;
const reader = createRowReader({} as Drafts, (drafts) => drafts);

function call(isGone?: () => boolean): ManyCall {
  return {
    principal: { key: 'key_a' },
    resource,
    unknown: 'refuse',
    only: undefined,
    dry_run: false,
    isGone,
  } as ManyCall;
}

/** Members that nobody knows, so many a row. */
function* faulty(rows: number, members: number, taken: () => void): Generator<Uint8Array> {
  const names = Array.from({ length: members }, (_, at) => `"member_${at}":1`);
  for (let row = 0; row < rows; row++) {
    taken();
    yield Buffer.from(`{${names.join()}}`);
  }
}

describe('rows', () => {
  it('that are not read yet are left when the client has gone', async () => {
    let taken = 0;
    const rows = faulty(1_000, 1, () => {
      taken += 1;
    });
    await assert.rejects(
      reader.read(
        call(() => taken >= 10),
        rows,
      ),
      ClientGone,
    );
    assert.equal(taken, 10);
  });

  it('that come together name a thousand faults and count the others', async () => {
    const read = await reader.read(
      call(),
      faulty(30, 60, () => {}),
    );
    const named = read.map(({ draft }) => (draft instanceof ApiError ? draft.faults.length : 0));
    assert.equal(named[0], 63, 'with three that are missing');
    assert.deepEqual(new Set(named.slice(17)), new Set([1]));
    const last = read.at(-1)?.draft;
    assert.ok(last instanceof ApiError);
    assert.match(last.message, /62 more faults/);
  });
});
