/** Answers that nobody reads hold a part of the memory, and never the thread that serves. */
// needs: --all, alone, program
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL } from '../support/all.ts';
import { ARRANGEMENTS, arrangement } from '../support/cli-load.ts';
import { call } from '../support/cli-service.ts';
import { LONG_MS, until } from '../support/until.ts';
import { besieged, type Ground, head, Wire } from './ground.ts';

const LIST = '/v1/online_arrangements?limit=1000';
/** Who read nothing: what they hold together, if it were held, is far beyond what may be. */
const CONNECTIONS = ALL ? 60 : 30;
const SMALL = { NODE_OPTIONS: '--max-old-space-size=256' };

/** Records of 130 KB each. */
async function fill({ service, bad, location }: Ground, count: number): Promise<void> {
  const text = 'x'.repeat(65_000);
  for (let at = 0; at < count; at += 50) {
    const rows = Array.from({ length: 50 }, (_, index) => ({
      ...arrangement(location, `large ${at + index}`, { text }),
      cart_summary: text,
    }));
    assert.equal((await call(service.url, bad, `${ARRANGEMENTS}_many`, rows)).status, 200);
  }
}

/** Milliseconds that an upsert of the other key takes. */
async function upsertMs({ service, location, good }: Ground): Promise<number> {
  const began = performance.now();
  const body = arrangement(location, 'beside', { at: Date.now() });
  assert.equal((await call(service.url, good, ARRANGEMENTS, body)).status, 200);
  return performance.now() - began;
}

/**
 * Upserts of the other key, until the service has written what the system takes of pages that nobody reads. None may
 * take long: what nobody reads would hold the thread for minutes, on a quiet machine.
 */
async function upsertBeside(ground: Ground): Promise<void> {
  for (let [quiet, before] = [0, ground.writtenMiB()]; quiet < 10; ) {
    const ms = await upsertMs(ground);
    assert.ok(ms < LONG_MS, `${ms} ms`);
    const written = ground.writtenMiB();
    quiet = written - before < 1 / 4 ? quiet + 1 : 0;
    before = written;
  }
}

function unread(ground: Ground, request: string): Wire {
  const wire = new Wire(ground);
  wire.socket.pause();
  wire.socket.write(request);
  return wire;
}

for (const coding of ALL ? ['identity', 'br'] : ['br']) {
  describe(`pages that nobody reads (${coding})`, () => {
    const ask = (secret: string) => head(`GET ${LIST}`, secret, { 'Accept-Encoding': coding });

    it('of many connections, several on each', async () => {
      const ground = await besieged(SMALL);
      await fill(ground, 200);
      const before = ground.residentMiB();
      // What the system's own buffers hold of a connection is some MiB: several pages fill them.
      const wires = Array.from({ length: CONNECTIONS }, () =>
        unread(ground, ask(ground.bad).repeat(10)),
      );
      await upsertBeside(ground);
      assert.ok(ground.mostResidentMiB() < before + 450, `${ground.mostResidentMiB()} MiB`);
      const mine = await call(ground.service.url, ground.good, '/v1/online_arrangements?limit=20');
      assert.equal(mine.status, 200, 'and there is room for large answers of others');
      for (const { socket } of wires) socket.destroy();
      let status = 429;
      await until(async () => {
        ({ status } = await call(ground.service.url, ground.bad, LIST));
        return status !== 429;
      });
      assert.equal(status, 200, 'all is given back');
    });
  });
}

describe('requests sent one behind the other on one connection', () => {
  it('are begun one by one, and answered whole when they are read', async () => {
    const ground = await besieged(SMALL);
    await fill(ground, 100);
    const before = ground.residentMiB();
    const wire = unread(ground, head(`GET ${LIST}`, ground.bad).repeat(100));
    await upsertBeside(ground);
    assert.ok(ground.mostResidentMiB() < before + 250, `${ground.mostResidentMiB()} MiB`);
    let bytes = 0;
    let answers = 0;
    wire.socket.removeAllListeners('data').on('data', (text: string) => {
      bytes += text.length;
      answers += text.split('HTTP/1.1 200').length - 1;
    });
    wire.socket.resume();
    await until(() => answers >= 100);
    assert.ok(bytes > 99 * 3_500_000);
  });

  it('by thousands end the connection, and nothing else', async () => {
    const ground = await besieged(SMALL);
    const wires = Array.from({ length: 50 }, () =>
      unread(ground, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20_000)),
    );
    const ended = wires.map(
      ({ socket }) => new Promise((resolve) => socket.resume().once('close', resolve)),
    );
    await Promise.all(ended);
    assert.ok((await upsertMs(ground)) < LONG_MS);
  });
});
