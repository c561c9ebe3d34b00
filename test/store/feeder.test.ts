/** What feeds the index of search makes way: it ends when its time is over, and no account keeps another one waiting. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFeeder, type IndexPosition, type TermTable } from '../../src/store/feeder.ts';
import { opened } from '../support/opened.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { newAccount, placeDraft, write } from '../support/store-world.ts';

const ACCOUNTS = 12;
/** Longer than feeding may take in one go. */
const STEP_MS = 30;

describe('Feeding the index of search', () => {
  it('begins no step when its time is over, even if more accounts are behind', async () => {
    const { feeder, steps } = await world();
    assert.equal(await feeder.feed(), true);
    assert.equal(steps.length, 1);
  });

  it('lets accounts take turns, also where all are written to all the time', async () => {
    const { feeder, steps, accounts, writeToEach } = await world();
    for (let round = 1; round <= ACCOUNTS; round++) {
      await writeToEach(`${round}`);
      await feeder.feed();
    }
    assert.deepEqual(new Set(steps), new Set(accounts));
  });

  it('comes back to an account that another feed moved on meanwhile', async () => {
    const { feeder, positions, marks, accounts, writeToEach, holdStep } = await world(1);
    const [account = ''] = accounts;
    const position = async () => (await positions()).get(account);
    await writeToEach('one');
    while (await feeder.feed());
    await writeToEach('two');
    const held = [holdStep(), holdStep()] as const;
    const first = feeder.feed();
    // The first feed has read the log, and is at its step.
    await held[0].begun;
    await writeToEach('three');
    const second = feeder.feed();
    // It leaves an account to the first feed that has been at it for long.
    await Promise.race([held[1].begun, second]);
    for (const { goOn } of held) goOn();
    await Promise.all([first, second]);
    while (await feeder.feed());
    assert.equal(marks.get(account)?.position, await position());
  });
});

/** Accounts that are all behind, and an index that takes its time with each step, by a clock that nothing else moves. */
async function world(count = ACCOUNTS) {
  const { url } = await sqliteGround();
  const store = await opened({ url, shapes, create: true, serve: false });
  const accounts: string[] = [];
  while (accounts.length < count) {
    const unique_identifier = await newAccount(store);
    accounts.push(unique_identifier);
  }
  const writeToEach = async (name: string): Promise<void> => {
    for (const account of accounts) await write(store, placeDraft(account, name, {}));
  };
  const marks = new Map<string, IndexPosition>();
  const steps: string[] = [];
  let clock = 0;
  const held: { readonly begin: () => void; readonly ended: Promise<void> }[] = [];
  /** Has the next step that is not held yet wait until it may go on. */
  const holdStep = () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    held.push({ begin: begun.resolve, ended: ended.promise });
    return { begun: begun.promise, goOn: ended.resolve };
  };
  const positions = () => store.log.positions(accounts);
  const table: TermTable = {
    behind: async () =>
      [...(await positions())].filter(([account, position]) => {
        const mark = marks.get(account);
        return mark?.building !== null || mark.position !== position;
      }),
    position: async (account) => marks.get(account),
    step: async ({ account, from, to }) => {
      clock += STEP_MS;
      const holds = held.shift();
      holds?.begin();
      await holds?.ended;
      steps.push(account);
      if (marks.get(account) !== from) return false;
      marks.set(account, to);
      return true;
    },
    clear: async () => false,
    forget: async () => undefined,
  };
  return {
    feeder: createFeeder(store, shapes, table, () => clock),
    positions,
    marks,
    steps,
    accounts,
    writeToEach,
    holdStep,
  };
}
