/** Begins an import into a store, or finds the one to resume. */
import { createIdentifiers } from '../../schema/id.ts';
import type { ImportRun } from '../../store/imports.ts';
import type { Store } from '../../store/store.ts';
import type { Plan } from './plan.ts';
import { freePath } from './rejected.ts';

export interface Beginning {
  readonly accounts: readonly string[];
  /** Where the rejected rows of the only file are; else each file has its own beside it. */
  readonly rejected: string | undefined;
  /** Not to go on with an import that did not come to its end. */
  readonly fromStart: boolean;
}

export async function beginImport(
  store: Pick<Store, 'imports' | 'log'>,
  plan: Plan,
  { accounts, rejected, fromStart }: Beginning,
): Promise<{ readonly run: ImportRun; readonly resumed: boolean }> {
  const last = fromStart ? undefined : await store.imports.latest(plan.fingerprint);
  if (last?.status === 'running') return { run: last, resumed: true };
  const now = Date.now();
  const run: ImportRun = {
    ...newRun(plan, rejected, now),
    accounts,
    began: Object.fromEntries(
      await Promise.all(
        accounts.map(
          async (account) => [account, (await store.log.last(account)) ?? null] as const,
        ),
      ),
    ),
  };
  await store.imports.put(run);
  return { run, resumed: false };
}

/** An import of which nothing is done. */
export function newRun(plan: Plan, rejected: string | undefined, now: number): ImportRun {
  return {
    unique_identifier: createIdentifiers(() => now)('imp_'),
    fingerprint: plan.fingerprint,
    status: 'running',
    files: plan.files.map(({ path, resource, header }) => ({
      name: path,
      resource: resource.path,
      rejected: freePath(rejected ?? `${path}.rejected.${header === undefined ? 'ndjson' : 'csv'}`),
    })),
    accounts: [],
    began: {},
    position: { file: 0, rows: 0, rejected: [] },
    counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
    inserted_at: now,
    updated_at: now,
  };
}
