/** Files as people have them, and imports of them into a store. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { resources } from '../../src/core/registry.ts';
import type { Notice } from '../../src/features/imports/declares/answers.ts';
import type { ImportCounts, ImportRun } from '../../src/features/imports/declares/import-run.ts';
import { aboveFinder } from '../../src/features/imports/serves/above.ts';
import { memoryOf } from '../../src/features/imports/serves/memory.ts';
import { type ImportOptions, planImport } from '../../src/features/imports/serves/plan.ts';
import {
  type Importing as HowImported,
  type ImportResult,
  importFiles,
  manyOf,
} from '../../src/features/imports/serves/run.ts';
import { OPTIONS } from '../../src/features/imports/serves/words.ts';
import { importerOf } from '../../src/records/auth/principal.ts';
import type { Many } from '../../src/records/ingest/many/many.ts';
import type { Store } from '../../src/store/promises/store.ts';

export interface Importing extends Partial<ImportOptions> {
  readonly dry_run?: boolean;
  readonly mode?: HowImported['mode'];
  readonly pace?: HowImported['pace'];
  readonly maxFailed?: number;
  readonly rejected?: string;
  /** Whether choices for earlier files count. */
  readonly remembers?: boolean;
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
    remembers = false,
    ...options
  }: Importing = {},
): Promise<
  ImportResult & {
    readonly resumed: boolean;
    readonly noticed: readonly Notice[];
    readonly undecided: readonly string[];
    readonly like: string | undefined;
  }
> {
  const scope = { accounts: new Set([account]), anchors: undefined };
  const above = aboveFinder(store, scope, options.chosen);
  const own = memoryOf(store, { accounts: scope.accounts });
  const memory = remembers ? own : undefined;
  const plan = await planImport(paths, {
    ...{ resources, account, above, memory, remedies: OPTIONS },
    ...options,
  });
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
  const noticed = plan.files.flatMap((file) => file.noticed ?? []);
  const undecided = plan.files.flatMap((file) => [...(file.undecided ?? [])]);
  return { ...ran, resumed, noticed, undecided, like: plan.files[0]?.like?.import };
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
