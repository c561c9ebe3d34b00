/** Files as people have them, and imports of them into a store. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { resources } from '../../src/registry.ts';
import type { ImportCounts } from '../../src/store/imports.ts';
import type { Store } from '../../src/store/store.ts';
import { beginImport, newRun } from '../../src/transfer/import/begin.ts';
import { type ImportOptions, planImport } from '../../src/transfer/import/plan.ts';
import { OPTIONS } from '../../src/transfer/import/remedies.ts';
import { type Ran, runImport, type Sink } from '../../src/transfer/import/run.ts';
import { storeSink } from '../../src/transfer/import/store-sink.ts';

export interface Importing extends Partial<ImportOptions> {
  readonly dry_run?: boolean;
  readonly mode?: 'absent' | 'present';
  readonly maxFailed?: number;
  readonly rejected?: string;
  /** Stands between the import and the store. */
  readonly between?: (sink: Sink) => Pick<Sink, 'send'>;
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
  { dry_run = false, mode, maxFailed, rejected, between, ...options }: Importing = {},
): Promise<Ran & { readonly resumed: boolean }> {
  const plan = await planImport(paths, {
    resources,
    account,
    set: [],
    usPhones: false,
    empty: 'keep',
    remedies: OPTIONS,
    ...options,
  });
  const accounts = [account];
  const { run, resumed } = dry_run
    ? { run: newRun(plan, rejected, Date.now()), resumed: false }
    : await beginImport(store, plan, { accounts, rejected, fromStart: false });
  const only = mode && { record: mode };
  const sink = storeSink(store, run.unique_identifier, { resources, accounts, only, dry_run });
  const ran = await runImport(plan, run, {
    sink: { ...sink, ...between?.(sink) },
    note: dry_run ? undefined : (now) => store.imports.put(now),
    progress: () => {},
    maxFailed: maxFailed ?? Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
  });
  return { ...ran, resumed };
}

export function counts(
  created: number,
  updated: number,
  unchanged: number,
  failed: number,
): ImportCounts {
  return { created, updated, unchanged, failed };
}
