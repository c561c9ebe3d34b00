/** Chunks of a stream: read and committed side by side, and yet as if one row came after the other. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/core/errors.ts';
import type { UpsertRequest } from '../../src/core/schema/parse/parse.ts';
import {
  CHUNKS_AT_ONCE,
  type Chunk,
  createStartChunk,
  NO_CHUNK,
} from '../../src/records/ingest/many/chunk.ts';
import type { RowCommitter } from '../../src/records/ingest/many/commit.ts';
import type { RowReader } from '../../src/records/ingest/many/read.ts';
import { createResultsOf } from '../../src/records/ingest/many/retry.ts';
import {
  ClientGone,
  type ManyCall,
  type ReadRow,
  type Row,
} from '../../src/records/ingest/many/row.ts';
import type { Draft, Outcome } from '../../src/store/promises/store.ts';

const call = { principal: { key: 'key_a' }, dry_run: false } as ManyCall;

/** Lets everything happen that waits for nothing else. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** `stale` in the name of a row: its parent is gone. `bad`: it cannot be read. */
function rowOf(name: string, isRetried: boolean): Row {
  if (name.includes('bad')) return new ApiError('json_invalid', { message: name });
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

/** Chunks whose commits end when they are told to. */
function stage() {
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
      return rowOf(row.external_identifier, true) as ReadRow;
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
  const committer: RowCommitter = {
    commitWhole: (_key, drafts) => commitDrafts(drafts),
    commit: (_call, rows) =>
      commitDrafts(rows.flatMap((row) => (row instanceof Error ? [] : [row.draft as Draft]))),
  };
  const startChunk = createStartChunk(reader, committer, createResultsOf(reader, committer));
  let last: Pick<Chunk, 'handedOver' | 'answered'> = NO_CHUNK;
  return {
    events,
    /** Ends the commit that began first. */
    end: async (error?: Error): Promise<void> => {
      commits.shift()?.end(error);
      await settle();
    },
    start: async (names: string[], answering: Promise<void> = Promise.resolve()) => {
      const chunk = startChunk(
        call,
        names.map((name) => Buffer.from(name)),
        {
          after: last,
          answer: async (results) => {
            await answering;
            const texts = results.map((one) =>
              one instanceof Error ? one.message : one.unique_identifier,
            );
            events.push(`answer ${texts}`);
          },
        },
      );
      last = chunk;
      await settle();
      return chunk;
    },
  };
}

describe('chunks of a stream', () => {
  it('are handed to the store while the one before is committed, and answered in order', async () => {
    const { events, start, end } = stage();
    await start(['a', 'bad', 'b']);
    await start(['c']);
    assert.deepEqual(events.splice(0), ['read a,bad,b', 'commit a,b', 'read c', 'commit c']);
    await end();
    await end();
    assert.deepEqual(events, ['answer a,bad,b', 'answer c']);
  });

  it('are committed while the one before is told to a slow reader, and told after it', async () => {
    const { events, start, end } = stage();
    const slow = Promise.withResolvers<void>();
    await start(['a'], slow.promise);
    await end();
    const next = await start(['b']);
    await end();
    assert.equal((await next.committed).length, 1);
    assert.ok(!events.some((one) => one.startsWith('answer')));
    slow.resolve();
    await next.answered;
    assert.deepEqual(events.slice(-2), ['answer a', 'answer b']);
  });

  it('wait for rows that are retried, which would come after their own', async () => {
    const { events, start, end } = stage();
    await start(['a', 'stale', 'b']);
    const next = await start(['c']);
    assert.deepEqual(events.splice(0), ['read a,stale,b', 'commit a,stale,b']);
    await end();
    assert.deepEqual(events.splice(0), ['commit stale again'], 'and nothing of the next chunk');
    await end();
    await end();
    await next.answered;
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
    const { events, start } = stage();
    const failed = await start(['gone']);
    const next = await start(['a']);
    await assert.rejects(failed.committed, ClientGone);
    await assert.rejects(failed.answered, ClientGone);
    await assert.rejects(next.committed, ClientGone);
    await assert.rejects(next.answered, ClientGone);
    assert.deepEqual(events, ['read gone']);
  });

  it('are held read by no more than may be at once, whatever became of those before', async () => {
    const { events, start, end } = stage();
    await start(['gone']);
    const reads = () => events.filter((one) => one.startsWith('read ') && one !== 'read gone');
    const others = stage();
    for (let count = 0; count < CHUNKS_AT_ONCE + 2; count++) await others.start([`${count}`]);
    const begun = () => others.events.filter((one) => one.startsWith('read')).length;
    assert.equal(begun(), CHUNKS_AT_ONCE);
    await others.end();
    assert.equal(begun(), CHUNKS_AT_ONCE + 1);
    await others.end(new Error('the disk is full'));
    assert.equal(begun(), CHUNKS_AT_ONCE + 2);
    assert.deepEqual(reads(), []);
    await end();
  });
});
