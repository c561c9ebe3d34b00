/** A page of our own objects is bounded in bytes as one of records is, however large each of them may be made. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { MAX_ATTEMPTS, MAX_NOTE } from '../../src/features/follow-up/declares.ts';
import { ask } from '../support/ask.ts';
import { keyed } from '../support/secret-key.ts';
import { serviceGround } from '../support/service-ground.ts';
import { world } from '../support/world.ts';

const MAX_BYTES = 4_194_304;
const COUNT = 45;

describe('Pages of objects as large as they can be made', () => {
  const on = world({ settings: keyed(), store: serviceGround });
  /** As one request after the other would leave them. */
  const attempts = JSON.stringify(
    Array.from({ length: MAX_ATTEMPTS }, () => ({
      ...{ at: '2026-11-20T14:30:00Z', by: 'stf_036Vq1rXbU9kTqPpLw3aZc' },
      ...{ channel: 'call', outcome: 'no_answer', note: '𝕏'.repeat(MAX_NOTE) },
    })),
  );
  const ids: string[] = [];

  before(async () => {
    await on.read('/v1/follow_ups');
    for (let count = 0; count < COUNT; count++) {
      const { unique_identifier: record } = await on.visit(`Visitor ${count}`);
      const made = await on.ok('/v1/follow_ups', { record }, on.officer);
      ids.push(made.unique_identifier);
    }
    await ask(on.ground.url, `UPDATE follow_up SET attempts = '${attempts}'`);
  });

  it('end early, say so, and go on behind the last one', async () => {
    const found: string[] = [];
    let pages = 0;
    for (let after = '', isMore = true; isMore; pages++) {
      const page = await on.service.get(`/v1/follow_ups?limit=1000${after}`, { key: on.officer });
      assert.equal(page.status, 200);
      const { data, has_more } = page.body;
      const bytes = Buffer.byteLength(JSON.stringify(data));
      assert.ok(bytes <= MAX_BYTES || data.length === 1, `${bytes} bytes`);
      assert.ok(data.length > 0);
      for (const one of data) found.push(one.unique_identifier);
      after = `&starting_after=${found.at(-1)}`;
      isMore = has_more;
    }
    assert.ok(pages >= Math.ceil((COUNT * attempts.length) / MAX_BYTES), `${pages} pages`);
    assert.deepEqual(found.toSorted(), ids.toSorted());
    assert.equal(new Set(found).size, COUNT);
  });
});
