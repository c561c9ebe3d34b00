/**
 * A commit in one account, in one round trip where what is remembered of the records suffices; else in one to read, and
 * one to write where the store is as it was read. A commit that other writers hinder again and again waits for its
 * turn.
 */
import type { CommitOptions, Outcome } from '../../promises/store.ts';
import { commitInTurn } from '../commit/commit.ts';
import { readKnown } from '../commit/known.ts';
import type { Context } from '../context.ts';
import type { Named } from '../names.ts';
import { asPartlyDone, isClash, Moved } from '../wire/failure.ts';
import type { Session } from '../wire/session.ts';
import { commitAtOnce, type Guess } from './at-once.ts';

/** After this many attempts that other writers spoilt, the rest waits for its turn. */
const MAX_READS = 3;

/** The context and the options of a commit. */
export interface Committing {
  readonly context: Context;
  readonly options: CommitOptions;
}

/** Commits drafts of one account, each of a pair of its own. */
export async function commitOf(
  { context, options }: Committing,
  named: readonly Named[],
): Promise<readonly Outcome[]> {
  const { remembered } = context;
  const recalled = remembered.recall(named);
  const accounts = named.slice(0, 1).map(({ draft }) => draft.account);
  const use = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    context.lanes.take(accounts, async () => context.placements.at(accounts, 'drafts').use(work));
  const outcomes: (Outcome | undefined)[] = Array(named.length);
  let left = [...named.keys()];
  const take = (some: readonly (Outcome | undefined)[]): void => {
    for (const [at, outcome] of some.entries()) outcomes[left[at] as number] = outcome;
    left = left.filter((at) => outcomes[at] === undefined);
  };
  const those = (all: readonly Named[]): readonly Named[] =>
    left.length === all.length ? all : left.map((at) => all[at] as Named);
  try {
    if (remembered.suffices(recalled)) {
      take(await use((session) => fromMemory(session, context, recalled, options)));
    }
    // A receipt must not rely on what was read without a lock.
    const reads = isKeyed(named) ? 0 : MAX_READS;
    for (let read = 0; left.length > 0 && read < reads; read++) {
      take(await use((session) => readAndCommit(session, context, those(named), options)));
    }
    if (left.length > 0) take(await commitInTurn(context, those(named), options));
  } catch (error) {
    throw left.length < named.length ? asPartlyDone(error) : error;
  }
  remembered.learnAll(recalled, outcomes as Outcome[]);
  return outcomes as Outcome[];
}

/** Assumes that everything is as remembered. Positions are filled in later. */
const GUESS: Guess = {
  read: false,
  awaited: false,
  positionIn: () => 0,
  standing: { has: () => true },
  recordOf: ({ record }) => record,
  receipts: { kept: new Map(), expired: [] },
  removedAt: new Map(),
  isErased: () => false,
};

/**
 * Reads nothing: `recalled` are drafts with what is remembered of their records. Leaves
 * all of them where others are in the way, such as a receipt that is there already.
 */
export async function fromMemory(
  session: Session,
  context: Context,
  recalled: readonly Named[],
  options: CommitOptions,
): Promise<readonly (Outcome | undefined)[]> {
  try {
    return await commitAtOnce(session, context, { drafts: recalled, guess: GUESS, options });
  } catch (error) {
    if (isClash(error)) return recalled.map(() => undefined);
    throw error;
  }
}

/** Whether any of them has a receipt to keep. */
export function isKeyed(named: readonly Named[]): boolean {
  return named.some(({ draft }) => draft.receipt !== undefined);
}

/** Takes no lock while this process reads and merges: what others changed in the meantime is left. */
export async function readAndCommit(
  session: Session,
  context: Context,
  named: readonly Named[],
  options: CommitOptions,
): Promise<readonly (Outcome | undefined)[]> {
  const drafts = named.map(({ draft }) => draft);
  const [found, here] = await Promise.all([
    readKnown(session, context, drafts, {}, context.now()),
    session.place.isHere(session),
  ]);
  if (!here) throw new Moved();
  const guess = { ...found, read: true, positionIn: () => 0 };
  return commitAtOnce(session, context, { drafts: named, guess, options });
}
