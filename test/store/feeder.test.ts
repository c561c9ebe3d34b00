/** What feeds the index of search makes way: it ends when its time is over, and no account keeps another one waiting. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Feeder } from '../../src/store/feeder.ts';
import { openStore } from '../../src/store/open.ts';
import type { IndexMark, TermTable } from '../../src/store/terms.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { placeDraft, write } from '../support/store-world.ts';

const ACCOUNTS = 12;
/** Longer than feeding may take in one go. */
const STEP_MS = 30;

describe('Feeding the index of search', () => {
  it('begins no step when its time is over, even if more accounts are behind', async (test) => {
    const { feeder, steps } = await world(test);
    assert.equal(await feeder.feed(), true);
    assert.equal(steps.length, 1);
  });

  it('lets accounts take turns, also where all are written to all the time', async (test) => {
    const { feeder, steps, accounts, writeToEach } = await world(test);
    for (let round = 1; round <= ACCOUNTS; round++) {
      await writeToEach(`${round}`);
      await feeder.feed();
    }
    assert.deepEqual(new Set(steps), new Set(accounts));
  });
});

/** Accounts that are all behind, and an index that takes its time with each step. */
async function world(test: TestContext) {
  const { url, remove } = await sqliteGround();
  const store = await openStore({ url, shapes, create: true, serve: false });
  test.after(async () => {
    await store.close();
    await remove();
  });
  const accounts: string[] = [];
  while (accounts.length < ACCOUNTS) {
    const { unique_identifier } = await store.accounts.create({ name: 'A', livemode: false });
    accounts.push(unique_identifier);
  }
  const writeToEach = async (name: string): Promise<void> => {
    for (const account of accounts) await write(store, placeDraft(account, name, {}));
  };
  const marks = new Map<string, IndexMark>();
  const steps: string[] = [];
  const table: TermTable = {
    behind: async () => [...(await store.log.positions(accounts))],
    mark: async (account) => marks.get(account),
    step: async ({ account, to }) => {
      await pause(STEP_MS);
      steps.push(account);
      marks.set(account, to);
      return true;
    },
    clear: async () => false,
    forget: async () => undefined,
  };
  return { feeder: new Feeder(store, shapes, table), steps, accounts, writeToEach };
}
