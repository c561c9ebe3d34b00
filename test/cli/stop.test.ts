/** A service that is told to stop answers what it has begun to read, commits it, and exits with 0. */
// needs: program

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { withAll } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { connect } from '../support/cli-request.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { withAccount } from '../support/cli-setup.ts';
import { until } from '../support/until.ts';

const PATH = '/v1/locations/upsert';
/** For so long it would wait for a request that does not arrive. */
const WAITING_MS = 6_000;
async function setUp() {
  const { cwd, account, secret } = await withAccount();
  const service = await startProcess({ cwd });
  const connections = connect(service.url, secret, 32);
  whenOver(() => connections.close());
  const location = (external_identifier: string) => ({
    account_unique_identifier: account,
    external_identifier,
    location_name: 'Main Street Chapel',
  });
  return { cwd, secret, service, connections, location };
}

/** Waits until no new connection is accepted. */
async function untilRefused(url: string): Promise<void> {
  for (;;) {
    try {
      await fetch(`${url}/healthz`, { headers: { Connection: 'close' } });
    } catch {
      return;
    }
    await pause(10);
  }
}

describe('stopping', { concurrency: 4 }, () => {
  for (const [signal, ring] of [
    ['SIGTERM', {}],
    ['SIGINT', withAll],
  ] as const) {
    it(`${signal}: every request whose head was read is answered and kept`, ring, async () => {
      const { cwd, secret, service, connections, location } = await setUp();
      const bodies = Array.from({ length: 10 }, (_, index) => location(`in-flight-${index}`));
      const begun = await Promise.all(bodies.map((body) => connections.begin(PATH, body)));
      const end = service.stop(signal);
      await untilRefused(service.url);
      for (const answer of await Promise.all(begun.map((one) => one.finish()))) {
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.connection, 'close');
      }
      const { code, stdout, stderr } = await end;
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, new RegExp(`"signal":"${signal}","msg":"stopping"[^]*"msg":"stopped"`));

      const again = await startProcess({ cwd });
      for (const body of bodies) {
        assert.equal((await call(again.url, secret, PATH, body)).outcome, 'unchanged');
      }
    });
  }

  it('a request that does not arrive whole is refused in the end, and was not done', async () => {
    const { cwd, secret, service, connections, location } = await setUp();
    const begun = await connections.begin(PATH, location('slow'));
    const arrived = await connections.begin(PATH, location('arrived'));
    const end = service.stop('SIGTERM');
    assert.equal((await arrived.finish()).status, 200);
    const answer = await begun.answer;
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '1']);
    assert.equal((await end).code, 0);
    const again = await startProcess({ cwd });
    assert.equal((await call(again.url, secret, PATH, location('slow'))).outcome, 'created');
  });

  it('an idle connection gets a short grace, and then Connection: close', async () => {
    const { service, connections, location } = await setUp();
    const before = await connections.upsert(PATH, location('before'));
    assert.notEqual(before.headers.connection, 'close');
    const end = service.stop();
    // The signal arrives in its own time; the grace is half a second from then.
    for (let isLast = false; !isLast; ) {
      const after = await connections.upsert(PATH, location('after'));
      assert.equal(after.status, 200);
      isLast = after.headers.connection === 'close';
    }
    assert.equal((await end).code, 0);
  });

  it('idle connections do not keep it from ending', async () => {
    const { service, connections, location } = await setUp();
    await connections.upsert(PATH, location('before'));
    const signalled = performance.now();
    assert.equal((await service.stop()).code, 0);
    assert.ok(performance.now() - signalled < WAITING_MS, 'it did not wait for them');
  });

  it('a second signal ends it at once', async () => {
    const { service, connections, location } = await setUp();
    await connections.begin(PATH, location('never-finished'));
    void service.stop();
    await untilRefused(service.url);
    assert.equal(service.process.exitCode, null, 'it waits for the request');
    const signalled = performance.now();
    assert.equal((await service.stop()).signal, 'SIGTERM');
    assert.ok(performance.now() - signalled < WAITING_MS, 'it did not wait any longer');
  });

  it('of one Ctrl-C, the SIGINT that npm passes on once more changes nothing', async () => {
    const { service, connections, location } = await setUp();
    const begun = await connections.begin(PATH, location('in-flight'));
    service.process.kill('SIGINT');
    const end = service.stop('SIGINT');
    await service.printed(/"msg":"stopping"/);
    assert.equal((await begun.finish()).status, 200);
    assert.equal((await end).code, 0);
  });

  it('under load, what is answered is kept and what is not answered was not done', async () => {
    const { cwd, secret, service, connections, location } = await setUp();
    const answered: string[] = [];
    const unanswered: string[] = [];
    const send = async (worker: number): Promise<void> => {
      for (let count = 0; ; count++) {
        const name = `load-${worker}-${count}`;
        try {
          assert.equal((await connections.upsert(PATH, location(name))).status, 200);
          answered.push(name);
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          unanswered.push(name);
          return;
        }
      }
    };
    const load = Promise.all(Array.from({ length: 16 }, (_, worker) => send(worker)));
    await until(() => answered.length >= 50);
    assert.equal((await service.stop()).code, 0);
    await load;
    assert.ok(unanswered.length > 0);

    const again = await startProcess({ cwd });
    const outcomeOf = async (name: string) =>
      (await call(again.url, secret, PATH, location(name))).outcome;
    for (const name of answered) assert.equal(await outcomeOf(name), 'unchanged', name);
    for (const name of unanswered) assert.equal(await outcomeOf(name), 'created', name);
  });
});
