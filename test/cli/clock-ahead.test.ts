/** A service whose clock is ahead removes nothing for its age, says so, and leaves nothing behind that holds up the next one. */
// needs: --all, program
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { onEachStore } from '../support/cli-postgres.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeLocation, withAccount } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';
import { withinOneDay } from '../support/same-day.ts';
import { until } from '../support/until.ts';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const skip = !existsSync(LIBRARY) && 'there is no libfaketime on this machine';

await onEachStore((findStore) => {
  it('a clock that is ahead at the start removes nothing', { skip }, async () => {
    const env = await findStore();
    const { cwd, account, secret, json } = await withAccount(env);
    let service = await startProcess({ cwd, env });
    for (const nth of [1, 2, 3]) await makeLocation(service.url, secret, account, `${nth}`);
    const good = await examine(cwd, env);
    assert.equal(good.findings.find(({ check }) => check === 'clock')?.state, 'good');
    await service.stop();

    const wrong = { ...env, LD_PRELOAD: LIBRARY, FAKETIME: '+800d' };
    service = await startProcess({ cwd, env: wrong });
    await service.printed(/"level":50,.*"days":800,"msg":"the clock is ahead/);
    // Every sweep looks at once when a service starts.
    await pause(2_000);
    const { text } = await call(service.url, secret, `/v1/changes?account=${account}`);
    const { data } = JSON.parse(text) as { data: readonly unknown[] };
    assert.equal(data.length, 4, text);
    await service.stop();

    const { findings } = await examine(cwd, wrong);
    const clock = findings.find(({ check }) => check === 'clock');
    assert.equal(clock?.state, 'warning');
    assert.match(clock?.says ?? '', /Nothing is removed for its age/);
    assert.equal((await json<object[]>('accounts', 'list')).length, 1);
  });

  it('a folder that was followed as the power failed, with a clock that was ahead, is followed again', {
    skip,
  }, async () => {
    const env = await findStore();
    const { cwd, account, secret } = await withAccount(env);
    const folder = join(cwd, 'moments');
    const following = { ...env, BACKUP_TO: folder, BACKUP_EVERY: '1s' };
    const days = () => readdirSync(folder).map((name) => name.match(/-(\d{8})T/)?.[1]);
    const written = (day: string) => until(() => existsSync(folder) && days().includes(day));
    const dayIn = (ms: number) =>
      new Date(Date.now() + ms).toISOString().slice(0, 10).replaceAll('-', '');
    for (const ahead of [1, 365]) {
      await withinOneDay();
      const faked = { LD_PRELOAD: LIBRARY, FAKETIME: `+${ahead}d`, DONT_FAKE_MONOTONIC: '1' };
      const wrong = await startProcess({ cwd, env: { ...following, ...faked } });
      await makeLocation(wrong.url, secret, account, `ahead ${ahead}`);
      await written(dayIn(ahead * 86_400_000));
      await wrong.stop('SIGKILL');

      const right = await startProcess({ cwd, env: following });
      await makeLocation(right.url, secret, account, `right ${ahead}`);
      await written(dayIn(0));
      await right.stop();
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    }
  });
});
