/** `backup --follow` and `restore --at` by the real binary, on both stores. */
// needs: --all, program
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readFollowed } from '../../src/services/backup/folder/chain.ts';
import { ALL } from '../support/all.ts';
import { onEachStore } from '../support/cli-postgres.ts';
import { ownFolder, programIn, start } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount, withAccount } from '../support/cli-setup.ts';
import { until } from '../support/until.ts';

/** How much the clock of the follower and the answers of the service may be apart. */
const APART_MS = 100;
/** How often it is killed, and how many moments are brought back. */
const TIMES = ALL ? 3 : 2;

interface Answered {
  readonly id: string;
  readonly nth: number;
  readonly sent_at: number;
  readonly at: number;
}

await onEachStore((findStore) => {
  it('any moment under load holds what was answered by then, and nothing later', async () => {
    const cwd = ownFolder();
    const env = await findStore();
    const { account, secret } = await makeAccount(cwd, env);
    const service = await startProcess({ cwd, env });
    const folder = join(cwd, 'moments');
    mkdirSync(folder);
    const answered: Answered[] = [];
    let stop = false;
    const writer = async (who: number): Promise<void> => {
      for (let nth = 1; !stop; nth++) {
        const sent_at = Date.now();
        const { status, text } = await call(service.url, secret, '/v1/locations/upsert', {
          ...{ account_unique_identifier: account, external_identifier: `w${who}-${nth % 7}` },
          location_name: `Chapel ${nth}`,
        });
        assert.equal(status, 200, text);
        const { unique_identifier: id } = JSON.parse(text);
        answered.push({ id, nth, sent_at, at: Date.now() });
      }
    };
    const writers = [1, 2, 3].map(writer);
    await until(() => answered.length >= 30);
    for (let count = 0; count < TIMES; count++) {
      const before = readdirSync(folder).length;
      const words = ['backup', '--follow', folder, '--every', '1s'];
      const follower = start(words, { cwd, env }, { stdio: 'ignore' });
      await until(() => readdirSync(folder).length >= before + 3);
      await pause(Math.random() * 1_000);
      follower.kill('SIGKILL');
      await once(follower, 'exit');
    }
    stop = true;
    await Promise.all(writers);

    const [first] = readFollowed(folder);
    const began = Math.max(Number(answered[29]?.at) + 2_000, Number(first?.moment) + 1);
    const last = Number(answered.at(-1)?.at);
    for (let count = 0; count < TIMES; count++) {
      const at = new Date(began + Math.random() * (last - began));
      const other = ownFolder();
      const words = ['restore', folder, '--at', at.toISOString()];
      const { taken_at, file } = await programIn(other).json<Record<string, string>>(...words);
      const moment = Date.parse(String(taken_at));
      const shown = readFollowed(folder).findLast((one) => one.moment <= at.getTime());
      assert.deepEqual([moment, file], [shown?.moment, shown?.name]);
      const restored = await startProcess({ cwd: other });
      for (const id of new Set(answered.map((one) => one.id))) {
        const all = answered.filter((one) => one.id === id);
        const due = all.findLast((one) => one.at < moment - APART_MS);
        const most = all.findLast((one) => one.sent_at <= moment);
        const { status, text } = await call(restored.url, secret, `/v1/locations/${id}`);
        if (status === 404) {
          assert.equal(due, undefined);
          continue;
        }
        const nth = Number(JSON.parse(text).location_name.slice('Chapel '.length));
        assert.ok(nth >= (due?.nth ?? 0), `${nth} at ${taken_at}, and ${due?.nth} was answered`);
        assert.ok(nth <= (most?.nth ?? 0), `${nth} at ${taken_at}, and ${most?.nth} was sent`);
      }
      await restored.stop();
    }
    const at = new Date(began).toISOString();
    const checking = ['restore', folder, '--check', '--at', at];
    const stdout = await programIn(ownFolder()).ok(...checking);
    assert.match(stdout, /The backup is whole/);
    const shown = readFollowed(folder).findLast((one) => one.moment <= began);
    const moment = new Date(Number(shown?.moment)).toISOString();
    assert.ok(stdout.includes(`as they stood at ${moment}, by ${shown?.name}.`), stdout);
  });
});

it('--at, --every and --follow say what they are for', async () => {
  const { cwd } = await withAccount();
  await programIn(cwd).json('backup', 'b');
  mkdirSync(join(cwd, 'empty'));
  for (const [words, told] of [
    [
      ['restore', 'b', '--at', '1h'],
      /--at works only with a folder that BACKUP_TO or "backup --follow" writes to/,
    ],
    [['restore', 'empty', '--at', '1h'], /No backup in empty goes back to 20/],
    [['restore', 'empty', '--at', 'noon'], /--at must be a duration such as 1h/],
    [['backup', 'b2', '--every', '5s'], /--every works only with --follow/],
    [['backup', 'b2', '--follow', '--every', '1'], /--every must be a duration/],
    [['backup', 'b2', '--follow', '--keep', '7d,4w'], /--keep with --follow must be a duration/],
    [['backup', 'b', '--follow'], /The folder b does not exist and cannot be created/],
    [['backup', '-', '--follow'], /--follow writes to a folder/],
  ] as const) {
    assert.match(await programIn(cwd).fails(...words), told);
  }
});
