/** A service that starts with a clock that is years ahead removes nothing for its age, and says so. */
// needs: --all, program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { onEachStore } from '../support/cli-postgres.ts';
import { isThere } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeLocation, withAccount } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const skip = !isThere('faketime') && 'there is no faketime on this machine';

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
});
