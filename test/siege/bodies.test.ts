/** Bodies that are begun and never ended hold a part of the memory, and for a while. */
// needs: --all, alone, program
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ALL } from '../support/all.ts';
import { ARRANGEMENTS, arrangement } from '../support/cli-load.ts';
import { call } from '../support/cli-service.ts';
import { until } from '../support/until.ts';
import { besieged, type Ground, head, rowsOf, Wire } from './ground.ts';

const MIB = 1_048_576;
const MANY = `${ARRANGEMENTS}_many`;
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** Long enough to read all of it on a machine that is as fast as most; on others, less is read. */
const PASSING_MS = 3_000;
/** Longer than what trickles may take. */
const SECONDS = ALL ? 70 : 36;
/** So that 256 MiB are there for requests, wherever the test runs. */
const SMALL = { NODE_OPTIONS: '--max-old-space-size=256' };

async function upsertAs(ground: Ground, secret: string): Promise<number> {
  const body = arrangement(ground.location, 'beside', { at: Date.now() });
  return (await call(ground.service.url, secret, ARRANGEMENTS, body)).status;
}

async function sendRows(ground: Ground, secret: string, mib: number): Promise<Response> {
  const headers = { ...JSON_TYPE, Authorization: `Bearer ${secret}` };
  const body = rowsOf(ground.location, mib);
  return fetch(ground.service.url + MANY, { method: 'POST', headers, body });
}

/** The largest array is taken again, as soon as the service has noticed that the others are gone. */
async function wantAllBack(ground: Ground): Promise<void> {
  let status = 429;
  await until(async () => {
    ({ status } = await sendRows(ground, ground.bad, 30));
    return status !== 429;
  });
  assert.equal(status, 200, 'all is given back');
}

describe('unfinished arrays', { concurrency: 3 }, () => {
  it('whose length is told are refused beyond a part of the memory, before they are read', async () => {
    const ground = await besieged(SMALL);
    const before = ground.residentMiB();
    const length = { 'Content-Length': String(32 * MIB) };
    const wires = Array.from({ length: 30 }, () => new Wire(ground));
    for (const { socket } of wires)
      socket.write(head(`POST ${MANY}`, ground.bad, { ...JSON_TYPE, ...length }));
    const [taken, ...refused] = wires as [Wire, ...Wire[]];
    assert.deepEqual(
      new Set(await Promise.all(refused.map((one) => one.status()))),
      new Set([429]),
    );
    assert.match(refused[0]?.text ?? '', /"code":"memory_limited"/);
    assert.match(refused[0]?.text ?? '', /^Retry-After: 1\r$/im);
    assert.equal(taken.text, '', 'the first is awaited');

    const read = ground.readMiB();
    taken.socket.write(Buffer.alloc(31 * MIB, ' '));
    await until(() => ground.readMiB() >= read + 31);
    assert.equal(
      await upsertAs(ground, ground.bad),
      200,
      'small requests go on, of the key itself',
    );
    assert.equal(await upsertAs(ground, ground.good), 200);
    assert.equal((await sendRows(ground, ground.good, 2)).status, 200, 'and large ones of others');
    assert.ok(ground.mostResidentMiB() < before + 400, String(ground.mostResidentMiB()));

    for (const { socket } of wires) socket.destroy();
    await wantAllBack(ground);
  });

  it('of which the rest is sent all the same are passed over a piece at a time', async () => {
    const ground = await besieged(SMALL);
    const length = { 'Content-Length': String(32 * MIB) };
    const begun = head(`POST ${MANY}`, ground.bad, { ...JSON_TYPE, ...length });
    const whole = Buffer.concat([Buffer.from(begun), Buffer.alloc(31 * MIB, ' ')]);
    const before = ground.readMiB();
    const wires = Array.from({ length: 60 }, () => new Wire(ground));
    for (const { socket } of wires) socket.write(whole);
    const began = performance.now();
    await pause(PASSING_MS);
    const read = ground.readMiB() - before;
    // 128 MiB in each second that has passed, the one that is taken, and what was there when they were refused.
    const most = (128 * (performance.now() - began)) / 1000 + 32 + 60;
    assert.ok(read < most, `${read} MiB were read`);
    assert.equal(await upsertAs(ground, ground.good), 200);
    assert.ok(wires.filter(({ text }) => text.includes('"code":"memory_limited"')).length > 0);
  });

  it('that come in chunks are refused when they have grown beyond it', async () => {
    const ground = await besieged(SMALL);
    const before = ground.residentMiB();
    const chunk = `100000\r\n${' '.repeat(MIB)}\r\n`;
    const wires = Array.from({ length: 30 }, () => new Wire(ground));
    for (const { socket } of wires) {
      const chunked = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };
      socket.write(head(`POST ${MANY}`, ground.bad, chunked));
      for (let count = 0; count < 20; count++) socket.write(chunk);
    }
    const refused = () => wires.filter(({ text }) => text.includes('"code":"memory_limited"'));
    await until(() => refused().length > 0);
    assert.equal(await upsertAs(ground, ground.good), 200);
    await until(() => refused().length >= 25);
    assert.ok(ground.mostResidentMiB() < before + 500, String(ground.mostResidentMiB()));
    for (const { socket } of wires) socket.destroy();
    await wantAllBack(ground);
  });

  it('that trickle are ended after half a minute; what is slow and steady arrives', async () => {
    const ground = await besieged();
    const { bad, good, location } = ground;
    const trickle = new Wire(ground);
    const told = { ...JSON_TYPE, 'Content-Length': String(MIB) };
    trickle.socket.write(`${head(`POST ${MANY}`, bad, told)}[`);
    const body = rowsOf(location, 1)
      .slice(0, -1)
      .padEnd(MIB / 4);
    const steady = new Wire(ground);
    const chunked = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };
    steady.socket.write(head(`POST ${MANY}`, good, chunked));
    const began = performance.now();
    let ended: number | undefined;
    void trickle.status().then(() => {
      ended = performance.now();
    });
    for (let second = 0; second < SECONDS; second++) {
      const part = body.slice(
        (second * body.length) / SECONDS,
        ((second + 1) * body.length) / SECONDS,
      );
      if (part !== '') steady.socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
      trickle.socket.write(' ');
      await pause(1_000);
    }
    const tookMs = performance.now() - began;
    steady.socket.write('1\r\n]\r\n0\r\n\r\n');
    assert.equal(await trickle.status(), 408);
    assert.match(trickle.text, /"code":"request_timeout"/);
    assert.ok(ended !== undefined && ended - began > 29_000 && ended - began < 2 * tookMs);
    assert.equal(await steady.status(), 200, steady.text);
  });
});
