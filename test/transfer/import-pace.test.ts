/** An import leaves the store to others: its commits are small, and after each it waits as long as it took. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { importerOf } from '../../src/auth/operator.ts';
import type { Many } from '../../src/ingest/many/many.ts';
import { location } from '../../src/resources/location.ts';
import { manySink } from '../../src/transfer/import/many-sink.ts';

const COMMIT_MS = 40;

it('pauses between two commits as long as the one before took', async () => {
  const commits: { began: number; ended: number }[] = [];
  const array: Many['array'] = async () => {
    const began = performance.now();
    await pause(COMMIT_MS);
    commits.push({ began, ended: performance.now() });
    return { results: [], replayed: false };
  };
  const many = { array } as unknown as Many;
  const options = { only: undefined, dry_run: false, pause: 1 };
  const sink = manySink(many, importerOf('imp_1', ['acct_1']), options);
  assert.ok(sink.rows <= 64);
  for (let at = 0; at < 4; at++) await sink.send(location, [], String(at));
  for (const [at, { began }] of commits.entries()) {
    const before = commits[at - 1];
    if (before === undefined) continue;
    // Timers are true to a millisecond.
    assert.ok(began - before.ended >= before.ended - before.began - 2);
  }
});
