/**
 * A commit in one round trip: drafts are merged with what is remembered of their
 * records, and written where the store has the same. Those for which it has not
 * are left.
 */
import type { CommitOptions, Outcome, Written } from '../../promises/store.ts';
import { type Change, entryOf, judge, judgeEach } from '../../records/judge.ts';
import { byResource, keysOf, type PlacedChange, placed } from '../commit/changes.ts';
import { type Context, draftsFor } from '../context.ts';
import { type Locking, newLocking, sweepCommits } from '../lock/lock.ts';
import { settle } from '../lock/uncertain.ts';
import { accountsOf, type Named } from '../names.ts';
import { begin, commit } from '../statements/commits.ts';
import { arraysOf } from '../statements/prepare.ts';
import { appendEach, lockFree, lockOpen, SENT } from '../statements/together.ts';
import type { Texts } from '../wire/bundle.ts';
import { isClash, isMoved, isOutOfReach, isStatementError } from '../wire/failure.ts';
import { type Call, call, type Session, type TablePlace } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

/** The outcome of a write. */
interface Done {
  /** By account. */
  readonly positions: ReadonlyMap<string, number>;
  readonly has: (unique_identifier: string) => boolean;
}

/**
 * Commits drafts, each of a pair of its own and without a receipt, and returns their outcomes; `undefined` for those
 * that are left, such as all in accounts of which something was erased. Those of one account wait in its queue; those
 * of several are left where another transaction has it. Throws `Lost` where the connection was lost and nothing was
 * done, and `Uncertain` where it is unknown what was.
 */
export async function commitFromMemory(
  context: Context,
  drafts: readonly Named[],
  options: CommitOptions,
  access: 'drafts' | 'shared',
): Promise<readonly (Outcome | undefined)[]> {
  const accounts = accountsOf(drafts);
  return context.accountQueues.run(accounts, async () =>
    context.placements.at(accounts, access).use(async (session) => {
      const locking = newLocking(accounts, context.now());
      const { outcomes, changes } = judged(context, drafts, options, locking.now);
      if (changes.length === 0) return outcomes;
      const { positions, has } = await write(session, context, locking, changes);
      return outcomes.map((outcome, at) => {
        if (outcome === undefined || !isChange(outcome)) return outcome;
        const { record } = outcome;
        const position = positions.get(drafts[at]?.draft.account ?? '');
        if (position === undefined || !has(record.unique_identifier)) return undefined;
        return { ...outcome, record: { ...record, position } };
      });
    }),
  );
}

/** Nothing that is only remembered is answered: what changes nothing is left. Positions are filled in later. */
function judged(context: Context, drafts: readonly Named[], options: CommitOptions, now: number) {
  const changes: Change[] = [];
  const outcomes = judgeEach(drafts, options, ({ draft, record }) => {
    const identify = () => context.identify(draft.shape.prefix);
    const { outcome, change } = judge(draft, record, { now, identify, position: () => 0 });
    if (change !== undefined) changes.push(change);
    return outcome;
  });
  const isSure = (one: Outcome) => isChange(one) || one.outcome === 'postponed';
  return { outcomes: outcomes.map((one) => (isSure(one) ? one : undefined)), changes };
}

function isChange(outcome: Outcome): outcome is Written {
  return outcome.outcome === 'created' || outcome.outcome === 'updated';
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
    if (isClash(error)) return { positions: new Map(), has: () => false };
    if (isStatementError(error) || isOutOfReach(error) || isMoved(error)) throw error;
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
    const { writeFirst, writeNext } = draftsFor(context, resource);
    const rows = own.map((change) => {
      const entry = entryOf(change, context.keepsContent);
      const expected = change.before?.version ?? 0;
      return { ...change.record, ...entry, place: change.place, expected };
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
