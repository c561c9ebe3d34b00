/** Files as people have them, and imports of them into a store. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { ImportCounts, ImportRun } from '../../src/core/objects/transfer/import-run.ts';
import { resources } from '../../src/core/registry.ts';
import { importerOf } from '../../src/records/auth/principal.ts';
import type { Many } from '../../src/records/ingest/many/many.ts';
import { type ImportOptions, planImport } from '../../src/services/import/plan.ts';
import {
  type Importing as HowImported,
  type ImportResult,
  importFiles,
  manyOf,
} from '../../src/services/import/run.ts';
import { OPTIONS } from '../../src/services/import/words.ts';
import type { Store } from '../../src/store/promises/store.ts';

export interface Importing extends Partial<ImportOptions> {
  readonly dry_run?: boolean;
  readonly mode?: HowImported['mode'];
  readonly pace?: HowImported['pace'];
  readonly maxFailed?: number;
  readonly rejected?: string;
  /** Stands between the import and the store. */
  readonly between?: (many: Many) => Pick<Many, 'array'>;
}

/** A folder of a file of tests. */
export function filesFolder(): { write(name: string, content: string | Uint8Array): string } {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone import '));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return {
    write(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
  };
}

/** Imports files into an account of the store. */
export async function take(
  store: Store,
  account: string,
  paths: readonly string[],
  {
    dry_run = false,
    mode,
    pace = 'beside',
    maxFailed,
    rejected,
    between,
    ...options
  }: Importing = {},
): Promise<ImportResult & { readonly resumed: boolean }> {
  const plan = await planImport(paths, { resources, account, remedies: OPTIONS, ...options });
  const accounts = [account];
  const many = manyOf(store, resources);
  let resumed = false;
  const ran = await importFiles(plan, {
    ...{ store, accounts, mode, pace, dry_run, rejected, fromStart: false },
    many: { ...many, ...between?.(many) },
    principal: (id) => importerOf(id, accounts),
    begun(_run, again) {
      resumed = again;
    },
    note: dry_run ? undefined : (now) => store.imports.put(now),
    progress: () => {},
    maxFailed: maxFailed ?? Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
  });
  return { ...ran, resumed };
}

/** The rejected rows of the first file, or of another one of the run. */
export const rejectedIn = ({ files: [first] }: ImportRun, of = first): string =>
  readFileSync(of?.rejected ?? '', 'utf8');

export function counts(
  created: number,
  updated: number,
  unchanged: number,
  failed: number,
): ImportCounts {
  return { created, updated, unchanged, failed };
}
