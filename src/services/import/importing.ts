/** Imports planned files into a store: begins or continues, upserts, and stores its progress. */
import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { ApiError } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { createIngest } from '../../records/ingest/ingest.ts';
import type { Many } from '../../records/ingest/many/many.ts';
import type { ManyCall } from '../../records/ingest/many/row.ts';
import type { Sighted } from '../../records/ingest/seen.ts';
import type { ImportRun } from '../../store/promises/imports.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Plan } from './plan.ts';
import { freePath } from './rejected.ts';
import { type ImportResult, type RowOutcome, type Running, runImport, type Sink } from './run.ts';

/** Rows of one commit, and the pause after it: in parts of the time that it took. */
const PACES = {
  /** Others who write to the store wait for some milliseconds, and have half of the time. */
  beside: { rows: 64, pause: 1 },
  /** As streams of rows to a service, which shares the store among them. */
  shared: { rows: 256, pause: 0 },
  /** No others write. */
  fast: { rows: 500, pause: 0 },
} as const;

export type Mode = 'create_only' | 'update_only';

/** How files are imported into a store. */
export interface Importing extends Omit<Running, 'sink'> {
  readonly store: Pick<Store, 'imports' | 'log'>;
  readonly many: Many;
  /** The actor of the import with that identifier. */
  readonly principal: (id: string) => Principal;
  readonly accounts: readonly string[];
  readonly mode: Mode | undefined;
  readonly dry_run: boolean;
  /** Not to go on with an import that did not come to its end. */
  readonly fromStart: boolean;
  readonly pace: keyof typeof PACES;
  /** The name of the only file, as people call it. */
  readonly called?: string | undefined;
  /** Where the rejected rows of the only file are; else each file has its own next to it. */
  readonly rejected?: string | undefined;
  readonly still?: ManyCall['still'];
  /** The sync that the rows of a resource belong to. */
  readonly sync?: ((resource: Resource) => Sighted | undefined) | undefined;
  readonly begun?: (run: ImportRun, resumed: boolean) => void | Promise<void>;
}

export async function importFiles(plan: Plan, importing: Importing): Promise<ImportResult> {
  const { store, dry_run, begun } = importing;
  const last =
    dry_run || importing.fromStart ? undefined : await store.imports.latest(plan.fingerprint);
  const resumed = last?.status === 'running';
  const run = resumed ? last : await begin(plan, importing);
  await begun?.(run, resumed);
  return runImport(plan, run, { ...importing, sink: storeSink(run.unique_identifier, importing) });
}

async function begin(plan: Plan, importing: Importing): Promise<ImportRun> {
  const { store, accounts, pace, dry_run } = importing;
  const run = newRun(plan, PACES[pace].rows, importing);
  if (dry_run) return run;
  const marks = accounts.map(async (one) => [one, (await store.log.last(one)) ?? null] as const);
  const began = Object.fromEntries(await Promise.all(marks));
  await store.imports.put({ ...run, accounts, began });
  return { ...run, accounts, began };
}

/** The writes into a store that this process opened for itself. */
export function manyOf(store: Store, resources: readonly Resource[]): Many {
  return createIngest(store, { resources, now: Date.now }).many;
}

/** An import of which nothing is done. */
export function newRun(
  { fingerprint, files }: Plan,
  chunk: number,
  { rejected, called }: Pick<Importing, 'rejected' | 'called'>,
): ImportRun {
  const now = Date.now();
  return {
    unique_identifier: createIdentifiers(() => now)('imp_'),
    fingerprint,
    status: 'running',
    files: files.map(({ path, resource, header }) => ({
      name: called ?? path,
      resource: resource.path,
      rejected: freePath(rejected ?? `${path}.rejected.${header === undefined ? 'ndjson' : 'csv'}`),
    })),
    accounts: [],
    began: {},
    chunk,
    position: { file: 0, rows: 0, rejected: [] },
    counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
    inserted_at: now,
    updated_at: now,
  };
}

/** Rows that are upserted as those of a request with many are. */
function storeSink(
  id: string,
  { many, principal, mode, dry_run, still, pace, sync }: Importing,
): Sink {
  const only: ManyCall['only'] = mode && { record: mode === 'create_only' ? 'absent' : 'present' };
  const own = principal(id);
  let until = 0;
  return {
    async send(resource, rows, name, { ready, handedOver }) {
      const call: ManyCall = {
        ...{ principal: own, resource, unknown: 'refuse', only, dry_run, still },
        sync: sync?.(resource),
      };
      // The name and the file say what is in the rows, and these which they are.
      const names = rows.map(({ request }) => request.external_identifier);
      const fingerprint = hash('sha256', JSON.stringify(names), 'buffer');
      const repeatable = { idempotency_key: name, fingerprint };
      if (PACES[pace].pause > 0) {
        await ready;
        // Reading meanwhile was part of the pause.
        const rest = until - performance.now();
        if (rest > 0) await setTimeout(rest);
      }
      const began = performance.now();
      // Where it pauses, there is time enough to read then, in less memory.
      const ahead = PACES[pace].pause === 0 ? { ready, handedOver } : {};
      const { results } = await many.array(call, rows, { atomic: false, repeatable, ...ahead });
      const ended = performance.now();
      until = dry_run ? 0 : ended + PACES[pace].pause * (ended - began);
      return results.map((result): RowOutcome => {
        if (!(result instanceof Error)) return { outcome: result.outcome };
        if (result instanceof ApiError) return { faults: result.faults };
        throw result;
      });
    },
    ...(sync !== undefined && {
      saw: async (resource, identifiers) => {
        const named = identifiers.map((external_identifier) => ({
          external_identifier,
          content: null,
        }));
        await sync(resource)?.see(named);
      },
    }),
  };
}
