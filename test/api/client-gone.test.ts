/** What a client that hangs up leaves behind. */
// needs: alone, both stores with --all
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { until } from '../support/until.ts';
import { exchange } from '../support/wire.ts';
import { world } from '../support/world.ts';

const stage = world();
const REQUESTS = 1_500;
const HEADER_BYTES = 14_000;
const MAX_LEFT_BYTES = (REQUESTS * HEADER_BYTES) / 4;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Requests whose clients hang up before their bodies are whole. */
async function hangUp(count: number): Promise<void> {
  const head = [
    'POST /v1/locations/upsert HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${stage.service.key}`,
    'Content-Type: application/json',
    'Content-Length: 100',
  ].join('\r\n');
  for (let left = count; left > 0; left -= 50) {
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const filling = `${left}-${index}`.padEnd(HEADER_BYTES, 'x');
        const request = `${head}\r\nFilling: ${filling}\r\n\r\n{`;
        return exchange(stage.service.url, request, { hangUp: true });
      }),
    );
  }
}

it('no request is kept in memory whose client has gone', async () => {
  await hangUp(200);
  collect();
  const before = process.memoryUsage().heapUsed;
  await hangUp(REQUESTS);
  let left = Number.POSITIVE_INFINITY;
  // The service notices the last of them in its own time.
  await until(() => {
    collect();
    left = process.memoryUsage().heapUsed - before;
    return left < MAX_LEFT_BYTES;
  }).catch(() => assert.fail(`${left} bytes are left of ${REQUESTS} requests`));
});
