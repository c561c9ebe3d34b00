/** Imports as stores keep them. */
import { parseStored } from '../../../core/schema/json/json.ts';
import type { ImportRun, ImportState } from '../../promises/imports.ts';

export const IMPORT_COLUMNS = 'unique_identifier, fingerprint, state, inserted_at, updated_at';

export type StoredImport = readonly [
  unique_identifier: string,
  fingerprint: string,
  state: string,
  inserted_at: number,
  updated_at: number,
];

export function importRow(run: ImportRun): StoredImport {
  const { unique_identifier, fingerprint, inserted_at, updated_at, ...state } = run;
  return [unique_identifier, fingerprint, JSON.stringify(state), inserted_at, updated_at];
}

export function toImport(row: StoredImport): ImportRun {
  const [unique_identifier, fingerprint, state, inserted_at, updated_at] = row;
  const own = { unique_identifier, fingerprint, inserted_at, updated_at };
  return { ...own, ...(parseStored(state) as unknown as ImportState) };
}
