/** A service whose clock is ahead removes nothing for its age, says so, and leaves nothing behind that holds up the next one. */
// needs: --all, program
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { onEachStore } from '../support/cli-postgres.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeLocation, withAccount } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';
import { ahead, skip } from '../support/other-day.ts';
import { withinOneDay } from '../support/same-day.ts';
import { until } from '../support/until.ts';

const DAY = 86_400_000;

await onEachStore((findStore) => {
  it('a clock that is ahead at the start removes nothing', { skip }, async () => {
    const env = await findStore();
    const { cwd, account, secret, json } = await withAccount(env);
    let service = await startProcess({ cwd, env });
    for (const nth of [1, 2, 3]) await makeLocation(service.url, secret, account, `${nth}`);
    const good = await examine(cwd, env);
    assert.equal(good.findings.find(({ check }) => check === 'clock')?.state, 'good');
    await service.stop();

    const wrong = { ...env, ...ahead(800 * DAY) };
    service = await startProcess({ cwd, env: wrong });
    await service.printed(/"level":50,.*"days":800,"msg":"the clock is ahead/);
    // Every sweep looks at once when a service starts, and the search index some seconds later.
    const added = { account_unique_identifier: account, external_identifier: 'later' };
    const upsert = { ...added, location_name: 'Lighthouse' };
    await call(service.url, secret, '/v1/locations/upsert', upsert);
    await until(async () => {
      const { text } = await call(service.url, secret, '/v1/search?q=lighthouse');
      return text.includes('"later"');
    });
    const { text } = await call(service.url, secret, `/v1/changes?account=${account}`);
    const { data } = JSON.parse(text) as { data: readonly unknown[] };
    assert.equal(data.length, 5, text);
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
    const written = (day: string) => until(() => existsSync(folder) && datesIn().includes(day));
    const datesIn = () => readdirSync(folder).map((name) => name.match(/-(\d{8})T/)?.[1]);
    const dayIn = (ms: number) =>
      new Date(Date.now() + ms).toISOString().slice(0, 10).replaceAll('-', '');
    for (const days of [1, 365]) {
      await withinOneDay();
      const wrong = await startProcess({ cwd, env: { ...following, ...ahead(days * DAY) } });
      await makeLocation(wrong.url, secret, account, `ahead ${days}`);
      await written(dayIn(days * DAY));
      await wrong.stop('SIGKILL');

      const right = await startProcess({ cwd, env: following });
      await makeLocation(right.url, secret, account, `right ${days}`);
      await written(dayIn(0));
      await right.stop();
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    }
  });
});
