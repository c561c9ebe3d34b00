/**
 * A service on SQLite starts again after every bad end, with all that it
 * answered. No test opens the file by other means first: SQLite would finish
 * what the killed process began, and hide what the service makes of it.
 */
// needs: --all, program, waits

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ALL, withAll } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { arrangement } from '../support/cli-load.ts';
import { ownFolder, type Start } from '../support/cli-program.ts';
import { call, type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const ROUNDS = ALL ? 6 : 2;
const MEGABYTES = ALL ? 40 : 28;
const ROWS = 500;
const LARGE = 'x'.repeat(4_000);

interface Sender {
  readonly secret: string;
  readonly location: string;
}

/** A sender whose records fit on the service's disk so far. */
async function makeSender(where: Start): Promise<Sender> {
  const { account, secret } = await makeAccount(where.cwd, where.env);
  const service = await startProcess(where);
  const location = await makeLocation(service.url, secret, account);
  await service.stop();
  return { secret, location };
}

/** One array of large records: its status, or 0 where the service was gone before it answered. */
async function send({ url }: RunningService, { secret, location }: Sender, name: string) {
  const rows = Array.from({ length: ROWS }, (_, index) =>
    arrangement(location, `${name} ${index}`, { note: LARGE }),
  );
  try {
    const path = '/v1/online_arrangements/upsert_many';
    const { status, text } = await call(url, secret, path, rows);
    return { status, summary: JSON.parse(text).summary };
  } catch {
    return { status: 0, summary: undefined };
  }
}

/** Sends arrays one after the other on two connections until the service is gone: the names of those that were answered. */
function sendUntilGone(service: RunningService, sender: Sender, name: string) {
  const answered: string[] = [];
  const work = async (worker: number): Promise<void> => {
    for (let count = 0; ; count++) {
      const array = `${name} ${worker} ${count}`;
      const { status, summary } = await send(service, sender, array);
      if (status !== 200) return;
      assert.equal(summary?.created, ROWS);
      answered.push(array);
    }
  };
  return { answered, gone: Promise.all([work(0), work(1)]) };
}

async function wantThere(service: RunningService, sender: Sender, answered: readonly string[]) {
  for (const array of answered) {
    const { summary } = await send(service, sender, array);
    assert.equal(summary?.unchanged, ROWS, `${array} is not what was answered`);
  }
}

function wantWhole(path: string): void {
  const database = new DatabaseSync(path);
  const [check] = database.prepare('PRAGMA integrity_check').all();
  database.close();
  assert.equal(check?.integrity_check, 'ok');
}

describe('A service on SQLite', () => {
  it('starts after kill -9 under bulk load, wherever its checkpoint was', async () => {
    const cwd = ownFolder();
    const sender = await makeSender({ cwd });
    for (let round = 0; round < ROUNDS; round++) {
      const service = await startProcess({ cwd });
      const { answered, gone } = sendUntilGone(service, sender, `round ${round}`);
      const least = 1 + Math.random() * (ALL ? 8 : 4);
      await until(() => answered.length >= least);
      await pause(Math.random() * 100);
      await service.stop('SIGKILL');
      await gone;
      const next = await startProcess({ cwd });
      await wantThere(next, sender, answered.slice(-4));
      await next.stop(round % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
    }
    wantWhole(join(cwd, 'data', 'ledgerstone.db'));
  });

  for (const [signal, ring] of [
    ['SIGTERM', withAll],
    ['SIGKILL', {}],
  ] as const) {
    it(
      `starts after ${signal} on a full disk: at once to be read, and to be written when there is room`,
      ring,
      async (t) => {
        const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-disk-'));
        const disk = mountSmallDisk(folder, MEGABYTES);
        if (disk === undefined)
          return t.skip('a small disk of its own can only be mounted by root');
        whenOver(() => disk.unmount());
        const path = join(folder, 'store.db');
        const where = { cwd: ownFolder(), env: { DATABASE_URL: `sqlite:${path}` } };
        const sender = await makeSender(where);
        const first = await startProcess(where);
        const answered: string[] = [];
        for (let count = 0; ; count++) {
          const { status, summary } = await send(first, sender, `array ${count}`);
          if (status !== 200 || summary?.created !== ROWS) break;
          answered.push(`array ${count}`);
        }
        assert.ok(answered.length > 2, `${answered.length} arrays found room`);
        disk.fill();
        await first.stop(signal);

        const full = await startProcess(where);
        const page = await call(full.url, sender.secret, '/v1/locations?limit=1');
        assert.equal(page.status, 200, 'can be read while the disk is full');
        await full.stop(signal);

        disk.resize(2 * MEGABYTES);
        const next = await startProcess(where);
        await wantThere(next, sender, answered);
        assert.equal((await send(next, sender, 'more')).summary?.created, ROWS);
        await next.stop();
        wantWhole(path);
      },
    );
  }
});
