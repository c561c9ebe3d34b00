/** `doctor` looks at the settings of a PostgreSQL server, and says which of them lose records. */
// needs: program
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask } from '../support/ask.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { examine } from '../support/examine.ts';
import { pluck } from '../support/pluck.ts';
import { onOwnPostgres } from '../support/store-postgres.ts';

await onOwnPostgres((server) => {
  describe('doctor on PostgreSQL', () => {
    it('looks at the settings of the server', async () => {
      const cwd = ownFolder();
      const { env } = await emptyDatabase(server.url);
      const nothing = await examine(cwd, env);
      assert.match(nothing.wrong[0]?.says ?? '', /^There is no Ledgerstone store at /);
      await makeAccount(cwd, env);
      const set = async (value: 'on' | 'off'): Promise<void> => {
        const names = ['full_page_writes', 'autovacuum', 'synchronous_commit'];
        await ask(
          server.url,
          ...names.map((name) => `ALTER SYSTEM SET ${name} = ${value}`),
          "ALTER SYSTEM SET max_wal_size = '8GB'",
          `ALTER SYSTEM SET log_min_duration_statement = ${value === 'off' ? '250' : '-1'}`,
          'SELECT pg_reload_conf(), pg_sleep(0.5)',
        );
      };
      await set('on');
      const { json } = programIn(cwd, env);
      await json('backup', 'store.backup');
      await json('restore', 'store.backup', '--check');
      const { ok, wrong, findings } = await examine(cwd, env);
      assert.deepEqual([ok, wrong], [true, []]);
      assert.match(findings.find(({ check }) => check === 'server')?.says ?? '', /^PostgreSQL 1\d/);
      await set('off');
      const off = await examine(cwd, env);
      assert.deepEqual(pluck(off.wrong, 'check', 'state'), [
        ['full_page_writes', 'bad'],
        // Behind a pooler the database itself says it, as the guide wants.
        ...(process.env.TEST_POOLER === undefined ? [['synchronous_commit', 'warning']] : []),
        ['autovacuum', 'bad'],
        ['server_log', 'warning'],
      ]);
      assert.match(off.wrong.at(-1)?.says ?? '', /log_min_duration_statement is 250\. Set log_p/);
      await set('on');
      await server.halt();
      const gone = await examine(cwd, env);
      assert.deepEqual(pluck(gone.wrong, 'check', 'state'), [['store', 'bad']]);
      await server.start();
    });
  });
});
