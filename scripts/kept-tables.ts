/** Tables that migrations leave for processes of the release before, as lines `-- until 1.2.0: one, other` in them say. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoreKind } from '../src/store/own-tables.ts';

const STORES = join(import.meta.dirname, '../src/store');

/** The migrations of a store, in order, with their texts. */
export function migrationTexts(
  store: StoreKind,
): readonly (readonly [file: string, text: string])[] {
  const folder = join(STORES, store, 'schema/migrations');
  return globSync('*.sql', { cwd: folder })
    .toSorted()
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
}

/** Each with its migration, and the release whose migration drops it. */
export const keptTables = (store: StoreKind) =>
  migrationTexts(store).flatMap(([file, text]) =>
    [...text.matchAll(/^-- until (\S+): (.+)$/gm)].flatMap(([, until = '', tables = '']) =>
      tables.split(', ').map((table) => ({ file, until, table })),
    ),
  );
