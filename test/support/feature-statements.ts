/** The statements of books: of features by the names of their folders, and of the house. */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { accountStatements } from '../../src/store/books/accounts.ts';
import { sql as backups } from '../../src/store/books/backups.ts';
import { timeStatements as times } from '../../src/store/books/books.ts';
import { sql as journal } from '../../src/store/books/erasing/journal.ts';
import { keeperStatements as keepers } from '../../src/store/books/erasing/keepers.ts';
import { sql as erasureNotes } from '../../src/store/books/erasing/notes.ts';
import {
  erasedStatements as erased,
  erasureStatements as erasures,
} from '../../src/store/books/erasures.ts';
import { sql as sources } from '../../src/store/books/feeds/sources.ts';
import { sql as syncDoubts } from '../../src/store/books/feeds/sync-doubts.ts';
import { sql as syncs } from '../../src/store/books/feeds/syncs.ts';
import { sql as locationSettings } from '../../src/store/books/location-settings.ts';
import { sql as audit } from '../../src/store/books/log/audit.ts';
import { sql as jobs } from '../../src/store/books/log/jobs.ts';
import { sql as requests } from '../../src/store/books/log/requests.ts';
import { keyStatements as keys } from '../../src/store/books/sql/key-sql.ts';
import { sql as staff } from '../../src/store/books/staff.ts';
import type { BookStatement } from '../../src/store/books/tables.ts';
import { owner } from './store-shapes.ts';

const FOLDER = join(import.meta.dirname, '../../src/features');

export const featureStatements: readonly (readonly [
  feature: string,
  sql: Readonly<Record<string, BookStatement>>,
])[] = await Promise.all(
  globSync('*/store.ts', { cwd: FOLDER })
    .sort()
    .map(async (file) => [dirname(file), (await import(join(FOLDER, file))).sql]),
);

/** Those of all books. */
export const bookStatements = Object.entries({
  ...{ accounts: accountStatements(owner), backups, times, journal, keepers, erasureNotes, erased },
  ...{ erasures, sources, syncs, syncDoubts, locationSettings, audit, jobs, requests, keys, staff },
  ...Object.fromEntries(featureStatements),
});
