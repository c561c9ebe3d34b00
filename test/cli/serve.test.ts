/** Services start where they are told, and stop when they are told. */
// needs: program
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { withAll } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { connect } from '../support/cli-request.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation, withAccount } from '../support/cli-setup.ts';
import { until } from '../support/until.ts';

describe('serve', () => {
  it('makes a store that only its owner can read, and answers', async () => {
    const cwd = ownFolder();
    const { url } = await startProcess({ cwd });
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.equal((await call(url, (await makeAccount(cwd)).secret, '/v1/accounts')).status, 200);
    const data = join(cwd, 'data');
    assert.equal(statSync(data).mode & 0o777, 0o700);
    for (const name of ['', '-wal', '-shm', '.serving']) {
      assert.equal(statSync(join(data, `ledgerstone.db${name}`)).mode & 0o777, 0o600, name);
    }
  });

  it('--existing starts only where there is a store', async () => {
    const cwd = ownFolder();
    const { ok, fails } = programIn(cwd);
    const none = /^ledgerstone: There is no Ledgerstone store at .*ledgerstone\.db: .*\n$/;
    assert.match(await fails('serve', '--existing', '--port', '0'), none);
    const required = programIn(cwd, { REQUIRE_STORE: 'true' });
    assert.match(await required.fails('serve', '--port', '0'), none);
    assert.ok(!existsSync(join(cwd, 'data')), 'nothing was made');
    await ok('migrate');
    const service = await startProcess({ cwd, words: ['serve', '--existing'] });
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    assert.doesNotMatch((await service.stop()).stdout, /created a new one/);
  });

  it('answers 503 while its file is gone, tells the operator, and goes on when it is back', async () => {
    const { cwd, secret, account } = await withAccount();
    const { url, printed, stop } = await startProcess({ cwd });
    const location = await makeLocation(url, secret, account);
    const path = join(cwd, 'data', 'ledgerstone.db');
    const own = { account_unique_identifier: account, external_identifier: 'main-street' };
    const body = { ...own, location_name: 'Main Street Chapel' };
    const write = () => call(url, secret, '/v1/locations/upsert', body);
    const read = () => call(url, secret, `/v1/locations/${location}`);
    assert.deepEqual([(await write()).status, (await read()).status], [200, 200]);

    renameSync(path, `${path}.moved`);
    const moved = performance.now();
    // A write may be answered 200 for five milliseconds after that.
    await until(() => performance.now() - moved > 10);
    assert.equal((await write()).status, 503);
    await printed(/a file of the store was moved, removed or replaced/);
    assert.match(await printed(/"file":/), /"level":50,[^\n]*"file":"[^"]*ledgerstone\.db"/);
    const second = await write();
    assert.deepEqual([second.status, (await read()).status], [503, 503]);
    assert.match(second.text, /Nothing was/);
    assert.equal((await fetch(`${url}/readyz`)).status, 503);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);

    renameSync(`${path}.moved`, path);
    await printed(/the files of the store are back/);
    assert.deepEqual([(await write()).status, (await read()).status], [200, 200]);
    assert.equal((await stop()).code, 0);
  });

  it('a second serve on the same file is refused, the first goes on', async () => {
    const cwd = ownFolder();
    const { url } = await startProcess({ cwd });
    await programIn(cwd).mistakes('serve --port', [
      ['0', /The store at .*ledgerstone\.db is being served by another process: /],
    ]);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
  });

  it('a port in use and an address of another machine are one line each', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    whenOver(() => taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    await programIn(ownFolder()).mistakes('serve --port', [
      [String(port), new RegExp(`Port ${port} on 127.0.0.1 is already in use. .* --port, `)],
      ['0 --host 192.0.2.1', /: 192\.0\.2\.1 is not an address of this machine\. .* --host\.\n$/],
    ]);
  });

  it('a file that is no store is told so and left as it is', async () => {
    const cwd = ownFolder();
    const { fails } = programIn(cwd);
    const text = join(cwd, 'notes.txt');
    writeFileSync(text, 'No database at all. '.repeat(1000));
    const foreign = join(cwd, 'foreign.db');
    const database = new DatabaseSync(foreign);
    database.exec('CREATE TABLE theirs (x)');
    database.close();
    for (const file of [text, foreign]) {
      const before = readFileSync(file);
      for (const words of [
        ['serve', '--port', '0'],
        ['accounts', 'list'],
      ]) {
        const wrong = await fails(...words, '--database-url', `sqlite:${file}`);
        assert.match(wrong, /^ledgerstone: [^\n]+ not a Ledgerstone store[^\n]+\n$/);
      }
      assert.ok(readFileSync(file).equals(before));
      assert.ok(!existsSync(`${file}-wal`) && !existsSync(`${file}.serving`), 'nothing beside it');
    }
  });

  it('a store of a newer version, or of none, is left as it is', async () => {
    const cwd = ownFolder();
    const { run, fails } = programIn(cwd);
    await run('migrate');
    const file = join(cwd, 'data', 'ledgerstone.db');
    for (const [version, says] of [
      [1002003, /^ledgerstone: The store at .* was migrated by Ledgerstone 1\.2\.3, .*\n$/],
      [1, /^ledgerstone: The store at .* was made by a build before 1\.0\.0, .*\n$/],
    ] as const) {
      const database = new DatabaseSync(file);
      database.exec(`PRAGMA user_version = ${version}`);
      database.close();
      const before = readFileSync(file);
      assert.match(await fails('serve', '--port', '0'), says);
      assert.ok(readFileSync(file).equals(before));
    }
  });

  it('a folder that cannot be written is one line', {
    skip: process.getuid?.() === 0 && 'root writes everywhere',
  }, async () => {
    const cwd = ownFolder();
    mkdirSync(join(cwd, 'data'));
    chmodSync(join(cwd, 'data'), 0o500);
    const wrong = await programIn(cwd).fails('serve', '--port', '0');
    assert.match(wrong, /^ledgerstone: No store can be made at [^\n]+\n$/);
  });

  it('a folder in the way of the store is one line', async () => {
    const cwd = ownFolder();
    const wrong = await programIn(cwd).fails('serve', '--database-url', `sqlite:${cwd}`);
    assert.match(wrong, /^ledgerstone: .* is a folder: [^\n]+\n$/);
  });
});

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
function untilRefused(url: string): Promise<void> {
  const asked = () => fetch(`${url}/healthz`, { headers: { Connection: 'close' } });
  return until(() =>
    asked().then(
      () => false,
      () => true,
    ),
  );
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
