/** Removes what a sync did not see, in slices that are stored before and after, so that a kill loses no count, or undoes it. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../core/errors.ts';
import {
  type StoredSync,
  SYNC_NAMED,
  SYNC_START,
  type SyncLeft,
  type SyncProgress,
  type SyncRemoval,
} from '../../core/objects/transfer/sync.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Cursor } from '../../core/schema/id.ts';
import { importerOf, principalOf } from '../../records/auth/principal.ts';
import type { Regions } from '../../records/auth/region.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { SyncName } from '../../store/promises/account-book.ts';
import type { Store } from '../../store/promises/store.ts';
import { Jobs } from '../jobs.ts';
import { permissionsOf } from '../staff/roles.ts';
import { untilOf } from './as-of.ts';
import { withUnrestored } from './unrestored.ts';
import { add, countBelow, createLeft, numbersOf, type Walking, walkOn } from './walk.ts';

/** Records that a slice removes, and looks at. */
const SLICE = 100;
const LOOKED_AT = 10_000;
/** Removals after which others get to write. */
const PACED = 16;
const PAUSE_MS = 5;

/** Why a record stays whose removal was refused; `undefined`: it is gone. */
function reasonOf({ code }: Pick<ApiError, 'code'>): SyncLeft['reason'] | undefined {
  if (code === 'resource_missing') return undefined;
  if (code === 'record_has_children') return 'children_of_other';
  if (code === 'children_too_many') return 'children_too_many';
  if (code === 'record_held') return 'held';
  return code === 'record_changed' ? 'changed_since' : 'refused';
}

/** Removes a record with what belongs to it; with `rehearse` it only says what would become of it. */
export function removeUnseen(
  { store, resource: { shape }, numbers: sources, sync }: Walking,
  { record: unique_identifier, version }: Pick<SyncRemoval, 'record' | 'version'>,
  rehearse?: true,
) {
  const { account, unique_identifier: by } = sync;
  const until = untilOf(sync);
  const removal = { shape, account, unique_identifier, versions: [version], sources, by, until };
  return store.remove({ ...removal, cascade: true, ...(rehearse && { rehearse }) });
}

/** Why a record stays whose removal was refused: of those below it, others may be newer than the data, or of others. */
export async function whyStays(
  walking: Walking,
  one: Pick<SyncRemoval, 'record' | 'version'>,
  error: Pick<ApiError, 'code'>,
): Promise<SyncLeft['reason'] | undefined> {
  const reason = reasonOf(error);
  if (reason !== 'children_of_other' || walking.sync.as_of === null) return reason;
  const sync = { ...walking.sync, as_of: null };
  const outcome = await removeUnseen({ ...walking, sync }, one, true);
  return outcome.outcome === 'refused' ? reasonOf(outcome.error) : 'newer';
}

interface RemovingParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly now: () => number;
  readonly restoreRemoval: Ingest['restoreRemoval'];
  readonly mayRemove: MayRemove;
}

/** Removes what syncs did not see, and restores it. */
export function createRemoving(parts: RemovingParts): Jobs<SyncName> {
  const { store, resources, mayRemove, now } = parts;

  async function* next(sync: StoredSync): AsyncGenerator<number, StoredSync> {
    const resource = resources.find(({ name }) => name === sync.resource);
    if (resource === undefined) return finished(sync);
    if (!(await mayRemove(sync, resource))) return { ...finished(sync), stored_status: 'stopped' };
    const numbers = await numbersOf(store.sources, sync);
    const walking = { store, resources, resource, numbers, sync };
    const progress = sync.progress ?? SYNC_START;
    if (progress.going.length > 0) return yield* remove(walking, progress);
    yield 1;
    return plan(walking, progress);
  }

  function finished(sync: StoredSync): StoredSync {
    return { ...sync, stored_status: 'finished', progress: null, finished_at: now() };
  }

  /** Finds the records that go next; the sync is finished where none do. */
  async function plan(walking: Walking, { after }: SyncProgress): Promise<StoredSync> {
    const { sync, resource } = walking;
    const left = createLeft(sync);
    const going: SyncRemoval[] = [];
    let reached = after;
    let looked = 0;
    for await (const { record, verdict } of walkOn(walking, after)) {
      const { unique_identifier: id, version } = record;
      reached = id;
      looked += 1;
      if (verdict === 'goes') {
        going.push({ record: id, version, below: await countBelow(walking, resource, id) });
      } else if (verdict !== 'seen' && verdict !== 'else') {
        left.add(resource.name, id, verdict);
      }
      if (going.length === SLICE || looked === LOOKED_AT) break;
    }
    const next = { ...sync, ...left.all, progress: { after: reached, going } };
    return reached === after ? finished(next) : next;
  }

  async function* remove(walking: Walking, progress: SyncProgress) {
    const { sync, resource } = walking;
    const left = createLeft(sync);
    const removed = { ...sync.removed };
    const records = [...sync.records];
    const { going, after } = progress;
    for (const [at, { record, version, below }] of going.entries()) {
      yield 1;
      if (at % PACED === 0) await pause(PAUSE_MS);
      const outcome = await removeUnseen(walking, { record, version });
      const reason =
        outcome.outcome === 'refused'
          ? await whyStays(walking, { record, version }, outcome.error)
          : undefined;
      if (reason !== undefined) {
        left.add(resource.name, record, reason);
      } else if (outcome.outcome === 'deleted' || (await isBy(walking, record))) {
        add(removed, { [resource.name]: 1 });
        add(removed, below);
        if (records.length < SYNC_NAMED) records.push({ resource: resource.name, record });
      }
    }
    return { ...sync, ...left.all, removed, records, progress: { after, going: [] } };
  }

  /** Whether a record that is gone was removed by the sync, when this slice was begun before. */
  async function isBy({ sync, resource, store }: Walking, record: string): Promise<boolean> {
    const { account, unique_identifier } = sync;
    const gone = await store.log.gone(resource.shape.resource, record, [account]);
    if (gone === undefined) return true;
    const at = { account, record, position: gone.position, limit: 1, bytes: 1 };
    const [last] = await store.log.of(at);
    return last?.by === unique_identifier;
  }

  async function* work({ account, unique_identifier: id }: SyncName): AsyncGenerator<number, void> {
    let isComparable = false;
    let stored: StoredSync | undefined;
    for (;;) {
      // Another process may have come further.
      const sync = stored ?? (await store.syncs.find(id, [account]));
      if (sync?.stored_status === 'undoing') {
        stored = await store.syncs.put(yield* undoNext(sync, parts));
        continue;
      }
      if (sync?.stored_status !== 'finishing') return;
      isComparable ||= await store.syncs.isComparable(sync);
      stored = await store.syncs.put(isComparable ? yield* next(sync) : finished(sync));
    }
  }

  // Two syncs are worked at in turn, of one account one.
  const due = () => store.syncs.going();
  return new Jobs<SyncName>({ kind: 'sync', book: store.jobs, slots: 2, due, work });
}

type MayRemove = (sync: StoredSync, resource: Resource) => Promise<boolean>;

/** Returns what says whether the caller of a sync may still remove. Operators may, and callers that are neither keys nor people. */
export function createMayRemove(
  { keys, staff }: Pick<Store, 'keys' | 'staff'>,
  regions: Regions,
): MayRemove {
  /** Finds the limit of a key or a person who may call at all. */
  const limitOf = async (by: string) => {
    if (by.startsWith('key_')) {
      const found = await keys.find(by);
      return found.is === 'valid' ? principalOf(await regions.within(found.key)) : undefined;
    }
    const member = await staff.find(by);
    if (member === undefined || member.disabled_at !== null) return undefined;
    const { accounts, anchors, role } = await regions.within(member);
    const only = anchors === null ? undefined : new Set(anchors);
    const scope = { accounts: new Set(accounts), anchors: only };
    return { scope, permissions: permissionsOf(role), resources: undefined };
  };

  return async ({ account, location, finished_by: by }, { path }) => {
    if (by === null || !/^(key|stf)_/.test(by)) return true;
    const limit = await limitOf(by);
    if (limit === undefined) return false;
    const { scope, permissions, resources } = limit;
    return (
      scope.accounts.has(account) &&
      (scope.anchors === undefined || scope.anchors.has(location ?? '')) &&
      permissions.includes('delete') &&
      resources?.has(path) !== false
    );
  };
}

/** Removals that are restored before that is stored. */
const PAGE = 25;

/** Throws `changes_expired` unless the log still has all that a sync removed. */
export async function assertUndoable({ log }: Pick<Store, 'log'>, { account, began }: StoredSync) {
  if (typeof (await log.next(account, began ?? undefined)) !== 'string') return;
  throw new ApiError('changes_expired', {
    message: 'The log of changes no longer goes back to this sync, so it cannot be undone.',
  });
}

/** The sync after one step more. Rights were checked when it was requested. */
async function* undoNext(
  sync: StoredSync,
  { store, restoreRemoval }: RemovingParts,
): AsyncGenerator<number, StoredSync> {
  const { account, unique_identifier, undone_by, progress } = sync;
  const principal = importerOf(undone_by ?? unique_identifier, [account]);
  const before = Number.MAX_SAFE_INTEGER;
  const at = progress?.undoing ?? { before, removals: [], records: 0, more: true };
  const restored = sync.restored ?? 0;
  if (at.removals.length > 0) {
    const outcomes: Awaited<ReturnType<typeof restoreRemoval>>[] = [];
    for (const cursor of at.removals) {
      yield 1;
      outcomes.push(await restoreRemoval(principal, { account, cursor }, { dry_run: false }));
    }
    const undoing = { ...at, removals: [], records: 0 };
    const progress = { ...SYNC_START, undoing };
    const left = withUnrestored(sync, outcomes);
    const done = restored + at.records - (left.left_count - sync.left_count);
    return { ...sync, ...left, restored: done, progress };
  }
  if (!at.more) return { ...sync, restored, stored_status: 'undone', progress: null };
  const from = sync.began?.position ?? 0;
  const page = await store.log.removals({ account, before: at.before, limit: PAGE });
  const last = page.at(-1)?.removal ?? 0;
  const removals: Cursor[] = [];
  let records = 0;
  for (const { change, removal } of page) {
    if (removal <= from || change.by !== unique_identifier) continue;
    const { position, place, token } = change;
    const cursor = { position, place, token };
    const found = await restoreRemoval(principal, { account, cursor: cursor }, { dry_run: true });
    records += found.restored + found.left_count;
    removals.push(cursor);
  }
  const undoing = { before: last, removals, records, more: page.length === PAGE && last > from };
  return { ...sync, progress: { ...SYNC_START, undoing } };
}
