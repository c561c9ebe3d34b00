/** Syncs, as callers begin, read, finish and undo them, and as their upserts name them. */
import { setTimeout as pause } from 'node:timers/promises';
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError } from '../../core/errors.ts';
import {
  type StoredSync,
  SYNC_OPEN_MS,
  SYNC_UNDO_MS,
  type SyncDoubt,
  type SyncLeft,
  type SyncRecord,
  sync,
} from '../../core/objects/transfer/sync.ts';
import { ancestorsOf, type Resource } from '../../core/schema/define.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import { inThousands } from '../../core/schema/present/words.ts';
import { authorize, type Principal } from '../../records/auth/principal.ts';
import { type SeenRecord, type Sighted, seenRecord } from '../../records/ingest/seen.ts';
import { MAX_SEEN, type SyncName } from '../../store/promises/account-book.ts';
import { accountsFor, foundIn, missingAt } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Jobs } from '../jobs.ts';
import { datedOf, readAsOf } from './as-of.ts';
import { createDoubts } from './doubts.ts';
import { createFinish } from './finishing.ts';
import { assertOpen, ended, mismatch, RESTORED, readShare } from './refusals.ts';
import { assertUndoable } from './removing.ts';
import { createSeenGroups, differs, fingerprintOf, numbersOf, ownContents } from './walk.ts';

type Named<One> = One & { readonly external_identifier: string | null };

/** A sync with the identifier of its source, and with what callers call its records. */
export type ShownSync = Omit<StoredSync, 'records' | 'left'> & {
  readonly from: string;
  readonly at: number;
  readonly records: readonly Named<SyncRecord>[];
  readonly left: readonly Named<SyncLeft>[];
  readonly doubts: readonly SyncDoubt[];
  readonly doubts_count: number;
};

export interface BeginSync {
  readonly resource: string;
  readonly account?: string | undefined;
  readonly location?: string | undefined;
  readonly at_most?: string | undefined;
  /** When the data was taken, as a datetime. */
  readonly as_of?: string | undefined;
}

interface SyncsRequest {
  readonly account?: string | undefined;
  readonly limit: number;
  readonly before?: string | undefined;
}

/** An open sync, and when its data was taken. */
type Opened = StoredSync & Pick<Sighted, 'dated'>;
type SightedIn = Omit<Sighted, 'identifierIn' | 'unnamed'>;

export interface SyncParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly removing: Pick<Jobs<SyncName>, 'run'>;
  /** Who finishes in place of the caller: an operator, for the key that began. */
  readonly by?: string;
  readonly now: () => number;
}

/** The share in percent where none is said. */
const AT_MOST = '5%';
/** For how long a request to finish or to undo waits for that. */
const WAIT_MS = 5_000;
const MAX_OPENED = 1_000;

export type SyncsOf = ReturnType<typeof createSyncs>;

export function createSyncs(parts: SyncParts) {
  const { store, resources, removing, by, now } = parts;
  const { syncs, sources } = store;
  const identify = createIdentifiers(now);
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  const see = createSeenGroups(syncs);
  const doubts = createDoubts({ store, now });
  const opened = new BoundedMap<string, Opened>(MAX_OPENED);
  const [root] = resources;
  const anchor = resources.find((resource) => resource.anchor);
  if (root === undefined || anchor === undefined) throw new TypeError('The registry is too small.');

  const resourceOf = ({ resource }: Pick<StoredSync, 'resource'>): Resource => {
    const found = byName.get(resource);
    if (found === undefined) throw new TypeError(`${resource} is not a resource.`);
    return found;
  };

  const allShown = async (
    some: readonly StoredSync[],
    names: ReadonlyMap<string, string | null> = new Map(),
  ): Promise<readonly ShownSync[]> => {
    const all = await sources.list([...new Set(some.map(({ account }) => account))]);
    const byNumber = new Map(all.map((one) => [one.number, one]));
    const counts = await doubts.counts(
      [...new Set(some.map(({ account }) => account))],
      some.map((one) => one.unique_identifier),
    );
    const named = <One extends SyncRecord>(one: One) => {
      return { ...one, external_identifier: names.get(one.record) ?? null };
    };
    return some.map((one) => {
      const own = byNumber.get(one.source);
      const from = byNumber.get(own?.merged_into ?? 0) ?? own;
      return {
        ...one,
        from: from?.unique_identifier ?? '',
        at: now(),
        records: one.records.map(named),
        left: one.left.map(named),
        doubts: [],
        doubts_count: (counts.get(one.unique_identifier) ?? 0) + (one.beyond ?? 0),
      };
    });
  };

  /** Adds external identifiers, which are stored with the records alone so that they go when these are erased. */
  const shown = async (one: StoredSync): Promise<ShownSync> => {
    const scope = { accounts: new Set([one.account]), anchors: undefined };
    const named = Map.groupBy([...one.records, ...one.left], ({ resource }) => resource);
    const names = new Map<string, string | null>();
    for (const [resource, some] of named) {
      const { shape } = resourceOf({ resource });
      const wanted = some.map(({ record }) => record);
      for (const each of await store.findAll(shape, wanted, scope))
        names.set(each.unique_identifier, each.external_identifier);
      for (const record of wanted) {
        if (names.has(record)) continue;
        const gone = await store.log.gone(shape.resource, record, [one.account]);
        names.set(record, gone?.external_identifier ?? null);
      }
    }
    const [all] = await allShown([one], names);
    return { ...(all as ShownSync), ...(await doubts.of(one)) };
  };

  /** Throws unless the caller may remove records of the resource and all below it. */
  const authorizeAll = (principal: Principal, resource: Resource): void => {
    authorize(principal, resource.path, 'write');
    for (const one of resources) {
      if (one === resource || ancestorsOf(one).includes(resource))
        authorize(principal, one.path, 'delete');
    }
  };

  const find = async ({ scope, resources: only }: Principal, id: string): Promise<StoredSync> => {
    const one = /^syn_[0-9A-Za-z]{22}$/.test(id)
      ? await syncs.find(id, [...scope.accounts])
      : undefined;
    const { anchors } = scope;
    const isThere = anchors === undefined || anchors.has(one?.location ?? '');
    const isSeen = isThere && (one === undefined || only?.has(resourceOf(one).path) !== false);
    return foundIn(scope, 'sync', isSeen ? one : undefined);
  };

  /** People may finish and undo what a key began; a key only what its source did. */
  const assertOwn = async (principal: Principal, one: StoredSync): Promise<readonly number[]> => {
    const numbers = await numbersOf(sources, one);
    if (principal.person !== undefined) return numbers;
    const own = await sources.numberOf(one.account, principal.key);
    if (!numbers.includes(own)) throw mismatch('of another source than yours');
    return numbers;
  };

  const placeOf = async ({ scope }: Principal, resource: Resource, sent: BeginSync) => {
    const { account, location } = sent;
    if ((account === undefined) === (location === undefined)) {
      throw new ApiError(account === undefined ? 'parameter_missing' : 'parameters_conflict', {
        param: account === undefined ? 'account' : 'location',
        message: 'Send either account or location: what the sync is complete for.',
      });
    }
    if (account !== undefined) {
      if (!scope.accounts.has(account)) throw missingAt('account', root.shape, account);
      if (scope.anchors === undefined) return { account, location: null };
      throw new ApiError('whole_account_needed', {
        param: 'account',
        values: { limit: 'locations' },
      });
    }
    if (resource.anchor) {
      const message =
        'A sync of locations is one of a whole account: send account in place of location.';
      throw new ApiError('value_invalid', { param: 'location', message });
    }
    const found = await store.find(anchor.shape, location ?? '', scope);
    if (found === undefined) throw missingAt('location', anchor.shape, location ?? '');
    return { account: found.account, location: found.unique_identifier };
  };

  /** Goes on with it, waits for a while until that is done, and gives the sync as it is then. */
  const goneOn = async (one: StoredSync): Promise<ShownSync> => {
    const run = removing.run(one);
    await Promise.race([run, pause(WAIT_MS, undefined, { ref: false })]);
    // Where it fails later, it is tried again.
    run.catch(() => undefined);
    return shown((await syncs.find(one.unique_identifier, [one.account])) ?? one);
  };

  const openOf = async (principal: Principal, resource: Resource, id: string) => {
    const one = await find(principal, id);
    assertOpen(one, now());
    if (one.resource !== resource.name)
      throw mismatch(`of another resource, ${one.resource}, than the one that you send`);
    return { ...one, dated: datedOf(one, await assertOwn(principal, one)) };
  };

  const finish = createFinish({
    ...{ store, resources, by, now, doubts },
    ...{ find, shown, goneOn, assertOwn, authorizeAll, resourceOf },
  });

  /** Makes what one request notes, whose own marks are told from those of others. */
  const sightedBy = (principal: Principal, { dated, ...one }: Opened): SightedIn => {
    const contentOf = ownContents();
    const fingerprintIn = (record: SeenRecord) =>
      [fingerprintOf(record), contentOf(record)] as const;
    return {
      dated,
      refusal({ account, anchor: location }) {
        const isThere =
          account === one.account && (one.location === null || location === one.location);
        return isThere ? undefined : mismatch('of another place than the record');
      },
      async see(records, { dry_run } = { dry_run: false }) {
        if (records.length === 0) return [];
        const fingerprints = records.map(fingerprintIn);
        const noted = dry_run ? fingerprints.map(([mark]) => [mark, null] as const) : fingerprints;
        const first = await see(one, noted);
        if (first !== undefined) return fingerprints.map((mark) => differs(first, mark));
        opened.clear();
        const { stored_status: status, seen } = await find(principal, one.unique_identifier);
        if (status !== 'open') throw ended(status);
        if (seen + records.length <= MAX_SEEN) throw ended(RESTORED);
        throw new ApiError('sync_ended', {
          message: `This sync takes nothing more: ${inThousands(MAX_SEEN)} rows were sent with it. Send each record once.`,
        });
      },
      // The rows were refused, whether or not that is noted.
      disclaim: (drafts) =>
        syncs
          .release(
            one,
            drafts.map((draft) => fingerprintIn(seenRecord(draft))),
          )
          .catch(() => undefined),
    };
  };

  return {
    /** Throws `permission_denied`, `resource_missing` and `location_not_permitted`, with nothing done; so do the others. */
    async begin(principal: Principal, sent: BeginSync): Promise<ShownSync> {
      const resource = resourceOf(sent);
      const at_most = readShare(sent.at_most ?? AT_MOST);
      authorizeAll(principal, resource);
      const place = await placeOf(principal, resource, sent);
      const source = await sources.numberOf(place.account, principal.key);
      const inserted_at = now();
      const as_of = readAsOf(sent.as_of, inserted_at);
      const begun: StoredSync = {
        ...sync.nulls,
        ...place,
        unique_identifier: identify('syn_'),
        resource: resource.name,
        source,
        at_most,
        as_of,
        stored_status: 'open',
        seen: 0,
        repeated: 0,
        step: 0,
        removed: {},
        records: [],
        left: [],
        left_count: 0,
        began: (await store.log.last(place.account)) ?? null,
        key: principal.key,
        inserted_at,
        expires_at: inserted_at + SYNC_OPEN_MS,
      };
      await syncs.begin(begun, await numbersOf(sources, begun));
      return shown(begun);
    },

    async list({ scope, resources: only }: Principal, { account, limit, before }: SyncsRequest) {
      const accounts = accountsFor(scope, root.shape, account);
      const locations = scope.anchors && [...scope.anchors];
      const named = resources
        .filter(({ path }) => only?.has(path) !== false)
        .map(({ name }) => name);
      return allShown(await syncs.list({ accounts, locations, resources: named, limit, before }));
    },

    find: async (principal: Principal, id: string) => shown(await find(principal, id)),

    finish,

    /** Throws `changes_expired`, too. What takes long goes on after it resolves: the status tells. */
    async undo(principal: Principal, id: string): Promise<ShownSync> {
      const one = await find(principal, id);
      await assertOwn(principal, one);
      if (one.stored_status === 'undone') return shown(one);
      if (one.stored_status === 'undoing') return goneOn(one);
      if (one.stored_status !== 'finished' && one.stored_status !== 'stopped') {
        throw new ApiError('sync_ended', {
          message: `Only a finished sync can be undone, and this one is ${one.stored_status}.`,
        });
      }
      if (now() - one.inserted_at > SYNC_UNDO_MS) {
        throw new ApiError('sync_ended', {
          message: 'This sync is older than 30 days, and can no longer be undone.',
        });
      }
      for (const name of Object.keys(one.removed)) {
        authorize(principal, resourceOf({ resource: name }).path, 'read');
        authorize(principal, resourceOf({ resource: name }).path, 'write');
      }
      await assertUndoable(store, one);
      // From here on it comes to its end whatever becomes of this process. Another request may have begun it before.
      await syncs.put({ ...one, stored_status: 'undoing', undone_by: principal.key });
      return goneOn(one);
    },

    /** Notes what became of a request of a sync, where it left a doubt or answers one. */
    noteRequest: doubts.note,

    /** The sync that upserts of a resource name. Throws `sync_ended` and `sync_mismatch`. */
    async open(principal: Principal, resource: Resource, id: string): Promise<SightedIn> {
      const name = `${principal.key} ${resource.name} ${id}`;
      const known = opened.get(name);
      const isOpen = known !== undefined && known.expires_at > now();
      const one = isOpen ? known : await openOf(principal, resource, id);
      opened.set(name, one);
      return sightedBy(principal, one);
    },
  };
}
