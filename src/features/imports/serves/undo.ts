/** Undoes an import by the log: removes what it created, restores what it changed, and names what was changed since. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../../core/errors.ts';
import { Timing } from '../../../core/observe/timing.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { inWords } from '../../../core/schema/present/words.ts';
import { importerOf, type Principal } from '../../../records/auth/principal.ts';
import { createHistory, type History } from '../../../records/changes/history.ts';
import { createIngest, type Ingest } from '../../../records/ingest/ingest.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import { pagesOf } from '../../../store/pages.ts';
import type { ChangeCursor, LoggedChange } from '../../../store/promises/log.ts';
import type { Scope, Store, StoredRecord } from '../../../store/promises/store.ts';
import type { ImportRun } from '../declares/import-run.ts';

const PAGE = 500;
const BYTES = 2_097_152;
/** Records after which a process that serves the store gets to write. */
const PACED = 32;
const PAUSE_MS = 5;

export interface UndoOptions {
  readonly resources: readonly Resource[];
  readonly dry_run: boolean;
  /** Called before each record: throws where the caller may no longer undo it. */
  readonly still?: (() => Promise<unknown>) | undefined;
}

export interface SkippedRecord {
  readonly resource: string;
  readonly record: string;
  readonly reason: string;
}

export interface UndoResult {
  readonly removed: number;
  readonly restored: number;
  readonly left: readonly SkippedRecord[];
}

/** Refusals where a record is not as it was found. */
const MOVED: readonly string[] = ['record_changed', 'resource_missing'];

interface Parts extends UndoOptions {
  readonly store: Store;
  readonly id: string;
  readonly ingest: Ingest;
  readonly history: History;
  readonly left: Map<string, SkippedRecord>;
}

/**
 * Yields how many records it has been through. Throws `TransferRefused` where the log does not go back far enough, and
 * nothing is done then. Safe to repeat, and for several at once. Once it has begun, it comes to its end unless it is refused.
 */
export async function* undoImport(
  store: Store,
  run: ImportRun,
  options: UndoOptions,
): AsyncGenerator<number, UndoResult> {
  if (options.dry_run) return yield* undoAll(store, run, options);
  const note = (status: ImportRun['status']) =>
    store.imports.put({ ...run, status, updated_at: Date.now() });
  await note('undoing');
  try {
    const result = yield* undoAll(store, run, options);
    await note('undone');
    return result;
  } catch (error) {
    const isRefused =
      error instanceof ApiError ? error.status < 500 : error instanceof TransferRefused;
    if (isRefused) await note(run.status === 'undoing' ? 'finished' : run.status);
    throw error;
  }
}

async function* undoAll(store: Store, run: ImportRun, options: UndoOptions) {
  const { resources } = options;
  const ingest = createIngest(store, { resources, now: Date.now });
  const id = run.unique_identifier;
  const left = new Map<string, SkippedRecord>();
  const parts: Parts = { ...options, store, id, ingest, history: createHistory(store), left };
  const until = await store.log.positions(run.accounts);
  let removed = 0;
  let restored = 0;
  const paths = new Set(run.files.map(({ resource }) => resource));
  // Records that belong to another are removed before it.
  for (const resource of resources.filter(({ path }) => paths.has(path)).toReversed()) {
    for (const account of run.accounts) {
      const changes = changesOf(store, account, run.began[account], until.get(account) ?? 0);
      for await (const change of changes) {
        if (change.by !== id || change.resource !== resource.name) continue;
        await options.still?.();
        const done = await undoChange(parts, resource, change);
        if (done === 'removed') removed += 1;
        else if (done === 'restored') restored += 1;
        else if (done !== undefined && !left.has(done.record)) left.set(done.record, done);
        else continue;
        const count = removed + restored + left.size;
        yield count;
        if (count % PACED === 0) await pause(PAUSE_MS);
      }
    }
  }
  return { removed, restored, left: [...left.values()] };
}

/** The changes of the account since that mark, up to that position. */
async function* changesOf(
  store: Store,
  account: string,
  began: ChangeCursor | null | undefined,
  until: number,
): AsyncGenerator<LoggedChange> {
  for await (const page of store.log.follow(account, { after: began ?? undefined, until })) {
    if (typeof page === 'string') throw new TransferRefused({ code: 'import_too_old' });
    yield* page.changes;
  }
}

/** `undefined` where a later change of the record decides, or nothing is left to be done. */
async function undoChange(parts: Parts, resource: Resource, change: LoggedChange, isAgain = false) {
  const { account, record, version } = change;
  const { store, id } = parts;
  const { shape, path } = resource;
  const principal = importerOf(id, [account]);
  const now = await store.find(shape, record, principal.scope);
  const gone = now ?? (await store.log.gone(shape.resource, record, [account]));
  const first = await firstOf(parts, account, record, gone?.position ?? 0);
  const stays = (reason: string): SkippedRecord => ({ resource: path, record, reason });
  if (first === undefined) return stays(`It was ${now ? 'changed' : 'removed'} since.`);
  if (now?.version !== version) return undefined;
  try {
    if (first.outcome === 'created') {
      const refusal = await remove(parts, principal, resource, { account, record, version });
      return refusal === undefined ? 'removed' : stays(refusal);
    }
    const versions = { from: version, to: first.version - 1 };
    return await restore(parts, principal, resource, record, versions);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    // Others have changed it meanwhile, perhaps another process that undoes the same.
    if (!isAgain && MOVED.includes(error.code)) return undoChange(parts, resource, change, true);
    return stays(error.message);
  }
}

/** Finds the oldest of the newest changes of a record that are all the import's; `undefined` where the newest has another actor. */
async function firstOf({ store, id }: Parts, account: string, record: string, newest: number) {
  let first: LoggedChange | undefined;
  for await (const changes of store.log.back({ account, record, position: newest }))
    for (const change of changes) {
      if (change.by !== id) return first;
      first = change;
    }
  return first;
}

/** Why it stays, where records belong to it that do. */
async function remove(
  parts: Parts,
  { scope }: Principal,
  resource: Resource,
  { account, record, version }: Pick<LoggedChange, 'account' | 'record' | 'version'>,
): Promise<string | undefined> {
  const { store, id, dry_run } = parts;
  const { shape } = resource;
  const removal = { shape, account, unique_identifier: record, cascade: false, by: id };
  const outcome = await store.remove({ ...removal, versions: [version], rehearse: dry_run });
  if (outcome.outcome !== 'refused') return undefined;
  if (outcome.error.code !== 'record_has_children') throw outcome.error;
  // What belongs to it may go before it: a rehearsal removes nothing.
  return (
    (await blockerOf(parts, resource, record, scope)) ??
    (dry_run ? undefined : outcome.error.message)
  );
}

async function restore(
  { ingest, history, dry_run }: Parts,
  principal: Principal,
  resource: Resource,
  record: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<'restored' | undefined> {
  const params = {
    encoding: 'json' as const,
    body: Buffer.from(JSON.stringify({ version: to })),
    query: dry_run ? 'dry_run=true' : '',
    unknown: 'refuse' as const,
    only: { versions: [from] },
  };
  const answered = await ingest.restore(
    { principal, resource, timing: new Timing() },
    record,
    () => params,
    (version) => history.at(principal, resource, record, version),
  );
  return answered.outcome === 'unchanged' ? undefined : 'restored';
}

/** Why a record must stay, in a sentence that says what to do first; `undefined` if all that belongs to it goes, too. */
async function blockerOf(parts: Parts, resource: Resource, record: string, scope: Scope) {
  const { store, resources, left } = parts;
  let seen = 0;
  for (const child of resources.filter(({ parent }) => parent === resource)) {
    const where = [{ by: 'parent', is: '=', value: record }] as const;
    const query = { scope, order: 'newest', where, limit: PAGE, bytes: BYTES } as const;
    for await (const { records } of pagesOf(store, { ...query, shape: child.shape })) {
      for (const own of records) {
        const { account, unique_identifier, position } = own;
        const goes =
          !left.has(unique_identifier) &&
          (await firstOf(parts, account, unique_identifier, position))?.outcome === 'created';
        if (!goes) return sentence(store, child, own);
        seen += 1;
        if (seen % PACED === 0) await pause(PAUSE_MS);
      }
    }
  }
  return undefined;
}

async function sentence({ log }: Store, { name }: Resource, own: StoredRecord) {
  const { account, unique_identifier: record, position } = own;
  const [last] = await log.of({ account, record, position, limit: 1, bytes: 1 });
  const what = `The ${inWords(name)} ${record} belongs to it`;
  return last?.by?.startsWith('imp_')
    ? `${what}, which the import ${last.by} created or changed: undo that one first.`
    : `${what}, which this import did not create or someone has changed since: remove that first.`;
}
