/** A service that takes long streams: in bounded memory, beside others, and to a clean end when it is told to stop. */
// needs: --ci, alone, long
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { withAll } from '../support/all.ts';
import { ownFolder } from '../support/cli-program.ts';
import { call, type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { locationBody } from '../support/sent.ts';
import { LONG_MS, until } from '../support/until.ts';

const ROWS = 100_000;
/** What buffers, collected garbage and the heap's own steps may add, and rows may not. */
const SLACK_MIB = 100;

interface Ground {
  readonly cwd: string;
  readonly service: RunningService;
  readonly secret: string;
  readonly row: (as: string, name?: string) => string;
}

async function setUp(): Promise<Ground> {
  const cwd = ownFolder();
  const { account, secret } = await makeAccount(cwd);
  const service = await startProcess({ cwd });
  const row: Ground['row'] = (as, name = 'Main Street Chapel') =>
    JSON.stringify(locationBody(account, as, { location_name: name }));
  return { cwd, service, secret, row };
}

/** A stream that has begun; what is written to it is chunks of its body. */
class Stream {
  readonly socket: Socket;
  text = '';
  bytesRead = 0;

  constructor({ service, secret }: Ground) {
    this.socket = connect(service.port, '127.0.0.1').setNoDelay(true);
    this.socket.on('error', () => {});
    this.socket.write(
      [
        'POST /v1/locations/upsert_many HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${secret}`,
        'Content-Type: application/x-ndjson',
        'Transfer-Encoding: chunked',
        'Connection: close',
        '\r\n',
      ].join('\r\n'),
    );
  }

  /** Reads what is answered, and keeps the end of it. */
  read(): void {
    this.socket.on('data', (bytes) => {
      this.bytesRead += bytes.length;
      this.text = (this.text + bytes).slice(-10_000);
    });
  }

  /** Whether there is room for more. */
  write(text: string): boolean {
    return this.socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  }

  end(): void {
    this.socket.write('0\r\n\r\n');
  }
}

function residentMiB({ process }: RunningService): number {
  const status = readFileSync(`/proc/${process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Sends so many rows, a hundred at a time, and gives the most memory that was seen meanwhile. */
async function sendRows(
  ground: Ground,
  stream: Stream,
  rows: number,
  line: string,
): Promise<number> {
  const hundred = `${line}\n`.repeat(100);
  let most = 0;
  for (let sent = 0; sent < rows; sent += 100) {
    if (!stream.write(hundred)) await once(stream.socket, 'drain');
    if (sent % 5000 === 0) most = Math.max(most, residentMiB(ground.service));
  }
  return most;
}

describe('a long stream', {
  skip: process.platform !== 'linux' && 'memory is read from /proc',
}, () => {
  it(
    'of a hundred thousand rows is not kept in memory, and neither is the next one',
    withAll,
    async () => {
      const ground = await setUp();
      const line = `${ground.row('one')}${' '.repeat(2000)}`;
      const run = async (rows: number): Promise<number> => {
        const stream = new Stream(ground);
        stream.read();
        const most = await sendRows(ground, stream, rows, line);
        stream.end();
        await once(stream.socket, 'close');
        assert.match(stream.text, new RegExp(`"unchanged":${rows - 1}|"unchanged":${rows}`));
        return most;
      };
      const before = residentMiB(ground.service);
      const first = await run(ROWS);
      let [last, again] = [first, await run(ROWS)];
      // The heap takes a step of its own once; what is kept would be more with every stream.
      for (let tries = 0; tries < 3 && again >= last + SLACK_MIB / 2; tries++) {
        [last, again] = [again, await run(ROWS)];
      }
      const sentMiB = (ROWS * line.length) / 2 ** 20;
      assert.ok(first < before + sentMiB - 50, `${before} MiB, and then ${first} MiB`);
      assert.ok(again < last + SLACK_MIB / 2, `${last} MiB, and then ${again} MiB`);
    },
  );

  it(
    'whose answer nobody reads is not read on, takes no memory and holds up nobody',
    withAll,
    async () => {
      const ground = await setUp();
      const { service, secret, row } = ground;
      // What one stream takes for good, such as the heap's first steps, the next one does not take again.
      const first = new Stream(ground);
      first.read();
      await sendRows(ground, first, ROWS / 10, row('one'));
      first.end();
      await once(first.socket, 'close');
      const before = residentMiB(service);
      const stream = new Stream(ground);
      // Each row is refused at length: far more is answered than all buffers in between hold.
      const line = `{"location_name":"${'x'.repeat(600)}"}`;
      // A good one now and then: a stream that only fails is ended.
      const good = `${row('one')}\n`;
      let most = 0;
      let sent = 0;
      const sending = (async () => {
        for (; sent < ROWS; sent += 100) {
          if (!stream.write(`${line}\n`.repeat(99) + good)) await once(stream.socket, 'drain');
        }
      })();
      let [seen, quiet, beside] = [0, 0, 0];
      // It is not read on if nothing of it is taken while other rows are saved.
      await until(async () => {
        const other = JSON.parse(row(`beside ${beside++}`));
        await call(service.url, secret, '/v1/locations/upsert', other);
        most = Math.max(most, residentMiB(service));
        quiet = seen === sent ? quiet + 1 : 0;
        seen = sent;
        return quiet === 200;
      }, 5 * LONG_MS);
      assert.ok(sent < ROWS, 'all of it was taken');
      assert.ok(most < before + SLACK_MIB, `${before} MiB, and then ${most} MiB`);
      const other = JSON.parse(row('other'));
      const single = await call(service.url, secret, '/v1/locations/upsert', other);
      assert.equal(single.outcome, 'created');

      stream.read();
      await sending;
      stream.end();
      await once(stream.socket, 'close');
      assert.match(stream.text, new RegExp(`"failed":${ROWS * 0.99}\\}`));
    },
  );

  it('single upserts beside it are answered while it goes on', async () => {
    const ground = await setUp();
    const { service, secret, row } = ground;
    const stream = new Stream(ground);
    stream.read();
    let going = true;
    const sending = (async () => {
      for (let count = 0; count < ROWS - 100 && going; count += 100) {
        const rows = Array.from({ length: 100 }, (_, index) => `${row(`row ${count + index}`)}\n`);
        if (!stream.write(rows.join(''))) await once(stream.socket, 'drain');
      }
      going = false;
    })();
    let answered = 0;
    for (; answered < 100 && going; answered++) {
      const single = JSON.parse(row(`single ${answered}`));
      await call(service.url, secret, '/v1/locations/upsert', single);
    }
    going = false;
    await sending;
    stream.end();
    await once(stream.socket, 'close');
    // Who waited for the end of the stream would be one or two.
    assert.ok(answered > 10, `${answered} were answered before its rows were sent`);
  });

  it('ends with a line that says where, when the service is told to stop', async () => {
    const ground = await setUp();
    const { service, secret, row } = ground;
    const stream = new Stream(ground);
    stream.read();
    stream.write(`${row('kept')}\n${row('never whole').slice(0, -5)}`);
    await until(() => stream.text.includes('"outcome"'));
    const end = service.stop('SIGTERM');
    await once(stream.socket, 'close');
    assert.match(stream.text, /"created":1,.*"line":2,"error":\{.*"service_unavailable"/);
    assert.equal((await end).code, 0);
    const again = await startProcess({ cwd: ground.cwd });
    const kept = await call(again.url, secret, '/v1/locations/upsert', JSON.parse(row('kept')));
    assert.equal(kept.outcome, 'unchanged');
  });
});
