/** `serve --processes` is one service: whichever of its processes ends, stops, counts or is asked, callers see one. */
// needs: --ci, program, waits, long

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, connect as dial } from 'node:net';
import { describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { ARRANGEMENTS, arrangement, startLoad } from '../support/cli-load.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { LAUNCHER, ownFolder, programIn, run } from '../support/cli-program.ts';
import { connect } from '../support/cli-request.ts';
import { call, type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { secureClient } from '../support/https.ts';
import { childrenOf } from '../support/process-tree.ts';
import { countsOf, scrape } from '../support/scrape.ts';
import { shared } from '../support/shared.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

const PROCESSES = 2;
const CONNECTIONS = 12;
const SERVE = ['serve', '--processes', String(PROCESSES)];

interface Ground {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly account: string;
  readonly secret: string;
  readonly several: RunningService;
}

await onPostgres(({ name, url: server }) => {
  const setUp = async (...words: string[]): Promise<Ground> => {
    const cwd = ownFolder();
    const services: RunningService[] = [];
    const { env } = await emptyDatabase(server, services);
    const made = await makeAccount(cwd, env);
    const several = await startProcess({ cwd, env, words: [...SERVE, ...words] });
    services.push(several);
    return { ...made, cwd, env, several };
  };
  const withLocation = async (
    ...words: string[]
  ): Promise<Ground & { readonly location: string }> => {
    const ground = await setUp(...words);
    const { several, secret, account } = ground;
    return { ...ground, location: await makeLocation(several.url, secret, account) };
  };

  describe(`serve --processes over ${name}, which goes on`, () => {
    const going = shared(() => withLocation('--metrics-port', '0'));

    it('shows the figures of all in one scrape, also what those had counted that ended', async () => {
      const { several, secret } = await going();
      const printed = await several.printed(/"msg":"metrics"/);
      const [, address = ''] = /"address":"([^"]+\/metrics)"/.exec(printed) ?? [];
      const ask = async (): Promise<void> => {
        const answers = Array.from({ length: CONNECTIONS }, () =>
          fetch(`${several.url}/v1/accounts`, {
            headers: { Authorization: `Bearer ${secret}`, Connection: 'close' },
          }),
        );
        for (const answer of await Promise.all(answers)) await answer.text();
      };
      const counted = async (): Promise<number> =>
        countsOf(await scrape(address))['account ok 200'] ?? 0;
      await ask();
      await until(async () => (await counted()) === CONNECTIONS);
      const before = await scrape(address);
      assert.equal(before.value('ledgerstone_processes'), PROCESSES);
      assert.equal(before.value('ledgerstone_processes_ended_total'), 0);
      assert.equal(before.value('ledgerstone_ready'), 1);
      const [killed = 0] = workersOf(several);
      process.kill(killed, 'SIGKILL');
      await several.printed(/"process replaced"/);
      assert.equal(await counted(), CONNECTIONS);
      await ask();
      await until(async () => (await counted()) === 2 * CONNECTIONS);
      const after = await scrape(address);
      assert.equal(after.value('ledgerstone_processes'), PROCESSES);
      assert.equal(after.value('ledgerstone_processes_ended_total'), 1);
      const bytes = after.value('process_resident_memory_bytes') ?? 0;
      assert.ok(bytes > (PROCESSES + 1) * 30_000_000, `${bytes} is the memory of all`);
    });

    it('loses nothing that was answered when one is killed under load, and replaces it', async () => {
      const { several, secret, location } = await going();
      const { url } = several;
      const before = workersOf(several);
      assert.equal(before.length, PROCESSES);
      const load = startLoad({ url, secret, location, name: 'killed' });
      await load.reached(400);
      process.kill(before[0] ?? 0, 'SIGKILL');
      await load.reached(1_000);
      await several.printed(
        /(?:"how":"SIGKILL".*"msg":"a process ended.*"process replaced".*){2}/s,
      );
      const after = workersOf(several);
      assert.equal(after.length, PROCESSES);
      assert.equal(after.filter((pid) => before.includes(pid)).length, PROCESSES - 1);
      await load.wantKept(url, []);
    });

    it('closes a connection that a process had not taken when it was killed', async () => {
      const { several } = await going();
      const [frozen = 0] = workersOf(several);
      process.kill(frozen, 'SIGSTOP');
      const lines = Array.from({ length: CONNECTIONS }, () => ask(several.port));
      // Each process is handed one at a time.
      await until(() => lines.filter(({ is }) => is.answered).length === CONNECTIONS - 1);
      process.kill(frozen, 'SIGKILL');
      await until(() => lines.every(({ is }) => is.answered || is.closed));
      for (const { socket } of lines) socket.destroy();
    });

    it('lets a key send as often as it may through all of them together', async () => {
      const { several, cwd, env, account } = await going();
      const rate = 20;
      const { json } = programIn(cwd, env);
      const words = ['--account', account, '--requests-a-second', String(rate)];
      const { secret } = await json<{ secret: string }>('keys', 'create', ...words);
      let passed = 0;
      const began = performance.now();
      const seconds = (): number => (performance.now() - began) / 1_000;
      const send = async (): Promise<void> => {
        // More than each process could let through by itself in the time that all of them need for it.
        while (passed < 5 * rate) {
          const { status } = await call(several.url, secret, '/v1/accounts');
          if (status === 200) passed += 1;
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, send));
      const most = rate * (PROCESSES + seconds());
      assert.ok(passed <= most, `${passed} were let through, and ${most} may be`);
    });
  });

  describe(`serve --processes over ${name}`, () => {
    it('answers in all of them what has begun when it is told to stop', async () => {
      const { several, secret, location } = await withLocation();
      const pids = workersOf(several);
      const connections = connect(several.url, secret, CONNECTIONS);
      whenOver(() => connections.close());
      const names = Array.from({ length: CONNECTIONS }, (_, index) => `in flight ${index}`);
      const begun = await Promise.all(
        names.map((one) => connections.begin(ARRANGEMENTS, arrangement(location, one))),
      );
      const end = several.stop();
      await several.printed(/"msg":"stopping"/);
      for (const answer of await Promise.all(begun.map((one) => one.finish()))) {
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.connection, 'close');
      }
      const { code, stdout, stderr } = await end;
      assert.deepEqual([code, stderr], [0, '']);
      for (const msg of ['listening', 'stopping', 'stopped'])
        assert.equal(stdout.split(`"msg":"${msg}"`).length, 2, `${msg} is logged once`);
      for (const line of stdout.trimEnd().split('\n')) JSON.parse(line);
      assert.deepEqual(pids.filter(isRunning), []);
    });

    it('ends at once on a second signal', async () => {
      const { several, secret, location } = await withLocation();
      const pids = workersOf(several);
      const connections = connect(several.url, secret, 1);
      whenOver(() => connections.close());
      await connections.begin(ARRANGEMENTS, arrangement(location, 'half'));
      several.process.kill('SIGTERM');
      await several.printed(/"msg":"stopping"/);
      assert.equal((await several.stop()).signal, 'SIGTERM');
      await until(() => !pids.some(isRunning));
    });

    it('answers what has begun when the process that runs the others is killed', async () => {
      const { several, secret, location } = await withLocation();
      const pids = workersOf(several);
      const connections = connect(several.url, secret, 1);
      whenOver(() => connections.close());
      const begun = await connections.begin(ARRANGEMENTS, arrangement(location, 'half'));
      several.process.kill('SIGKILL');
      assert.equal((await begun.finish()).status, 200);
      await until(() => !pids.some(isRunning));
    });

    it('reads a new certificate in all of them on SIGHUP', async () => {
      const folder = ownFolder();
      writeCertificate(folder, makeCertificate('first'));
      const files = ['--tls-cert', `${folder}/cert.pem`, '--tls-key', `${folder}/key.pem`];
      const { several } = await setUp(...files);
      const { url } = several;
      const second = makeCertificate('second');
      writeCertificate(folder, second);
      several.process.kill('SIGHUP');
      const isSecond = async (): Promise<boolean> => {
        const client = secureClient(url, second.cert);
        try {
          return (await client.get('/readyz')).name === 'second';
        } catch {
          return false;
        } finally {
          client.close();
        }
      };
      const asked = Array.from({ length: CONNECTIONS });
      await until(async () => (await Promise.all(asked.map(isSecond))).every(Boolean));
      assert.equal((await several.stop()).code, 0);
    });

    it('that cannot listen says so once, and leaves no process', async () => {
      const taken = createServer().listen(0, '127.0.0.1');
      whenOver(() => taken.close());
      await once(taken, 'listening');
      const { port } = taken.address() as { port: number };
      const { env } = await emptyDatabase(server);
      const words = [...SERVE, '--port', String(port)];
      // Started for itself: the process that is there for commands starts no others like it.
      const where = { cwd: ownFolder(), env, program: LAUNCHER };
      const { code, stdout, stderr } = await run(words, where);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /^ledgerstone: Port \d+ on 127\.0\.0\.1 is already in use\.[^\n]+\n$/);
    });
  });
});

describe('serve --processes', () => {
  it('is refused on SQLite, which one process serves', async () => {
    const cwd = ownFolder();
    assert.match(
      await programIn(cwd).fails('serve', '--processes', '2'),
      /^ledgerstone: --processes must be 1 on SQLite, [^\n]+ DATABASE_URL [^\n]+\n$/,
    );
  });

  it('takes a number, or max for one a processor', async () => {
    const cwd = ownFolder();
    const processesOf = async (text: string): Promise<unknown> => {
      const words = ['config', '--json', '--database-url', 'postgres://a@b/c', '--processes', text];
      const { stdout } = await run(words, { cwd });
      const shown = JSON.parse(stdout) as { name: string; value: unknown }[];
      return shown.find((one) => one.name === 'processes')?.value;
    };
    assert.equal(await processesOf('4'), 4);
    assert.ok(Number(await processesOf('max')) >= 1);
    const { stderr } = await run(['config', '--processes', 'many'], { cwd });
    assert.match(
      stderr,
      /--processes must be a whole number from 1 to 128, or max; it is "many"\./,
    );
  });
});

function workersOf({ process: { pid = 0 } }: RunningService): readonly number[] {
  return childrenOf(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Asks on a connection of its own whether the service is there. */
function ask(port: number) {
  const socket = dial(port, '127.0.0.1');
  const is = { answered: false, closed: false };
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.on('data', () => {
    is.answered = true;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    is.closed = true;
  });
  return { socket, is };
}
