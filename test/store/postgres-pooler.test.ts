/** What a PgBouncer refuses is told so that an operator knows what to change. Real ones are asked where `TEST_POOLER` names one. */
// needs: program

import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { StoreUnusable } from '../../src/store/promises/store.ts';
import { ask } from '../support/ask.ts';
import { whenOver } from '../support/at-end.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';
import { keepsPrepared, type Pooling, startPooler } from '../support/pooler.ts';
import { NEWEST } from '../support/postgres-programs.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { shapes } from '../support/store-shapes.ts';

/** Each as PgBouncer 1.25 says it. */
const SAID = [
  ['SASL authentication failed', 'the server refuses this user or password'],
  ['"trust" authentication failed', 'the server refuses this user or password'],
  ['no such user', 'the server refuses this user or password'],
  ['no such database: ledgerstone', 'there is no such database'],
  ['no more connections allowed (max_client_conn)', 'the server has too many connections'],
  [
    'client connections exceeded (max_user_client_connections)',
    'the server has too many connections',
  ],
  [
    'unsupported startup parameter: statement_timeout',
    'the connection failed (the pooler says: unsupported startup parameter: statement_timeout)',
  ],
  [
    'server login has been failing, cached error: connect failed (server_login_retry)',
    'the connection failed (the pooler says: server login has been failing, cached error: connect failed (server_login_retry))',
  ],
] as const;

describe('A PostgreSQL store behind a PgBouncer', () => {
  for (const [said, told] of SAID) {
    it(`that says "${said}" tells that ${told}`, async () => {
      const port = await pooler(said);
      const url = `postgres://someone:hunter2@127.0.0.1:${port}/ledgerstone`;
      const place = `postgres://127.0.0.1:${port}/ledgerstone`;
      await assert.rejects(
        openStore({ url, shapes, create: false, serve: false }),
        new StoreUnusable(`The store at ${place} cannot be opened: ${told}.`),
      );
    });
  }
});

describe('A server whose sessions are exchanged beneath prepared statements', () => {
  for (const state of ['26000', '42P05']) {
    it(`gives ${state}, and that is told as what to change of the pooler`, async () => {
      const port = await pooler('prepared statement', state);
      const url = `postgres://someone:hunter2@127.0.0.1:${port}/ledgerstone`;
      await assert.rejects(
        openStore({ url, shapes, create: false, serve: false }),
        /^StoreUnusable: .*does not keep prepared statements: use PgBouncer 1\.21 or/,
      );
    });
  }
});

await onPostgres(
  ({ name, url: server }) => {
    const program = process.env.TEST_POOLER;
    const skip = program === undefined && 'TEST_POOLER names no PgBouncer. No package brings one.';
    describe(`A PgBouncer before ${name}`, { skip }, () => {
      it('that keeps no prepared statements is found before the service listens, and by doctor', async () => {
        const { direct, pooled } = await database(server, { mode: 'transaction', prepared: 0 });
        const cwd = ownFolder();
        const refused = /does not keep prepared statements: use PgBouncer 1\.21 or later/;
        const start = await programIn(cwd, pooled).run('serve', '--port', '0');
        assert.equal(start.code, 1, start.stderr);
        assert.match(start.stderr, refused);
        const tables = "SELECT FROM information_schema.tables WHERE table_schema = 'public'";
        assert.deepEqual(await ask(direct, tables), []);
        await makeAccount(cwd, { DATABASE_URL: direct });
        for (let time = 0; time < 2; time++) {
          const again = await programIn(cwd, pooled).run('serve', '--port', '0');
          assert.match(again.stderr, refused);
        }
        const { ok, wrong } = await examine(cwd, pooled);
        assert.equal(ok, false);
        assert.match(wrong.find(({ check }) => check === 'store')?.says ?? '', refused);
      });

      it('whose sessions are its clients’ own serves', async () => {
        const { pooled } = await database(server, { mode: 'session', prepared: 0 });
        await served(pooled);
      });

      it('that keeps prepared statements serves', {
        skip: program !== undefined && !keepsPrepared(program) && 'This PgBouncer keeps none.',
      }, async () => {
        const { pooled } = await database(server, { mode: 'transaction', prepared: 200 });
        await served(pooled);
      });
    });
  },
  [NEWEST],
);

async function served(env: Readonly<Record<string, string>>): Promise<void> {
  const cwd = ownFolder();
  const service = await startProcess({ cwd, env });
  const { secret, account } = await makeAccount(cwd, env);
  await makeLocation(service.url, secret, account);
  const { findings } = await examine(cwd, env);
  assert.ok(!findings.some(({ check }) => check === 'store'));
}

/** A new database on that server, and the way to it through a PgBouncer of its own. */
async function database(server: string, pooling: Pooling) {
  const name = `ledgerstone_test_${randomBytes(8).toString('hex')}`;
  await ask(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const pooler = await startPooler(process.env.TEST_POOLER ?? '', server, pooling);
  whenOver(async () => {
    await pooler.kill();
    await ask(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  const direct = Object.assign(new URL(server), { pathname: name });
  const through = Object.assign(new URL(direct), { host: `127.0.0.1:${pooler.port}` });
  return { direct: direct.href, pooled: { DATABASE_URL: through.href } };
}

/** Answers whoever begins to speak with that error, in the bytes that PgBouncer sends. */
async function pooler(words: string, state = '08P01'): Promise<number> {
  const fields = Buffer.from(`SFATAL\0C${state}\0M${words}\0\0`);
  const head = Buffer.from('E....');
  head.writeInt32BE(fields.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([head, fields])));
  });
  whenOver(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
