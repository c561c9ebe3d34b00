/** Rows that arrive: gathered into chunks, which are read and committed side by side, and yet as if one row came after the other. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '../../src/core/errors.ts';
import type { Line } from '../../src/core/schema/lines.ts';
import type { UpsertRequest } from '../../src/core/schema/parse/parse.ts';
import { createRowCommitter } from '../../src/records/ingest/many/commit.ts';
import { CHUNKS_AT_ONCE, createStream } from '../../src/records/ingest/many/many.ts';
import {
  ClientGone,
  type ManyCall,
  type Row,
  type RowReader,
} from '../../src/records/ingest/many/row.ts';
import type { Draft, Outcome } from '../../src/store/promises/store.ts';

const call = { principal: { key: 'key_a' }, dry_run: false } as ManyCall;

/** Lets everything happen that waits for nothing else. */
const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 50; turns++) await turn();
};

/** `stale` in the name of a row: its parent is gone. `bad`: it cannot be read. */
function rowOf(name: string, isRetried: boolean): Row {
  if (name.includes('bad'))
    return { draft: new ApiError('json_invalid', { message: name }), bytes: 0 };
  if (name.includes('gone')) throw new ClientGone();
  const shape = { document: {} };
  const draft = { external_identifier: `${name}${isRetried ? ' again' : ''}`, shape } as Draft;
  const retryable =
    name.includes('stale') && !isRetried ? ({ parent: {} } as UpsertRequest) : undefined;
  return { bytes: 1, external_identifier: name, draft, retryable };
}

function outcomeOf({ external_identifier: name }: Draft): Outcome {
  if (name.endsWith('stale')) {
    const error = new ApiError('resource_missing', { param: 'event', message: 'gone' });
    return { outcome: 'refused', error } as Outcome;
  }
  return { outcome: 'created', record: { unique_identifier: name, document: '{}' } } as Outcome;
}

/** Streams of arrays of rows, each a chunk where it has that many; their commits end when they are told to. */
function stage(count = 1) {
  const events: string[] = [];
  const commits: { names: string; end: (error?: Error) => void }[] = [];
  const reader: RowReader = {
    async read(_call, bodies) {
      const names = [...bodies].map((body) =>
        Buffer.from((body as Uint8Array | undefined) ?? []).toString(),
      );
      events.push(`read ${names}`);
      return names.map((name) => rowOf(name, false));
    },
    async renew(_call, row) {
      return rowOf(row.external_identifier ?? '', true);
    },
  };
  const commitDrafts = async (drafts: readonly Draft[]): Promise<readonly Outcome[]> => {
    const names = drafts.map((one) => one.external_identifier).join();
    events.push(`commit ${names}`);
    await new Promise<void>((resolve, reject) => {
      commits.push({ names, end: (error) => (error === undefined ? resolve() : reject(error)) });
    });
    return drafts.map(outcomeOf);
  };
  const committer = createRowCommitter({
    store: { commit: commitDrafts },
    rehearse: () => assert.fail('nothing is rehearsed'),
    renew: reader.renew,
  });
  const limits = { count, bytes: 100 };
  const upsert = createStream(reader, committer, limits);
  const open = () => {
    const pipe = new TransformStream<readonly Line[]>();
    const writer = pipe.writable.getWriter();
    let answering: Promise<void> = Promise.resolve();
    const done = upsert(call, pipe.readable.values(), async (_rows, results) => {
      await answering;
      const texts = results.map((one) =>
        one instanceof Error ? one.message : one.unique_identifier,
      );
      events.push(`answer ${texts}`);
    });
    done.catch(() => {});
    return {
      done,
      /** Whether there was room for them at once. */
      start: async (names: string[], slow?: Promise<void>): Promise<boolean> => {
        answering = slow ?? answering;
        let taken = false;
        const rows = names.map((name, at) => ({ number: at + 1, bytes: Buffer.from(name) }));
        writer.write(rows).then(
          () => {
            taken = true;
          },
          () => {},
        );
        await settle();
        return taken;
      },
      finish: async (): Promise<void> => {
        writer.close().catch(() => {});
        await settle();
      },
    };
  };
  /** Ends the commit that began first. */
  const end = async (error?: Error): Promise<void> => {
    commits.shift()?.end(error);
    await settle();
  };
  return { events, open, end, ...open() };
}

describe('chunks of a stream', () => {
  it('are handed to the store while the one before is committed, and answered in order', async () => {
    const { events, start, end, finish, done } = stage();
    await start(['a', 'bad', 'b']);
    await start(['c']);
    assert.deepEqual(events.splice(0), ['read a,bad,b', 'commit a,b', 'read c', 'commit c']);
    await finish();
    await end();
    await end();
    assert.deepEqual(events, ['answer a,bad,b', 'answer c']);
    await done;
  });

  it('are committed while the one before is told to a slow reader, and told after it', async () => {
    const { events, start, end, finish, done } = stage();
    const slow = Promise.withResolvers<void>();
    await start(['a'], slow.promise);
    await end();
    await start(['b']);
    await end();
    assert.deepEqual(events.splice(0), ['read a', 'commit a', 'read b', 'commit b']);
    slow.resolve();
    await finish();
    await done;
    assert.deepEqual(events, ['answer a', 'answer b']);
  });

  it('wait for rows that are retried, which would come after their own', async () => {
    const { events, start, end, finish, done } = stage();
    await start(['a', 'stale', 'b']);
    await start(['c']);
    assert.deepEqual(events.splice(0), ['read a,stale,b', 'commit a,stale,b']);
    await end();
    assert.deepEqual(events.splice(0), ['commit stale again'], 'and nothing of the next chunk');
    await end();
    await end();
    await finish();
    await done;
    assert.deepEqual(events, ['answer a,stale again,b', 'read c', 'commit c', 'answer c']);
  });

  it('answer a commit that failed for each of its rows, and go on', async () => {
    const { events, start, end } = stage();
    await start(['a', 'bad', 'b']);
    await start(['c']);
    await end(new Error('the disk is full'));
    await end();
    assert.deepEqual(events.slice(-2), [
      'answer the disk is full,bad,the disk is full',
      'answer c',
    ]);
  });

  it('that cannot be read fail, and those after them are neither read nor answered', async () => {
    const { events, start, done } = stage();
    await start(['gone']);
    await start(['a']);
    await assert.rejects(done, ClientGone);
    assert.deepEqual(events, ['read gone']);
  });

  it('are held read by no more than may be at once, whatever became of those before', async () => {
    const { events, open, end, start } = stage();
    await start(['gone']);
    events.splice(0);
    for (let count = 0; count < CHUNKS_AT_ONCE + 2; count++) await open().start([`${count}`]);
    const begun = () => events.filter((one) => one.startsWith('read')).length;
    assert.equal(begun(), CHUNKS_AT_ONCE);
    await end();
    assert.equal(begun(), CHUNKS_AT_ONCE + 1);
    await end(new Error('the disk is full'));
    assert.equal(begun(), CHUNKS_AT_ONCE + 2);
    await end();
  });

  it('are what is there, and beside that only what is full', async () => {
    const { events, start, end, finish, done } = stage(3);
    const read = () => events.filter((one) => one.startsWith('read')).join(' ');
    for (const name of ['a', 'b', 'c']) assert.ok(await start([name]), name);
    assert.equal(read(), 'read a');
    assert.ok(await start(['d']));
    assert.equal(read(), 'read a read b,c,d', 'three are a chunk');
    for (const name of ['e', 'f', 'g', 'h', 'i', 'j']) await start([name]);
    assert.equal(read(), 'read a read b,c,d read e,f,g');
    await start(['k']);
    assert.equal(await start(['l']), false, 'no room until one of the three is done');
    await end();
    assert.equal(read(), 'read a read b,c,d read e,f,g read h,i,j');
    for (let count = 0; count < 3; count++) await end();
    assert.match(read(), / read k,l$/, 'what is left, when nothing else is begun');
    await finish();
    await end();
    await done;
  });

  it('are full by bytes, too', async () => {
    const { events, start } = stage(100);
    await start(['a']);
    await start(['b'.repeat(99)]);
    assert.deepEqual(events.splice(0), ['read a', 'commit a']);
    await start(['c']);
    assert.equal(events[0], `read ${'b'.repeat(99)},c`);
  });
});
