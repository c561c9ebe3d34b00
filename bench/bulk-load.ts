/**
 * A process of its own that upserts many rows by few requests with lines: half
 * new records, half updates of those that are known. Its one argument is a
 * `BulkLoad` as JSON; it prints a `BulkRound` as JSON.
 */
import { request } from 'node:http';
import { KNOWN } from './world.ts';

export interface BulkLoad {
  readonly url: string;
  readonly authorization: string;
  /** The row, with `@ID@` where the external identifier goes and `@N@` where a number goes. */
  readonly template: string;
  /** Streams at the same time, and rows of each. */
  readonly streams: number;
  readonly rows: number;
  /** Makes the identifiers of new records this round's own. */
  readonly prefix: string;
}

export interface BulkRound {
  readonly perSecond: number;
  readonly failed: number;
}

const load: BulkLoad = JSON.parse(process.argv[2] ?? '');

/** Each stream updates known records of its own: who imports in parts does not send the same record in two of them. */
function bodyOf(stream: number): Buffer {
  const lines = Array.from({ length: load.rows }, (_, count) => {
    const id =
      count % 2 === 0
        ? `known-${((count / 2) * 7919 * load.streams + stream) % KNOWN}`
        : `${load.prefix}-${stream}-${count}`;
    return load.template.replaceAll('@ID@', id).replaceAll('@N@', String(count));
  });
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** Sends a body, and gives the last line of the answer. */
function send(body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: load.authorization,
      'Content-Type': 'application/x-ndjson',
      'Content-Length': body.length,
    };
    const sending = request(load.url, { method: 'POST', headers, agent: false }, (answer) => {
      let tail = '';
      answer.setEncoding('latin1');
      answer.on('data', (text: string) => {
        tail = (tail + text).slice(-1000);
      });
      answer.on('end', () => resolve(tail.trimEnd().split('\n').at(-1) ?? ''));
      answer.on('error', reject);
    });
    sending.on('error', reject);
    sending.end(body);
  });
}

const bodies = Array.from({ length: load.streams }, (_, stream) => bodyOf(stream));
const began = performance.now();
const last = await Promise.all(bodies.map(send));
const seconds = (performance.now() - began) / 1000;
const summaries = last.map((line) => JSON.parse(line).summary);
const done = summaries.reduce((sum, one) => sum + one.created + one.updated + one.unchanged, 0);
const round: BulkRound = {
  perSecond: done / seconds,
  failed: load.streams * load.rows - done,
};
process.stdout.write(JSON.stringify(round));
