/** Finished files, such as `/openapi.json`, are made once for all, and sent so that other callers' requests are not held up by many who ask for them. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { PIECE_BYTES, PIECES_IN_TICK, SharedBytes } from '../../src/edge/site/shared-bytes.ts';
import { until } from '../support/until.ts';
import { world } from '../support/world.ts';

const MANY = 96;
const ASKING = 24;
const FILES = ['/openapi.json', '/docs/limits', '/console/', '/client.tgz', '/docs/errors'];
/** Texts that are written again are at least this long. */
const LONG = 2_000;

describe('Finished files', () => {
  const on = world({ settings: { public_url: 'https://records.example' } });
  const { service } = on;
  const head = (path: string, more = ''): string =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
  const opened = async (): Promise<Socket> => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };

  it('are neither read nor written again for another caller', async () => {
    const { readFile } = fs;
    const { replaceAll } = String.prototype;
    let work: string[] = [];
    const codings = ['identity', 'gzip', 'br'];
    const ask = (path: string, coding: string) =>
      fetch(service.url + path, { headers: { 'Accept-Encoding': coding } }).then(async (answer) => {
        assert.equal(answer.status, 200, path);
        return Buffer.from(await answer.arrayBuffer());
      });
    const firsts = new Map<string, Buffer>();
    for (const path of FILES)
      for (const coding of codings) firsts.set(`${path} ${coding}`, await ask(path, coding));
    try {
      Object.assign(fs, {
        readFile: (...parts: Parameters<typeof readFile>) => {
          if (`${parts[0]}`.includes('site')) work.push(`read ${parts[0]}`);
          return readFile(...parts);
        },
      });
      String.prototype.replaceAll = function (this: string, ...parts: never) {
        if (this.length > LONG) work.push(`wrote ${this.length} characters`);
        return replaceAll.apply(this, parts);
      } as typeof replaceAll;
      syncBuiltinESMExports();
      work = [];
      for (const path of FILES)
        for (const coding of codings) {
          const all = await Promise.all(Array.from({ length: ASKING }, () => ask(path, coding)));
          const first = firsts.get(`${path} ${coding}`);
          assert.ok(first !== undefined);
          for (const one of all) assert.ok(one.equals(first), `${path} ${coding}`);
        }
      assert.deepEqual(work, []);
    } finally {
      Object.assign(fs, { readFile });
      String.prototype.replaceAll = replaceAll;
      syncBuiltinESMExports();
    }
  });

  it('are sent whole, with their length, their tag and 304', async () => {
    const whole = await fetch(`${service.url}/openapi.json`, {
      headers: { 'Accept-Encoding': 'identity' },
    });
    const text = await whole.text();
    assert.ok(Buffer.byteLength(text) > 10 * PIECE_BYTES);
    assert.equal(whole.headers.get('content-length'), `${Buffer.byteLength(text)}`);
    assert.ok(JSON.parse(text).openapi);
    const tag = whole.headers.get('etag') ?? '';
    const again = await service.get('/openapi.json', { headers: { 'If-None-Match': tag } });
    assert.equal(again.status, 304);
    const asked = await service.send('HEAD', '/openapi.json', {
      headers: { 'Accept-Encoding': 'identity' },
    });
    assert.equal(asked.headers.get('content-length'), `${Buffer.byteLength(text)}`);
  });

  it('hold no memory for each of those who do not read them', async () => {
    await service.get('/openapi.json');
    const bytes = (await service.get('/openapi.json')).text.length;
    const held = (): number => process.memoryUsage().arrayBuffers;
    const before = held();
    const sockets = await Promise.all(Array.from({ length: MANY }, opened));
    let begun = 0;
    for (const socket of sockets) {
      // The first bytes have come, and nothing is read after them.
      socket.once('data', () => {
        begun += 1;
        socket.pause();
      });
      // The system takes one or two of them whole.
      socket.write(head('/openapi.json').repeat(6));
    }
    await until(() => begun === MANY);
    // Others are answered meanwhile.
    for (let nth = 0; nth < 20; nth++) await on.visit(`beside ${nth}`);
    const grown = held() - before;
    for (const socket of sockets) socket.destroy();
    assert.ok(grown < (MANY * bytes) / 4, `${grown} of ${MANY * bytes}`);
  });
});

describe('Bytes that are the same for everybody', () => {
  const bytes = Buffer.alloc(40 * PIECE_BYTES, 'x');

  it('go a few pieces at a time, whoever many ask for them', async () => {
    let taken = 0;
    const all = Array.from({ length: 200 }, (_, nth) => new SharedBytes(bytes, `${nth % 3}`));
    for (const one of all)
      one.on('data', (piece: Buffer) => {
        assert.ok(piece.length <= PIECE_BYTES);
        // No copy of it is made.
        assert.equal(piece.buffer, bytes.buffer);
        taken += 1;
      });
    let most = 0;
    for (let ticks = 0; ticks < 100; ticks++) {
      const before = taken;
      await tick();
      most = Math.max(most, taken - before);
    }
    for (const one of all) one.destroy();
    assert.ok(most > 0 && most <= PIECES_IN_TICK, `${most} in a tick`);
  });

  it('go to another address as often, however many connections one has', async () => {
    const counts = { flood: 0, other: 0 };
    const flood = Array.from({ length: MANY }, () => new SharedBytes(bytes, 'flood'));
    for (const one of flood)
      one.on('data', () => {
        counts.flood += 1;
      });
    await tick();
    const other = new SharedBytes(bytes, 'other');
    counts.flood = 0;
    let ended = false;
    other
      .on('data', () => {
        counts.other += 1;
      })
      .on('end', () => {
        ended = true;
      });
    while (!ended) await tick();
    for (const one of flood) one.destroy();
    assert.equal(counts.other, 40);
    // One piece of each tick, and what was in the ticks in which it came and went.
    const most = PIECES_IN_TICK * (counts.other + 2);
    assert.ok(counts.flood <= most, `${counts.flood} for ${counts.other}`);
  });
});
