/** A service that starts with a clock that is years ahead removes nothing for its age, and says so. */
// needs: --all, program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { withAll } from '../support/all.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { isThere, ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';
import { onPostgres } from '../support/store-postgres.ts';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const skip = !isThere('faketime') && 'there is no faketime on this machine';

type Env = Readonly<Record<string, string>>;

function promises(
  name: string,
  find: () => Promise<Env>,
  ring: { skip?: string | false } = {},
): void {
  it(`a clock that is ahead at the start removes nothing, on ${name}`, {
    skip: skip || ring.skip,
  }, async () => {
    const cwd = ownFolder();
    const env = await find();
    const { account, secret } = await makeAccount(cwd, env);
    let service = await startProcess({ cwd, env });
    for (const nth of [1, 2, 3]) await makeLocation(service.url, secret, account, `${nth}`);
    const { json } = programIn(cwd, env);
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
}

promises('SQLite', async () => ({}));

await onPostgres(({ name, url }) => {
  promises(name, async () => (await emptyDatabase(url)).env, withAll);
});
