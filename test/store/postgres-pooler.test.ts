/** What a PgBouncer refuses is told so that an operator knows what to change. Real ones are asked where `TEST_POOLER` names one. */
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { StoreUnusable } from '../../src/store/store.ts';
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
    it(`that says "${said}" tells that ${told}`, async (test) => {
      const port = await pooler(test, said);
      const url = `postgres://someone:hunter2@127.0.0.1:${port}/ledgerstone`;
      await assert.rejects(openStore({ url, shapes, create: false, serve: false }), (error) => {
        assert.ok(error instanceof StoreUnusable, String(error));
        assert.equal(
          error.message,
          `The store at postgres://127.0.0.1:${port}/ledgerstone cannot be opened: ${told}.`,
        );
        return true;
      });
    });
  }
});

describe('A server whose sessions are exchanged beneath prepared statements', () => {
  for (const state of ['26000', '42P05']) {
    it(`gives ${state}, and that is told as what to change of the pooler`, async (test) => {
      const port = await pooler(test, 'prepared statement', state);
      const url = `postgres://someone:hunter2@127.0.0.1:${port}/ledgerstone`;
      await assert.rejects(openStore({ url, shapes, create: false, serve: false }), (error) => {
        assert.ok(error instanceof StoreUnusable, String(error));
        assert.match(error.message, /does not keep prepared statements: use PgBouncer 1\.21 or/);
        return true;
      });
    });
  }
});

/** Answers whoever begins to speak with that error, in the bytes that PgBouncer sends. */
async function pooler(test: TestContext, words: string, state = '08P01'): Promise<number> {
  const fields = Buffer.from(`SFATAL\0C${state}\0M${words}\0\0`);
  const head = Buffer.from('E....');
  head.writeInt32BE(fields.length + 4, 1);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([head, fields])));
  });
  test.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
