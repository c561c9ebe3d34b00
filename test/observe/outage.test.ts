/** An outage is one plain line of the log, and a slow request says where its time went. */
// needs: --all, program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sharedDatabase } from '../support/cli-postgres.ts';
import { ownFolder } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { locationBody } from '../support/sent.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { onOwnPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly path?: string;
  readonly stages?: Record<string, number>;
  readonly query?: readonly string[];
}

/** What the log has beside the lines of requests, but for what is usual. */
function troubles(stdout: string): readonly Line[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Line).filter(({ level }) => level > 30);
}

it('a full disk is told once, in a sentence', async (t) => {
  const cwd = ownFolder();
  const disk = mountSmallDisk(cwd, 16);
  if (disk === undefined) return t.skip('only root can mount a disk of its own');
  let service: Awaited<ReturnType<typeof startProcess>> | undefined;
  let stdout = '';
  let refused = 0;
  try {
    const { account, secret } = await makeAccount(cwd);
    service = await startProcess({ cwd, env: { LOG_LEVEL: 'info' } });
    disk.fill();
    for (let count = 0; count < 40 && refused < 5; count++) {
      const body = locationBody(account, `place ${count}`, { location_name: 'x'.repeat(400) });
      const { status } = await call(service.url, secret, '/v1/locations/upsert', body);
      if (status === 503) refused += 1;
    }
    disk.makeRoom();
    ({ stdout } = await service.stop());
  } finally {
    await service?.stop('SIGKILL');
    disk.unmount();
  }
  assert.equal(refused, 5, 'the disk is full');
  const told = troubles(stdout).filter(({ reason }) => reason?.includes('the disk is full'));
  assert.deepEqual(
    told.map(({ level, msg }) => [level, msg]),
    [[40, 'not available: requests get 503']],
  );
  assert.doesNotMatch(stdout, /request failed|errcode/);
});

it('a balancer learns that no record fits on the disk, though a byte would', async (t) => {
  const cwd = ownFolder();
  const disk = mountSmallDisk(cwd, 24);
  if (disk === undefined) return t.skip('only root can mount a disk of its own');
  const { account, secret } = await makeAccount(cwd);
  const service = await startProcess({ cwd });
  try {
    const readiness = async (): Promise<number> => (await fetch(`${service.url}/readyz`)).status;
    assert.equal(await readiness(), 200);
    let count = 0;
    const write = async (): Promise<number> => {
      count += 1;
      const rows = Array.from({ length: 1_000 }, (_, row) =>
        locationBody(account, `place ${count} ${row}`, { location_name: 'x'.repeat(400) }),
      );
      return (await call(service.url, secret, '/v1/locations/upsert_many', rows)).status;
    };
    while (count < 200 && (await write()) !== 503);
    assert.ok(count < 200, 'the disk is full');
    // The store may make some room once more, by moving its log into the file.
    await until(async () => (await write()) === 503 && (await readiness()) === 503);
    disk.resize(32);
    await until(async () => (await readiness()) === 200);
  } finally {
    await service.stop('SIGKILL');
    disk.unmount();
  }
});

it('a slow request tells its stages and the names in its query, and no value', async () => {
  const cwd = ownFolder();
  const { account, secret } = await makeAccount(cwd);
  const service = await startProcess({ cwd, env: { LOG_LEVEL: 'info' } });
  const body = Buffer.from(JSON.stringify(locationBody(account, 'a', { location_name: 'A' })));
  const slowly = new ReadableStream({
    async start(controller) {
      controller.enqueue(body.subarray(0, 5));
      await pause(1_300);
      controller.enqueue(body.subarray(5));
      controller.close();
    },
  });
  const authorization = `Bearer ${secret}`;
  const slow = await fetch(`${service.url}/v1/locations/upsert?dry_run=true`, {
    ...{ method: 'POST', body: slowly, duplex: 'half' },
    headers: { authorization, 'content-type': 'application/json' },
  } as RequestInit);
  assert.equal(slow.status, 200, await slow.text());
  const wait = '/v1/changes?wait=2&after=&Jane=Doe';
  await fetch(service.url + wait, { headers: { authorization } });
  await fetch(`${service.url}/v1/locations?limit=3`, { headers: { authorization } });
  const { stdout } = await service.stop();
  const lines = stdout
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as Line);
  const [upsert] = lines.filter(({ path }) => path === '/v1/locations/upsert');
  assert.deepEqual(upsert?.query, ['dry_run']);
  assert.ok((upsert?.stages?.parse ?? -1) >= 0, JSON.stringify(upsert));
  const [list] = lines.filter(({ path }) => path === '/v1/locations');
  // Where the machine is busy, it may have been slow as well.
  const told = (list?.ms ?? 0) < 1_000 ? [undefined, undefined] : [list?.stages, ['limit']];
  assert.deepEqual([list?.stages, list?.query], told, 'it was fast');
  assert.ok(!stdout.includes('Jane') && !stdout.includes('Doe'));
});

await onOwnPostgres((server) => {
  it('a database that is down is told once, in a sentence', async () => {
    const { service, upsert } = await sharedDatabase(server.url);
    await server.halt();
    for (let count = 0; count < 5; count++) {
      assert.equal((await upsert(`down ${count}`)).status, 503);
      await fetch(`${service.url}/readyz`);
      await pause(400);
    }
    await server.start();
    const { stdout } = await service.stop();
    const told = troubles(stdout);
    assert.doesNotMatch(stdout, /"stack"|request failed/);
    const reasons = told.map(({ reason = '' }) => reason);
    assert.ok(told.length > 0 && new Set(reasons).size === told.length, stdout);
    for (const { level, msg, reason } of told) {
      assert.deepEqual([level, msg], [40, 'not available: requests get 503']);
      assert.match(reason ?? '', /^The store cannot be used now: /);
    }
  });
});
