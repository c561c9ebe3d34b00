/** A thread that a SQLite store uses: each request gets a reply or an error, also where the thread ends. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailable, StoreUnsure } from '../../src/store/promises/store.ts';
import { createThread } from '../../src/store/sqlite/threads/thread.ts';
import { whenOver } from '../support/at-end.ts';

const MODULE = new URL('../support/ending-thread.ts', import.meta.url);

describe('A thread of a SQLite store', () => {
  for (const end of ['exit', 'throw']) {
    it(`leaves no request without an answer where it ends by itself (${end}), and is started again`, async () => {
      const thread = createThread(MODULE, {});
      whenOver(() => thread.close());
      const sent = [thread.call('echo', 'one'), thread.call(end), thread.call('echo', 'two')];
      // The reply and the end arrive together.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      const [one, ...others] = await Promise.allSettled(sent);
      assert.deepEqual(one, { status: 'fulfilled', value: 'one' });
      for (const other of others) {
        assert.ok(other.status === 'rejected' && other.reason instanceof StoreUnsure);
      }
      assert.equal(await thread.call('echo', 'three'), 'three');
    });
  }

  it('finishes what was requested before it is closed, and takes nothing more', async () => {
    const thread = createThread(MODULE, {});
    const sent = thread.call('echo', 'one');
    const closing = thread.close();
    await assert.rejects(thread.call('echo', 'two'), StoreUnavailable);
    assert.equal(await sent, 'one');
    await closing;
    await assert.rejects(thread.call('echo', 'three'), StoreUnavailable);
  });

  it('hands over replies without the event loop', async () => {
    const thread = createThread(MODULE, {});
    whenOver(() => thread.close());
    await thread.call('echo', 'one');
    let reply: unknown;
    void thread.call('echo', 'two').then((value) => {
      reply = value;
    });
    // Only microtasks run here.
    for (const until = Date.now() + 10_000; reply === undefined && Date.now() < until; ) {
      thread.poll();
      await undefined;
    }
    assert.equal(reply, 'two');
  });
});
