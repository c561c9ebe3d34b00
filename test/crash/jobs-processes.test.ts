/** Processes over one store share long work: each piece is done by one of them, and others go on where one was killed. */
// needs: --ci, waits
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe } from 'node:test';
import type { JobTask } from '../support/job-worker.ts';
import { NEWEST } from '../support/postgres-programs.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { createProves, type FindGround } from '../support/store-world.ts';
import { until } from '../support/until.ts';

const PIECES = 30;
const OBJECTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
const EXPECTED = OBJECTS.flatMap((one) =>
  Array.from({ length: PIECES }, (_, at) => `${one} ${at}`),
);
const LONGEST_MS = 120_000;

function startWorker(url: string) {
  const did: string[] = [];
  const child = fork(join(import.meta.dirname, '../support/job-worker.ts'), { execArgv: [] });
  child.on('message', (piece: string) => did.push(piece));
  child.send({ url, objects: OBJECTS, pieces: PIECES } satisfies JobTask);
  return {
    did,
    begin: () => child.send('begin'),
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function proveOn(name: string, findGround: FindGround): void {
  const proves = createProves(findGround);
  describe(`Two processes that work on ${name}`, () => {
    proves('never do the same piece, and one goes on for the other', async ({ store, url }) => {
      const workers = [startWorker(url), startWorker(url)] as const;
      const [first, second] = workers;
      try {
        // One that is there earlier would leave nothing for the other.
        await until(() => first.did.length + second.did.length === 2, LONGEST_MS);
        for (const { begin } of workers) begin();
        await until(() => first.did.length > 20 && second.did.length > 20, LONGEST_MS);
        await first.kill();
        const isLeft = (await store.jobs.list()).length > 0;
        assert.ok(isLeft, 'what it was at is listed');
        const made = async () =>
          (await store.accounts.list()).flatMap(({ name }) => (name === 'Us' ? [] : [name]));
        await until(async () => (await made()).length >= EXPECTED.length, LONGEST_MS);
        await until(async () => (await store.jobs.list()).length === 0, LONGEST_MS);
        assert.deepEqual((await made()).toSorted(), EXPECTED.toSorted(), 'each was done once');
      } finally {
        await second.kill();
      }
    });
  });
}

const grounds: [string, FindGround][] = [['SQLite', sqliteGround]];
await onPostgres(({ name, ground }) => void grounds.push([name, ground]), [NEWEST]);
// Each waits until the work of the process that was killed may be taken up.
describe('Long work', { concurrency: true }, () => {
  for (const [name, ground] of grounds) proveOn(name, ground);
});
