/** The statements of the books of features, by the names of their folders. */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BookStatement } from '../../src/store/books/tables.ts';

const FOLDER = join(import.meta.dirname, '../../src/features');

export const featureStatements: readonly (readonly [
  feature: string,
  sql: Readonly<Record<string, BookStatement>>,
])[] = await Promise.all(
  globSync('*/store.ts', { cwd: FOLDER })
    .sort()
    .map(async (file) => [dirname(file), (await import(join(FOLDER, file))).sql]),
);
