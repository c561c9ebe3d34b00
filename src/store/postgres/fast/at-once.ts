/**
 * A commit in one round trip: drafts are merged with what is known of their
 * records, and written where the store has the same. Those for which it has not
 * are left.
 */

import type { CommitOptions, Outcome, Written } from '../../promises/store.ts';
import type { Change } from '../../records/change.ts';
import { judgeEach } from '../../records/outcomes.ts';
import { Batch } from '../commit/batch.ts';
import { callsToWriteTogether, readWritten } from '../commit/changes.ts';
import type { Known } from '../commit/known.ts';
import { callsToKeepWritten, takingOf } from '../commit/receipts.ts';
import { type Context, draftsFor } from '../context.ts';
import { accountsOf, type Named } from '../names.ts';
import { begin, commit } from '../statements/commits.ts';
import { sweepCommits } from '../turn/sweep.ts';
import { callToLockTogether, newTurn, type Turn } from '../turn/turn.ts';
import { type Place, settle } from '../turn/unsure.ts';
import type { Texts } from '../wire/bundle.ts';
import { isMoved, isOutOfReach, isStatementError, Lost, Unsure } from '../wire/failure.ts';
import { type Call, call, type Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

/** The outcome of a write. */
interface Done {
  /** By account. */
  readonly positions: ReadonlyMap<string, number>;
  readonly has: (unique_identifier: string) => boolean;
}

/** A state of the store: read a moment ago, or only remembered, and then no answer may rely on it. */
export interface Guess extends Known {
  readonly read: boolean;
  /** Whether what was read must be followed by a commit, since a standby may not have it yet. */
  readonly awaited: boolean;
}

/** Drafts, and what they are judged by. */
export interface Judging {
  readonly drafts: readonly Named[];
  readonly guess: Guess;
  readonly options: CommitOptions;
}

/**
 * Commits drafts, each of a pair of its own, and returns their outcomes; drafts with a receipt only by what is
 * remembered. `undefined` for those that are left. Those of one account wait for its turn; those of several are left where another
 * transaction has it. Throws `Lost` where the connection was lost and nothing was done, and `Unsure` where it is
 * unknown what was.
 */
export async function commitAtOnce(
  session: Session,
  context: Context,
  { drafts, guess, options }: Judging,
): Promise<readonly (Outcome | undefined)[]> {
  const now = context.now();
  const batch = new Batch(context, guess, now);
  const judged = judgeEach(drafts, options, (named) => batch.apply(named));
  const outcomes = judged.map((outcome) =>
    guess.read || isChange(outcome) || outcome.outcome === 'postponed' ? outcome : undefined,
  );
  const { changes } = batch;
  const accounts = accountsOf(drafts);
  if (accounts.length === 0 || (changes.length === 0 && !guess.awaited)) return outcomes;
  const kept = batch.receipts.filter(({ outcome }) => outcome !== 'unchanged');
  const turn = newTurn(accounts, now);
  const keeping = callsToKeepWritten(session.place, turn.token, kept);
  const done = await write(session, context, turn, changes, keeping);
  const written = kept.filter(({ record }) => done.has(record.unique_identifier));
  context.rooms.take(written.map(takingOf));
  return outcomes.map((outcome, at) => {
    const position = done.positions.get(drafts[at]?.draft.account ?? '');
    if (outcome === undefined || !isChange(outcome)) {
      // Nothing that waits for the standby follows a draft that changed nothing, in an account that was left out.
      return guess.awaited && position === undefined ? undefined : outcome;
    }
    const { record } = outcome;
    if (position === undefined || !done.has(record.unique_identifier)) return undefined;
    return { ...outcome, record: { ...record, position } };
  });
}

function isChange(outcome: Outcome): outcome is Written {
  return outcome.outcome === 'created' || outcome.outcome === 'updated';
}

async function write(
  session: Session,
  context: Context,
  turn: Turn,
  changes: readonly Change[],
  keeping: readonly Call[],
): Promise<Done> {
  try {
    const groups = session.place.groups(turn.accounts);
    const locks = groups.map(([name, own]) => name(callToLockTogether(turn, own)));
    const writes = callsToWriteTogether(context, turn, groups, changes);
    const [, ...results] = await session.bundle([
      call(begin),
      ...locks,
      ...writes,
      ...keeping,
      call(commit),
    ]);
    const done = readDone(results.slice(locks.length, locks.length + writes.length));
    sweepCommits(context, done.positions);
    return done;
  } catch (error) {
    if (isStatementError(error) || isOutOfReach(error) || isMoved(error)) throw error;
    const look = (on: Session, place: Place) => whichWereDone(on, context, changes, place);
    const done = await settle(context, turn, look, error);
    if (done.length === 0) throw new Lost('the connection was lost before the commit was done');
    return {
      positions: new Map(done.flatMap(({ positions }) => [...positions])),
      has: (identifier) => done.some(({ has }) => has(identifier)),
    };
  }
}

function readDone(texts: readonly Texts[]): Done {
  const { positions, unwritten } = readWritten(texts);
  // Usually all were written, and then no identifier need be hashed.
  const all = unwritten.size === 0;
  return { positions, has: (identifier) => all || !unwritten.has(identifier) };
}

/**
 * Which changes were written in an account by a commit that was done, but did not say so.
 * Throws `Unsure` where others may have changed or removed one of them since.
 */
async function whichWereDone(
  session: Session,
  context: Context,
  changes: readonly Change[],
  { account, position, last }: Place,
): Promise<Done> {
  const written = new Set<string>();
  const own = changes.filter(({ record }) => record.account === account);
  for (const [resource, some] of Map.groupBy(own, ({ shape }) => shape.resource)) {
    const identifiers = textArray(some.map(({ record }) => record.unique_identifier));
    const { versions } = draftsFor(context, resource);
    const rows = await session.rows(call(versions, account, identifiers));
    const found = new Map(rows.map((row) => [row[0], row]));
    for (const { before, record } of some) {
      const [, version = 0, changedAt] = found.get(record.unique_identifier) ?? [];
      const notYet = version > 0 && version <= (before?.version ?? 0);
      if (changedAt === position) written.add(record.unique_identifier);
      else if (last > position && !notYet) throw new Unsure('others have committed since');
    }
  }
  return {
    positions: new Map([[account, position]]),
    has: (identifier) => written.has(identifier),
  };
}
