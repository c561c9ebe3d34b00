/** After a restore of an old file nobody is called silent for the time that the file does not know. */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createWatch } from '../../../src/features/expectations/serves/watch.ts';
import { openAt } from '../../support/backups.ts';
import { place } from '../../support/store-shapes.ts';
import { sqliteGround } from '../../support/store-sqlite.ts';
import { newAccount, placeDraft, write } from '../../support/store-world.ts';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

it('A restored store counts what is missing from its first look on', async () => {
  const store = await openAt(await sqliteGround());
  const account = await newAccount(store, 'Us', true);
  const home = await write(store, placeDraft(account, 'home', { title: 'Home' }));
  // A Monday at noon, UTC.
  let clock = Date.UTC(2026, 10, 23, 12);
  const then = clock - WEEK;
  await store.expectations.put({
    ...{
      account,
      source: 'src_1',
      location: home.unique_identifier,
      hours: 'mon-sun 0-24',
      every: 'hour',
    },
    ...{
      silent_after: 3,
      closed_days: '',
      status: 'confirmed',
      learned_days: null,
      kept_days: null,
    },
    ...{ state: 'on_time', since: then, silent_since: null, last_at: then, refused_at: null },
    ...{ refusal: null, inserted_at: then, updated_at: then },
  });
  const look = createWatch({ store, anchor: place, now: () => clock });
  const state = async () => (await store.expectations.list({ limit: 1 }))[0]?.state;
  assert.equal(await look(), true);
  assert.equal(await look(), false, 'once a minute');
  assert.equal(await state(), 'on_time');
  for (const end = clock + 4 * HOUR; clock < end; ) {
    clock += HOUR / 6;
    await look();
  }
  assert.equal(await state(), 'silent');
  // A clock that is put back holds nothing up, and makes nothing better.
  clock -= 2 * HOUR;
  assert.equal(await look(), true);
  assert.equal(await state(), 'silent');
});
