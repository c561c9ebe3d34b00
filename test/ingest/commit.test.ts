/** Rows are read and committed many at a time, and what is large leaves time to others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/core/errors.ts';
import { resources } from '../../src/core/resources/index.ts';
import type { Principal } from '../../src/records/auth/principal.ts';
import type { Drafts } from '../../src/records/ingest/drafts.ts';
import { createRowCommitter } from '../../src/records/ingest/many/commit.ts';
import { ClientGone, createRowReader, type ManyCall } from '../../src/records/ingest/many/row.ts';
import type { Draft, Outcome } from '../../src/store/promises/store.ts';

const LARGE = { atomic: true, bytes: 30 * 2 ** 20 };
const SMALL = { atomic: true, bytes: 1000 };
const TAKES_MS = 60;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const caller = (key: string, still?: ManyCall['still']) => ({
  principal: { key } as Principal,
  still,
});
const draft = (external_identifier: string) => [{ external_identifier } as Draft];

it('after a large commit others have the store for as long as it took, whichever key sends the next', async (test) => {
  let elapsed = 0;
  test.mock.method(performance, 'now', () => elapsed);
  test.mock.timers.enable({ apis: ['setTimeout'] });
  const pass = async (ms: number): Promise<void> => {
    elapsed += ms;
    test.mock.timers.tick(ms);
    await turn();
  };
  const names: string[] = [];
  const ends = new Map<string, () => void>();
  const committer = createRowCommitter({
    store: {
      async commit([first]) {
        const name = first?.external_identifier ?? '';
        names.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return [{ outcome: 'created' } as Outcome];
      },
    },
    rehearse: () => assert.fail('nothing is rehearsed'),
    renew: () => assert.fail('nothing is stale'),
  });
  const large = ['large 1', 'large 2'].map((name, at) =>
    committer.commitWhole(caller(`key_${at}`), draft(name), LARGE),
  );
  await turn();
  assert.deepEqual(names, ['large 1']);
  const small = ['small 1', 'small 2', 'small 3'].map((name) =>
    committer.commitWhole(caller('key_2'), draft(name), SMALL),
  );
  await pass(TAKES_MS);
  ends.get('large 1')?.();
  for (const name of ['small 1', 'small 2', 'small 3']) {
    await turn();
    ends.get(name)?.();
  }
  await Promise.all(small);
  await pass(TAKES_MS - 1);
  assert.deepEqual(names, ['large 1', 'small 1', 'small 2', 'small 3']);
  await pass(1);
  assert.deepEqual(names.slice(4), ['large 2']);
  ends.get('large 2')?.();
  await Promise.all(large);
});

it('a large commit that fails does not keep the next one back for ever', async () => {
  let fails = true;
  const committer = createRowCommitter({
    store: {
      async commit() {
        if (!fails) return [{ outcome: 'created' } as Outcome];
        fails = false;
        throw new Error('the disk is full');
      },
    },
    rehearse: () => assert.fail('nothing is rehearsed'),
    renew: () => assert.fail('nothing is stale'),
  });
  const first = committer.commitWhole(caller('key_1'), draft('a'), LARGE);
  const second = committer.commitWhole(caller('key_1'), draft('b'), LARGE);
  await assert.rejects(first, /the disk is full/);
  assert.equal((await second).length, 1);
});

it('what waits for its turn is not committed if its caller may no longer write by then', async () => {
  const committed: string[] = [];
  const first = Promise.withResolvers<void>();
  const committer = createRowCommitter({
    store: {
      async commit([one]) {
        committed.push(one?.external_identifier ?? '');
        await first.promise;
        return [{ outcome: 'created' } as Outcome];
      },
    },
    rehearse: () => assert.fail('nothing is rehearsed'),
    renew: () => assert.fail('nothing is stale'),
  });
  let may = true;
  const still = async (): Promise<void> => {
    if (!may) throw new ApiError('authentication_failed');
  };
  const ahead = committer.commitWhole(caller('key_1', still), draft('a'), LARGE);
  const waiting = committer.commitWhole(caller('key_2', still), draft('b'), LARGE);
  await turn();
  may = false;
  first.resolve();
  assert.equal((await ahead).length, 1);
  await assert.rejects(waiting, { code: 'authentication_failed' });
  assert.deepEqual(committed, ['a']);
});

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
