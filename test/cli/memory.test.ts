/** However many rows there are, import, export, backup and restore take less than 200 MiB. */
// needs: --all, alone, program
import { join } from 'node:path';
import { it } from 'node:test';
import { ALL } from '../support/all.ts';
import { carry, skip } from '../support/carried.ts';
import { ownFolder } from '../support/cli-program.ts';

/** Enough that whatever is kept of each row, or of what is read of the file, is more than that: many rows, or long ones. */
const ROWS = ALL ? 120_000 : 14_000;
const SHARED = ALL ? 1_000_000 : 40_000;

it(`${ROWS} rows in a SQLite file`, { skip, timeout: 900_000 }, async (t) => {
  const other = { DATABASE_URL: `sqlite:${join(ownFolder(), 'other.db')}` };
  await carry(t, { rows: ROWS, shared: SHARED }, {}, other);
});
