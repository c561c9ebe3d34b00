/** The entrance to commits of drafts: decides which can use remembered records, and which share a transaction. */
import { sealedProbe } from '../../promises/erasing/sealed.ts';
import {
  type CommitOptions,
  type Outcome,
  type StoredRecord,
  StoreRefusal,
  type Written,
} from '../../promises/store.ts';
import { asPartlyDone, commitApart } from '../../records/apart.ts';
import { type Change, entryOf, judge, judgeEach } from '../../records/judge.ts';
import { byResource, keysOf, type PlacedChange, placed } from '../commit/changes.ts';
import { commitUnderLock } from '../commit/commit.ts';
import type { Context } from '../context.ts';
import { type Locking, newLocking, sweepCommits } from '../lock/lock.ts';
import type { PairQueue } from '../lock/queues.ts';
import { settle } from '../lock/uncertain.ts';
import { accountsOf, byAccount, type KeyedDraft, type NamedDrafts } from '../names.ts';
import { begin, commit } from '../statements/commits.ts';
import { arraysOf } from '../statements/prepare.ts';
import { appendEach, lockFree, lockOpen, SENT } from '../statements/together.ts';
import type { Texts } from '../wire/bundle.ts';
import { isClash, isMoved, isOutOfReach, isUndone } from '../wire/failure.ts';
import { type Call, call, type Session, type TablePlace } from '../wire/session.ts';
import { numberArray, textArray } from '../wire/values.ts';

interface Committing {
  readonly context: Context;
  readonly options: CommitOptions;
}

export async function commitDrafts(committing: Committing, { named }: NamedDrafts) {
  const { atomic, receipt } = committing.options;
  const accounts = byAccount(named, ({ draft }) => draft.account);
  if (accounts.length <= 1 || atomic || receipt !== undefined) return commitAll(committing, named);
  const done = new Map<KeyedDraft, Outcome>();
  const all = accounts.map(async ([, some]) => {
    const outcomes = await commitAll(committing, some);
    for (const [at, one] of some.entries()) done.set(one, outcomes[at] as Outcome);
  });
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected');
  if (failed !== undefined) throw done.size > 0 ? asPartlyDone(failed.reason) : failed.reason;
  return named.map((one) => done.get(one) as Outcome);
}

/** Commits drafts of one account, or of several together; `outcomes` are of those that are done. */
async function commitAll(
  { context, options }: Committing,
  named: readonly KeyedDraft[],
  outcomes: readonly (Outcome | undefined)[] = [],
): Promise<readonly Outcome[]> {
  const recalled = context.remembered.recall(named);
  let all = outcomes;
  try {
    for (const attempt of [fromMemory, apartUnderLock]) {
      const left = recalled.filter((_, at) => all[at] === undefined);
      if (left.length === 0) break;
      if (attempt === fromMemory && !isFast(context, left, options)) continue;
      const next = (await attempt(context, left, options)).values();
      all = recalled.map((_, at) => all[at] ?? next.next().value);
    }
  } catch (error) {
    throw all.some((one) => one !== undefined) ? asPartlyDone(error) : error;
  }
  context.remembered.learnAll(recalled, all as Outcome[]);
  return all as Outcome[];
}

type Recalled = Parameters<typeof commitFromMemory>[1];

/** Leaves all of them where the database refuses one. */
function fromMemory(context: Context, drafts: Recalled, options: CommitOptions) {
  return commitFromMemory(context, drafts, options, 'drafts').catch(leftIfRefused);
}

function apartUnderLock(context: Context, drafts: readonly KeyedDraft[], options: CommitOptions) {
  return commitApart(drafts, options, async (some) => {
    const outcomes = await commitUnderLock(context, some, options, 'drafts');
    return outcomes as readonly Outcome[];
  });
}

/** They go by themselves then. */
function leftIfRefused(error: unknown): readonly undefined[] {
  if (!(error instanceof StoreRefusal)) throw error;
  return [];
}

/** Whether a commit from memory is possible, and likely to succeed for nearly all of these drafts. */
function isFast(
  { remembered }: Context,
  recalled: readonly KeyedDraft[],
  { atomic, receipt }: CommitOptions,
): boolean {
  const isPlain = ({ draft: { receipt, restores, external_identifier } }: KeyedDraft) =>
    receipt === undefined &&
    restores?.gone === undefined &&
    // It may name a redacted record by what that is called now.
    sealedProbe(external_identifier) === undefined;
  return (
    !atomic &&
    receipt === undefined &&
    recalled.every(isPlain) &&
    new Set(recalled.map(({ pair }) => pair)).size === recalled.length &&
    remembered.suffices(recalled)
  );
}

/**
 * Batches of one account each that may share a transaction; those that may not,
 * and what is left of the others, go by themselves. Each is answered as soon as it is done.
 */
export function commitEach(
  committing: Committing,
  pairQueue: PairQueue,
  batches: readonly NamedDrafts[],
): readonly Promise<readonly Outcome[]>[] {
  const { context, options } = committing;
  const { accountQueues, placements, remembered } = context;
  /** Names the transaction that drafts may share; `undefined`: none. A shared one never waits, so all that it touches is free here. */
  const sharingOf = ({ named, pairs }: NamedDrafts): string | undefined => {
    const [account = ''] = accountsOf(named);
    const server = placements.serverOf(account);
    if (server === undefined || !accountQueues.isFree(account) || !pairQueue.isFree(pairs))
      return undefined;
    return `${isFast(context, remembered.recall(named), options)} ${server}`;
  };
  const groups = [...Map.groupBy(batches.length > 1 ? batches : [], sharingOf)]
    .filter(([name, some]) => name !== undefined && some.length > 1)
    .flatMap(([, some]) => {
      const pairs = new Set(some.flatMap((batch) => [...batch.pairs]));
      const drafts = interleaved(some.map(({ named }) => named));
      const done = pairQueue.run(pairs, () => commitFree(committing, drafts));
      return some.map((batch) => [batch, done] as const);
    });
  const shared = new Map(groups);
  return batches.map(async (batch) => {
    const done = await shared.get(batch);
    const outcomes = batch.named.map(({ pair }) => done?.get(pair));
    if (outcomes.every((outcome) => outcome !== undefined)) return outcomes;
    return pairQueue.run(batch.pairs, () => commitAll(committing, batch.named, outcomes));
  });
}

/** Commits drafts of several accounts that no other transaction has locked. Returns outcomes by their pairs. */
async function commitFree({ context, options }: Committing, named: readonly KeyedDraft[]) {
  const { remembered } = context;
  const recalled = remembered.recall(named);
  const attempt = isFast(context, recalled, options) ? commitFromMemory : commitUnderLock;
  const outcomes = await attempt(context, recalled, options, 'shared').catch((error) => {
    if (!isMoved(error) && !(error instanceof StoreRefusal)) throw error;
    return [];
  });
  const each = recalled.map((one, at) => [one, outcomes[at]] as const);
  const done = new Map(
    each.flatMap(([one, outcome]) => (outcome ? [[one, outcome] as const] : [])),
  );
  remembered.learnAll([...done.keys()], [...done.values()]);
  return new Map([...done].map(([{ pair }, outcome]) => [pair, outcome]));
}

/** The first of each batch, then the second of each: where time runs out, it does for all alike. */
function interleaved(batches: readonly (readonly KeyedDraft[])[]): readonly KeyedDraft[] {
  const most = Math.max(...batches.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) =>
    batches.flatMap((batch) => batch.slice(at, at + 1)),
  ).flat();
}

/** The outcome of a write. */
interface Done {
  /** By account. */
  readonly positions: ReadonlyMap<string, number>;
  readonly has: (unique_identifier: string) => boolean;
}

const NOTHING: Done = { positions: new Map(), has: () => false };

/**
 * Commits drafts, each of a pair of its own and without a receipt, and returns their outcomes; `undefined` for those
 * that are left, such as new ones that may be of erased records. Those of one account wait in its queue; those
 * of several are left where another transaction has it. Throws `Lost` where the connection was lost and nothing was
 * done, and `Uncertain` where it is unknown what was.
 */
async function commitFromMemory(
  context: Context,
  drafts: readonly KeyedDraft[],
  options: CommitOptions,
  access: 'drafts' | 'shared',
): Promise<readonly (Outcome | undefined)[]> {
  const accounts = accountsOf(drafts);
  return context.accountQueues.run(accounts, async () =>
    context.placements.at(accounts, access).use(async (session) => {
      const locking = newLocking(accounts, context.machine());
      const { outcomes, changes } = judged(context, drafts, options, locking.now);
      const [{ positions, has }, isStill] = await Promise.all([
        changes.length === 0 ? NOTHING : write(session, context, locking, changes),
        stillUnchanged(context, drafts, outcomes),
      ]);
      return outcomes.map((outcome, at) => {
        if (outcome?.outcome === 'unchanged') return isStill(outcome.record) ? outcome : undefined;
        if (outcome === undefined || !isChange(outcome)) return outcome;
        const { record } = outcome;
        const position = positions.get(drafts[at]?.draft.account ?? '');
        if (position === undefined || !has(record.unique_identifier)) return undefined;
        return { ...outcome, record: { ...record, position } };
      });
    }),
  );
}

/** Nothing that is only remembered is answered: what changes nothing is read first. Positions are filled in later. */
function judged(
  context: Context,
  drafts: readonly KeyedDraft[],
  options: CommitOptions,
  now: number,
) {
  const changes: Change[] = [];
  const outcomes = judgeEach(drafts, options, ({ draft, record }) => {
    const identify = () => context.identify(draft.shape.prefix);
    const { outcome, change } = judge(draft, record, { now, identify, position: () => 0 });
    if (change !== undefined) changes.push(change);
    return outcome;
  });
  const isSure = (one: Outcome) => 'record' in one || one.outcome === 'postponed';
  return { outcomes: outcomes.map((one) => (isSure(one) ? one : undefined)), changes };
}

function isChange(outcome: Outcome): outcome is Written {
  return outcome.outcome === 'created' || outcome.outcome === 'updated';
}

/** Reads which of the records that drafts leave unchanged are as remembered, beside the commit of the others. */
async function stillUnchanged(
  { placements, drafts: statementsOf }: Context,
  drafts: readonly KeyedDraft[],
  outcomes: readonly (Outcome | undefined)[],
) {
  const known = drafts.flatMap(({ draft: { shape, account } }, at) => {
    const outcome = outcomes[at];
    return outcome?.outcome === 'unchanged' ? { ...outcome.record, shape, account } : [];
  });
  const reading = byAccount(known, ({ account }) => account).flatMap(([account, own]) =>
    [...Map.groupBy(own, ({ shape }) => shape.resource)].map(([resource, some]) => {
      const identifiers = textArray(some.map(({ unique_identifier }) => unique_identifier));
      const versions = numberArray(some.map(({ version }) => version));
      const read = call(statementsOf(resource).unchanged, account, identifiers, versions);
      // What could not be read is left: the changes may be committed by then.
      return placements
        .at([account], 'read')
        .rows(read)
        .catch(() => []);
    }),
  );
  const same = new Set((await Promise.all(reading)).flat(2));
  return (record: StoredRecord) => same.has(record.unique_identifier);
}

async function write(
  session: Session,
  context: Context,
  locking: Locking,
  changes: readonly Change[],
): Promise<Done> {
  try {
    const groups = session.place.groups(locking.accounts);
    const locks = groups.map(([name, own]) =>
      name(locking.accounts.length === 1 ? call(lockOpen, own[0]) : call(lockFree, textArray(own))),
    );
    const writes = callsToWriteTogether(context, locking, groups, changes);
    const [, ...results] = await session.bundle([call(begin), ...locks, ...writes, call(commit)]);
    const done = readDone(results.slice(locks.length, -1));
    sweepCommits(context, done.positions);
    return done;
  } catch (error) {
    // Others were in the way.
    if (isClash(error)) return NOTHING;
    if (isUndone(error) || isOutOfReach(error) || isMoved(error)) throw error;
    const done = await settle(context, locking, error);
    return {
      positions: new Map(done.map(({ account, position }) => [account, position])),
      has: (identifier) => done.some(({ records }) => records.has(identifier)),
    };
  }
}

/**
 * The statements that number the commit in all accounts that the transaction has locked, and write what is as expected.
 * Accounts are locked before records, also where these do not lie together.
 */
function callsToWriteTogether(
  context: Context,
  locking: Locking,
  groups: ReturnType<TablePlace['groups']>,
  changes: readonly Change[],
): readonly Call<readonly unknown[]>[] {
  const all = placed(changes);
  const [[only] = []] = groups;
  if (only !== undefined && groups.length === 1) {
    return callsOfGroup(context, locking, all, 0).map(only);
  }
  return [
    ...groups.map(([name]) => name(call(appendEach, locking.token, locking.now))),
    ...groups.flatMap(([name, accounts]) => {
      const own = all.filter(({ record }) => accounts.includes(record.account));
      return callsOfGroup(context, locking, own, 1).map(name);
    }),
  ];
}

/** `numbering` is how many calls before have numbered the commit. */
function callsOfGroup(
  context: Context,
  { token, now }: Locking,
  changes: readonly PlacedChange[],
  numbering: number,
): readonly Call<readonly unknown[]>[] {
  return byResource(context, changes).map(([resource, own], nth) => {
    const { writeFirst, writeNext } = context.drafts(resource);
    /** Only what is made can have been erased: what is remembered exists, or is not changed. */
    const probesOf = ({ before, record: { account, external_identifier } }: Change): string =>
      before === undefined && external_identifier !== null
        ? context.erased.probesOf(account, [resource, external_identifier])
        : '';
    const rows = own.map((change) => {
      const entry = entryOf(change, context.keepsContent);
      const expected = change.before?.version ?? 0;
      const probes = probesOf(change);
      return { ...change.record, ...entry, place: change.place, expected, probes };
    });
    const statement = numbering + nth === 0 ? writeFirst : writeNext;
    return call(statement, token, now, ...arraysOf(SENT, rows), ...keysOf(own));
  });
}

/** The position of the commit in each account, and what was written. */
function readDone(texts: readonly Texts[]): Done {
  const positions = new Map<string, number>();
  const unwritten = new Set<unknown>();
  for (const [account, position, record] of texts.flat()) {
    if (typeof account === 'string') positions.set(account, Number(position));
    else unwritten.add(record);
  }
  // Usually all were written, and then no identifier need be hashed.
  const all = unwritten.size === 0;
  return { positions, has: (identifier) => all || !unwritten.has(identifier) };
}
