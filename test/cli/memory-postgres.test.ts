/** The same on PostgreSQL: import, export, backup and restore take less than 200 MiB. */
// needs: --all, alone, program
import { it } from 'node:test';
import { ALL } from '../support/all.ts';
import { carry, skip } from '../support/carried.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { onPostgres } from '../support/store-postgres.ts';

/** Rows are slower there, and what the command takes does not depend on the server. */
const ROWS = ALL ? 60_000 : 2_000;
const SHARED = ALL ? 1_000_000 : 8_000;

await onPostgres(({ name, url }) => {
  it(`${ROWS} rows in ${name}`, { skip, timeout: 900_000 }, async (t) => {
    const { env } = await emptyDatabase(url);
    const { env: other } = await emptyDatabase(url);
    await carry(t, { rows: ROWS, shared: SHARED }, { ...env }, { ...other });
  });
});
