/** Names whose servers take their time keep nobody else from sending. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { createOutbound, type OutboundRequest } from '../../src/core/outbound/outbound.ts';
import { OutboundError } from '../../src/core/outbound/outbound-error.ts';
import { whenOver } from '../support/at-end.ts';
import { listening } from '../support/local-server.ts';
import { until } from '../support/until.ts';

const HOME = { address: '127.0.0.1', family: 4 } as const;

/** More than what a look-up may take that is not slow. */
const SLOWLY_MS = 1_200;

/** A server, and what sends to it; names of `slow` are looked up when `end` is called, and have taken long then. */
async function ground() {
  const server = createServer((_, response) => response.end('fine'));
  const port = await listening(server);
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  let isOver = false;
  let elapsed = 0;
  const outbound = createOutbound({
    allowed: ['127.0.0.0/8'],
    agent: 'test',
    elapsed: () => elapsed,
    lookUp: async (name) => {
      asked.push(name);
      if (name.endsWith('.slow.example') && !isOver)
        await new Promise<void>((resolve) => ends.push(resolve));
      return [HOME];
    },
  });
  const end = (): void => {
    elapsed += SLOWLY_MS;
    for (const one of ends.splice(0)) one();
  };
  whenOver(() => {
    isOver = true;
    end();
    outbound.close();
  });
  const send = async (group: string, host: string, more: Partial<OutboundRequest> = {}) => {
    const url = `http://${host}:${port}/`;
    const { status } = await outbound.send({
      ...{ url, use: 'webhook', group, ms: 10_000, bytes: 100, ...more },
    });
    return status;
  };
  return { send, asked, end };
}

const fault = async (sent: Promise<unknown>): Promise<string> =>
  sent.then(
    () => 'none',
    (error) => (error instanceof OutboundError ? error.fault : String(error)),
  );

describe('Names that are slow to look up', { concurrency: true }, () => {
  it('stop no delivery of another account, regardless of how many one account has', async () => {
    const { send, asked } = await ground();
    const theirs = Array.from({ length: 20 }, (_, nth) =>
      fault(send('attacker', `${nth}.slow.example`, { ms: 1_500 })),
    );
    for (let nth = 0; nth < 5; nth++)
      assert.equal(await send('victim', `${nth}.quick.example`), 200);
    assert.deepEqual(new Set(await Promise.all(theirs)), new Set(['timed_out']));
    // What timed out while it waited is never looked up.
    assert.equal(asked.filter((name) => name.endsWith('.slow.example')).length, 1);
    assert.equal(await send('victim', 'last.quick.example'), 200);
  });

  it('are looked up once for all requests of an account that wait for them', async () => {
    const { send, asked, end } = await ground();
    const given = new AbortController();
    const all = Array.from({ length: 8 }, () => send('a', 'one.slow.example'));
    const left = fault(send('a', 'one.slow.example', { signal: given.signal }));
    await until(() => asked.length > 0);
    given.abort();
    assert.equal(await left, 'timed_out');
    end();
    assert.deepEqual(new Set(await Promise.all(all)), new Set([200]));
    assert.deepEqual(asked, ['one.slow.example']);
  });

  it('are known for a minute, and wait for each other from then on', async () => {
    const { send, asked, end } = await ground();
    for (const account of ['a', 'b']) {
      const before = asked.length;
      const first = send(account, `${account}.slow.example`);
      await until(() => asked.length > before);
      end();
      assert.equal(await first, 200);
    }
    // Sent to another port each time, they are looked up again, one at a time for both accounts.
    const again = ['a', 'b'].map((account) =>
      fault(send(account, `${account}.slow.example`, { use: 'image', ms: 1_500 })),
    );
    await until(() => asked.length === 3);
    assert.equal(await send('c', 'c.quick.example'), 200);
    assert.equal(asked.filter((name) => name.endsWith('.slow.example')).length, 3);
    assert.deepEqual(await Promise.all(again), ['timed_out', 'timed_out']);
  });

  it('leave a slot to others when two accounts name ever new ones', async () => {
    const { send, asked, end } = await ground();
    // Each holds a slot once, until its first name is known to be slow.
    const first = ['a', 'b'].map((account) => send(account, `first-${account}.slow.example`));
    await until(() => asked.length === 2);
    end();
    assert.deepEqual(await Promise.all(first), [200, 200]);
    const theirs = ['a', 'b'].flatMap((account) =>
      Array.from({ length: 20 }, (_, nth) =>
        fault(send(account, `${account}-${nth}.slow.example`, { ms: 1_500, use: 'image' })),
      ),
    );
    await until(() => asked.length === 3);
    for (let nth = 0; nth < 5; nth++)
      assert.equal(await send('victim', `${nth}.quick.example`), 200);
    assert.deepEqual(new Set(await Promise.all(theirs)), new Set(['timed_out']));
  });
});
