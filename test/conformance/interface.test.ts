/** The interface answers on PostgreSQL what it answers on SQLite: all of its tests hold there, too. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { finish } from '../support/cli-program.ts';
import { NEWEST } from '../support/postgres-programs.ts';
import { onPostgres } from '../support/store-postgres.ts';

const FOLDERS = ['api', 'client'];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(import.meta.dirname, '..', folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`),
);

await onPostgres(
  ({ name, url }) => {
    describe(`On ${name}`, { concurrency: 2 }, () => {
      for (const file of files) {
        it(`every test of ${file} holds`, async ({ signal }) => {
          // Without the context of this run, the file reports to us, in words.
          const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
          const env = { ...environment, TEST_STORE: 'postgres', TEST_DATABASE_URL: url };
          const child = spawn(process.execPath, [join(import.meta.dirname, '..', file)], {
            env,
            signal,
          });
          const { code, stdout, stderr } = await finish(child);
          assert.equal(code, 0, stdout + stderr);
        });
      }
    });
  },
  [NEWEST],
);
