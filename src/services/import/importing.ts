/** Imports planned files into a store: begins or continues, upserts, and stores its progress. */

import type { ImportRun } from '../../core/objects/transfer/import-run.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import { createIngest } from '../../records/ingest/ingest.ts';
import type { Many } from '../../records/ingest/many/many.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Plan } from './plan.ts';
import { freePath } from './rejected.ts';
import { type Importing, type ImportResult, PACES, runImport } from './run.ts';

/** An import of files, and whether to go on with an earlier one. */
export interface ImportingFiles extends Importing {
  readonly store: Pick<Store, 'imports' | 'log'>;
  readonly accounts: readonly string[];
  /** Not to go on with an import that did not come to its end. */
  readonly fromStart: boolean;
  /** The name of the only file, as people call it. */
  readonly called?: string | undefined;
  /** Where the rejected rows of the only file are; else each file has its own next to it. */
  readonly rejected?: string | undefined;
  readonly begun?: (run: ImportRun, resumed: boolean) => void | Promise<void>;
}

export async function importFiles(plan: Plan, importing: ImportingFiles): Promise<ImportResult> {
  const { store, dry_run, begun } = importing;
  const last =
    dry_run || importing.fromStart ? undefined : await store.imports.latest(plan.fingerprint);
  const resumed = last?.status === 'running';
  const run = resumed ? last : await begin(plan, importing);
  await begun?.(run, resumed);
  return runImport(plan, run, importing);
}

/** The writes into a store that this process opened for itself. */
export function manyOf(store: Store, resources: readonly Resource[]): Many {
  return createIngest(store, { resources, now: Date.now }).many;
}

async function begin(plan: Plan, importing: ImportingFiles): Promise<ImportRun> {
  const { store, accounts, pace, dry_run, rejected, called } = importing;
  const now = Date.now();
  const run: ImportRun = {
    unique_identifier: createIdentifiers(() => now)('imp_'),
    fingerprint: plan.fingerprint,
    status: 'running',
    files: plan.files.map(({ path, resource, header }) => ({
      name: called ?? path,
      resource: resource.path,
      rejected: freePath(rejected ?? `${path}.rejected.${header === undefined ? 'ndjson' : 'csv'}`),
    })),
    accounts: [],
    began: {},
    chunk: PACES[pace].rows,
    position: { file: 0, rows: 0, rejected: [] },
    counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
    inserted_at: now,
    updated_at: now,
  };
  if (dry_run) return run;
  const marks = accounts.map(async (one) => [one, (await store.log.last(one)) ?? null] as const);
  const begun = { ...run, accounts, began: Object.fromEntries(await Promise.all(marks)) };
  await store.imports.put(begun);
  return begun;
}
