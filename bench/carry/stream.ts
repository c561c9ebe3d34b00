/** The rows of an import as streams of CSV to a service: what an import is compared with. */

import { createReadStream } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { startService } from '../service.ts';
import type { World } from '../world.ts';
import type { Took } from './command.ts';
import { writeRows } from './rows.ts';

/** The most rows of one request. */
const MOST = 100_000;

/** Sends that many rows, one request after the other, on a service that is started and stopped for it. */
export async function streamRows(
  url: string,
  world: World,
  count: number,
  folder: string,
): Promise<Took> {
  const service = await startService(url);
  try {
    let seconds = 0;
    for (let from = 0; from < count; from += MOST) {
      const path = join(folder, 'stream.csv');
      writeRows(path, world, Math.min(MOST, count - from), `stream-${from}`);
      const began = performance.now();
      const last = await send(`http://127.0.0.1:${service.port}`, world.authorization, path);
      seconds += (performance.now() - began) / 1_000;
      const { created } = JSON.parse(last).summary;
      if (created !== Math.min(MOST, count - from)) throw new Error(`A stream ended with ${last}`);
    }
    return { seconds, peakMiB: 0 };
  } finally {
    await service.stop();
  }
}

/** Gives the last line of the answer. */
function send(url: string, authorization: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: authorization, 'Content-Type': 'text/csv' };
    const where = `${url}/v1/events/upsert_many`;
    const sending = request(where, { method: 'POST', headers, agent: false }, (answer) => {
      let tail = '';
      answer.setEncoding('latin1').on('data', (text: string) => {
        tail = (tail + text).slice(-1_000);
      });
      answer.on('end', () => resolve(tail.trimEnd().split('\n').at(-1) ?? ''));
      answer.on('error', reject);
    });
    sending.on('error', reject);
    createReadStream(path).pipe(sending);
  });
}
