/** Reads the log of changes, as far as a key may see it. */
import { ApiError } from '../../core/errors.ts';
import { createPageReads } from '../../core/fair/page-reads.ts';
import type { Resource } from '../../core/schema/define.ts';
import { changeId, readChangeId } from '../../core/schema/id.ts';
import { presentOne, presentTime, withMembers } from '../../core/schema/present/present.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { FollowingKey } from '../../store/books/erasing/notes.ts';
import type { ChangeCursor, ChangeLog, LoggedChange } from '../../store/promises/log.ts';
import { missingAt } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';
import { authorize, authorizeAction, type Principal } from '../auth/principal.ts';
import { anchorsIn, type Narrowing } from '../auth/region.ts';
import { outcomeOf, presentChange, sees, whoOf } from './view.ts';

const READ_AT_ONCE = 1_000;
/** The fewest changes to read for one page, even if fewer are requested. */
const MAX_SCANNED = 10_000;
/** The bytes of changes, and of records, at which a page ends. The last read may add as many again. */
const MAX_BYTES = 2_097_152;

/** The most records in a page, and per read. */
const MAX_EXPANDED = 100;
const EXPANDED_AT_ONCE = 10;

export interface FeedPage {
  /** Each as JSON text, with its unique identifier. */
  readonly changes: readonly { readonly id: string; readonly text: string }[];
  /** Whether there are more changes, which this key may or may not see. */
  readonly more: boolean;
  /** The time of the first change, in milliseconds since 1970. */
  readonly since: number | undefined;
  /** The position of the last change that was read. */
  readonly position: string | null;
  /** The mark of the same, to continue from. */
  readonly last: ChangeCursor | undefined;
}

export interface ChangesRequest extends Narrowing {
  /** The unique identifier of a change, or `now`; left out: from the first stored change. */
  readonly starting_after: string | undefined;
  readonly limit: number;
  /** Seconds to wait for a change if there is none. */
  readonly wait: number;
  /** Names of resources; `undefined`: all. */
  readonly resources: ReadonlySet<string> | undefined;
  readonly outcomes: ReadonlySet<string> | undefined;
  /** Whether the response has the current records, too. */
  readonly expand: boolean;
}

/** The position at which a page begins. */
export interface FeedRequest extends Omit<ChangesRequest, 'account' | 'starting_after'> {
  readonly account: string;
  readonly after: ChangeCursor | undefined;
}

export type Feed = ReturnType<typeof createFeed>;

export function createFeed(
  store: Store,
  resources: readonly Resource[],
  reads = createPageReads(),
) {
  const [root] = resources;
  const anchorShape = resources.find((resource) => resource.anchor)?.shape;
  if (root === undefined || anchorShape === undefined)
    throw new TypeError('The registry is too small.');
  const byName = new Map(resources.map((resource) => [resource.shape.resource, resource]));

  /** The locations whose changes are wanted, as of now; `undefined`: all. */
  const wantedAnchors = async (
    { scope: { anchors } }: Principal,
    { account, location, region }: FeedRequest,
  ) => {
    const all = { accounts: new Set([account]), anchors };
    const within =
      region === undefined ? undefined : await anchorsIn(store, all, anchorShape, region);
    if (location === undefined) return within;
    return new Set(within?.has(location) === false ? [] : [location]);
  };

  const wants = (
    principal: Principal,
    request: FeedRequest,
    anchors: ReadonlySet<string> | undefined,
    change: LoggedChange,
  ): boolean => {
    const { anchor, outcome } = change;
    if (!sees(principal, byName.get(change.resource), change)) return false;
    // A wipe concerns all records of the account, whichever resources are followed.
    if (outcome === 'wiped') return request.outcomes?.has('wiped') ?? true;
    return (
      (anchors?.has(anchor ?? '') ?? true) &&
      (request.resources?.has(change.resource) ?? true) &&
      (request.outcomes?.has(outcomeOf(change)) ?? true)
    );
  };

  const wanted = async (principal: Principal, request: FeedRequest, isGone: () => boolean) => {
    const { account, limit } = request;
    const anchors = await wantedAnchors(principal, request);
    const found: LoggedChange[] = [];
    let last = request.after;
    let [bytes, scanned, size] = [0, 0, limit / 2];
    const pieces = store.log.follow(account, {
      after: last,
      bytes: MAX_BYTES,
      // The first is as long as the page; if filters leave little of it, the next ones are larger.
      limit() {
        size = Math.min(2 * size, READ_AT_ONCE);
        return Math.min(size, MAX_SCANNED - scanned);
      },
      slot: (read) => reads.run(principal.key, async () => (isGone() ? undefined : read())),
    });
    for await (const read of pieces) {
      if (typeof read === 'string')
        throw new ApiError(`changes_${read}`, { param: 'starting_after' });
      for (const change of read.changes) {
        if (found.length === limit) return { found, more: true, last };
        if (change.damaged) {
          if (found.length > 0) return { found, more: true, last };
          throw changeDamaged(read.changes, change);
        }
        last = change;
        if (!wants(principal, request, anchors, change)) continue;
        found.push(change);
        bytes += change.content?.length ?? 0;
      }
      scanned += read.changes.length;
      if (!read.more) return { found, more: false, last };
      const enough = found.length === limit || bytes >= MAX_BYTES;
      if (enough || scanned >= MAX_SCANNED) return { found, more: true, last };
    }
    return { found, more: false, last };
  };

  /** The current records of changes as JSON texts, by their unique identifiers. */
  const recordsOf = async ({ scope }: Principal, changes: readonly LoggedChange[]) => {
    const texts = new Map<string, string>();
    for (const [name, some] of Map.groupBy(changes, ({ resource }) => resource)) {
      const resource = byName.get(name) as Resource;
      const identifiers = [...new Set(some.map(({ record }) => record))];
      for (const record of await store.findAll(resource.shape, identifiers, scope))
        texts.set(record.unique_identifier, presentOne(resource, record));
    }
    return texts;
  };

  /** The changes with their records, up to a limit on bytes; one at least. */
  const withRecords = async (
    principal: Principal,
    found: readonly LoggedChange[],
    all: FeedPage['changes'],
  ): Promise<FeedPage['changes']> => {
    const changes: FeedPage['changes'][number][] = [];
    let length = 0;
    for (let from = 0; from < found.length; from += EXPANDED_AT_ONCE) {
      const some = found.slice(from, from + EXPANDED_AT_ONCE);
      const records = await recordsOf(principal, some);
      for (const [at, { record }] of some.entries()) {
        const { id, text } = all[from + at] as FeedPage['changes'][number];
        const value = records.get(record) ?? 'null';
        length += value.length;
        if (length > MAX_BYTES && changes.length > 0) return changes;
        changes.push({ id, text: withMembers(text, [{ name: 'record_now', value }]) });
      }
    }
    return changes;
  };

  const followers = createFollowers();
  return {
    followers,
    /** The account's position once it is beyond `beyond`; `beyond` itself after `ms` milliseconds. */
    next: createWaiters(store.log),
    position: ({ account, after }: FeedRequest): string | null =>
      after === undefined ? null : changeId(account, after),
    /** Throws `ApiError` if the key may not see the account, or the position does not belong to this log. */
    async begin(principal: Principal, params: ChangesRequest): Promise<FeedRequest> {
      authorizeAction(principal, 'read');
      for (const name of params.resources ?? [])
        authorize(principal, (byName.get(name) as Resource).path, 'read');
      const account = accountOf(principal, params.account, root.shape);
      const { account: _, starting_after, ...request } = params;
      const after =
        starting_after === 'now'
          ? await store.log.last(account)
          : readChangeId(account, starting_after ?? '');
      if (after === undefined && (starting_after ?? 'now') !== 'now')
        throw new ApiError('position_unknown', { param: 'starting_after' });
      return { ...request, account, after };
    },
    /** Throws `ApiError` if the key may no longer see the account. */
    check: ({ scope }: Principal, { account }: FeedRequest): void => {
      if (!scope.accounts.has(account)) throw missingAt('account', root.shape, account);
    },
    /** Reading stops once the client is gone. Throws `ApiError` if the position is lost. */
    async page(
      principal: Principal,
      request: FeedRequest,
      isGone = () => false,
    ): Promise<FeedPage> {
      const { account, limit, expand, after } = request;
      const { key, person } = principal;
      if (after !== undefined && person === undefined)
        followers.reads({ account, key, reached: changeId(account, after) });
      const most = expand ? { ...request, limit: Math.min(limit, MAX_EXPANDED) } : request;
      const { found, ...read } = await wanted(principal, most, isGone);
      const who = await whoOf(store, principal, account, found);
      const all = found.map((change) => {
        const id = changeId(account, change);
        return { id, text: presentChange(id, change, who) };
      });
      const changes = expand ? await withRecords(principal, found, all) : all;
      const isCut = changes.length < found.length;
      const more = isCut || read.more;
      const last = isCut ? found[changes.length - 1] : read.last;
      const position = last === undefined ? null : changeId(account, last);
      return { changes, more, since: found[0]?.occurred_at, position, last };
    },
    async reached(account: string): Promise<number> {
      return (await store.log.positions([account])).get(account) ?? 0;
    },
  };
}

/** The account of the request. Throws `ApiError` if the key may not see it, or has several. */
export function accountOf(
  { scope: { accounts } }: Principal,
  sent: string | undefined,
  root: RecordShape,
): string {
  if (sent !== undefined && !accounts.has(sent)) throw missingAt('account', root, sent);
  if (sent !== undefined) return sent;
  const [only] = accounts;
  if (only !== undefined && accounts.size === 1) return only;
  throw new ApiError('parameter_missing', {
    param: 'account',
    message:
      'account is missing: you have several accounts, and each has a log of its own. Send the unique_identifier of one of them.',
  });
}

/** Names the last of consecutive damaged changes in a commit: reading can continue after it. */
function changeDamaged(changes: readonly LoggedChange[], first: LoggedChange): ApiError {
  const some = changes.slice(changes.indexOf(first));
  const next = some.findIndex((one) => !one.damaged || one.position !== first.position);
  return damagedError(some.at(next < 0 ? -1 : next - 1) ?? first);
}

/** Used for the history of a record, too, which also continues after a damaged change. */
export function damagedError(change: LoggedChange): ApiError {
  const id = changeId(change.account, change);
  return new ApiError('change_damaged', {
    param: 'starting_after',
    message: `The change ${id}, of ${presentTime(change.occurred_at)}, is damaged in the store and cannot be read. Send starting_after=${id} to continue after it.`,
  });
}

/** The pauses between queries: short after a commit, then longer and longer. */
const SOONEST_MS = 50;
const LATEST_MS = 500;

interface Waiter {
  /** The position after which to notify. */
  readonly beyond: number;
  readonly notify: (position: number) => void;
}

/** Notifies waiting requests when their account has a new commit: one query for all of them, and none while none wait. */
export function createWaiters(log: Pick<ChangeLog, 'positions'>) {
  const byAccount = new Map<string, Set<Waiter>>();
  let pause = SOONEST_MS;
  let isDue = false;

  /** A new waiter does not delay a query that is due. */
  const lookLater = (): void => {
    if (!isDue) setTimeout(() => void look(), pause);
    isDue = true;
  };

  const look = async (): Promise<void> => {
    const began = performance.now();
    let notified = false;
    try {
      for (const [account, position] of await log.positions([...byAccount.keys()]))
        for (const { beyond, notify } of [...(byAccount.get(account) ?? [])]) {
          if (position <= beyond) continue;
          notify(position);
          notified = true;
        }
    } catch {
      // Waiters continue to wait, and learn from their next read that the store is unreachable.
    }
    // If a query takes long, there are fewer.
    const least = Math.max(SOONEST_MS, 20 * (performance.now() - began));
    pause = Math.min(notified ? least : Math.max(2 * pause, least), LATEST_MS);
    isDue = false;
    if (byAccount.size > 0) lookLater();
  };

  /** The position of the last commit of an account once it is beyond `beyond`; `beyond` itself after `ms` milliseconds. */
  return (account: string, beyond: number, ms: number): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const waiting = byAccount.getOrInsertComputed(account, () => new Set());
    const waiter: Waiter = {
      beyond,
      notify(position) {
        clearTimeout(late);
        waiting.delete(waiter);
        if (waiting.size === 0 && byAccount.get(account) === waiting) byAccount.delete(account);
        resolve(position);
      },
    };
    const late = setTimeout(() => waiter.notify(beyond), ms);
    waiting.add(waiter);
    lookLater();
    return promise;
  };
}

/** Keys that are remembered until they are taken; more are not. */
const MAX_READ = 10_000;

/** Counts clients that follow now and how far behind they are; remembers how far each key has read. */
export function createFollowers() {
  const sinceOf = new Map<object, number | undefined>();
  let readBy = new Map<string, Omit<FollowingKey, 'at'>>();
  return {
    join() {
      const follower = {
        /** Notes the time of the oldest change that is being sent; `undefined`: the follower has all changes. */
        behind(since: number | undefined): void {
          if (sinceOf.has(follower)) sinceOf.set(follower, since);
        },
        leave(): void {
          sinceOf.delete(follower);
        },
      };
      sinceOf.set(follower, undefined);
      return follower;
    },
    /** Notes the change after which a key reads. */
    reads(read: Omit<FollowingKey, 'at'>): void {
      const name = `${read.account} ${read.key}`;
      if (readBy.size < MAX_READ || readBy.has(name)) readBy.set(name, read);
    },
    /** How far keys have read that have read since this was last called. */
    takeRead(at: number): readonly FollowingKey[] {
      const read = Array.from(readBy.values(), (one) => ({ ...one, at }));
      readBy = new Map();
      return read;
    },
    /** Remembers again what was taken and could not be noted. */
    putBack(read: Iterable<FollowingKey>): void {
      for (const one of read) {
        const name = `${one.account} ${one.key}`;
        if (readBy.size < MAX_READ && !readBy.has(name)) readBy.set(name, one);
      }
    },
    /** `since`: the time of the oldest change that some follower has not received yet. */
    get now(): { readonly count: number; readonly since: number | undefined } {
      const times = [...sinceOf.values()].filter((one) => one !== undefined);
      return { count: sinceOf.size, since: times.sort((a, b) => a - b)[0] };
    },
  };
}
