/** Empties accounts, or removes them with everything in them, as jobs in small steps. They are closed meanwhile. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../core/errors.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import type { StaffGrant } from '../store/promises/staff.ts';
import type { Account, Store } from '../store/promises/store.ts';
import { type JobSubject, Jobs } from './jobs.ts';

const KIND = 'emptying';
/** The length of a pause, as a multiple of the step before it. */
const PAUSE = 2;
const LEAST_PAUSE_MS = 10;
const MOST_PAUSE_MS = 500;

type Emptied = Pick<Store, 'accounts' | 'jobs' | 'keys' | 'staff' | 'findAll'>;

/** How many records an account had, by resource, parents before children. */
export type Contents = Readonly<Record<string, number>>;

interface EmptyingSubject extends JobSubject {
  readonly isRemoved: boolean;
  /** Whether it had begun: it is not begun again where another process has ended it meanwhile. */
  readonly isBegun: boolean;
}

/** `undefined`: the account does not exist; an error: a hold keeps it as it is. */
type Outcome = Contents | ApiError | undefined;

/** `anchor` is the resource that keys and people can be limited to. */
export function createEmptying(store: Emptied, anchor: RecordShape) {
  return new Jobs<EmptyingSubject, Outcome>({
    kind: KIND,
    book: store.jobs,
    due: async () => {
      const [accounts, jobs] = await Promise.all([store.accounts.list(), store.jobs.list()]);
      const names = new Set(accounts.map(({ unique_identifier }) => unique_identifier));
      return [
        ...accounts.flatMap(({ unique_identifier, becomes }) =>
          becomes === null ? [] : [subjectOf(unique_identifier, becomes === 'gone', true)],
        ),
        // A process that was killed at the very end has left the job of an account that is gone.
        ...jobs.flatMap(({ kind, account }) =>
          kind === KIND && !names.has(account) ? [subjectOf(account, true, true)] : [],
        ),
      ];
    },
    work: (subject) => emptying(store, anchor, subject),
  });
}

/** Resolves when the account is emptied, or is gone; `undefined` if it does not exist. Throws `record_held`. */
export async function emptyAccount(
  store: Emptied,
  anchor: RecordShape,
  account: string,
  { isRemoved, report }: { isRemoved: boolean; report?: (records: number) => void },
): Promise<Contents | undefined> {
  const known = await begunIn(store, account);
  const becomes = await becomesOf(store, account);
  const isBegun = becomes !== null && (becomes === 'gone') === isRemoved;
  const subject = subjectOf(account, isRemoved, isBegun);
  let records = 0;
  const outcome = await createEmptying(store, anchor).run(subject, (some) => {
    records += some;
    report?.(records);
  });
  if (outcome instanceof ApiError) throw outcome;
  return known ?? outcome ?? (isBegun ? {} : undefined);
}

function subjectOf(account: string, isRemoved: boolean, isBegun: boolean): EmptyingSubject {
  return { account, unique_identifier: account, isRemoved, isBegun };
}

/** Returns whether an account that is being emptied stays, or is gone then. */
async function becomesOf({ accounts }: Emptied, account: string): Promise<Account['becomes']> {
  return (await accounts.find(account))?.becomes ?? null;
}

async function* emptying(
  store: Emptied,
  anchor: RecordShape,
  { account, isRemoved, isBegun }: EmptyingSubject,
): AsyncGenerator<number, Outcome> {
  const { accounts, jobs } = store;
  if (isBegun && (await becomesOf(store, account)) === null) return undefined;
  try {
    if (!isBegun && !(await accounts.beginEmptying(account, isRemoved))) return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  let contents = await begunIn(store, account);
  if (contents === undefined) {
    contents = Object.fromEntries(await accounts.contents(account));
    await jobs.note({ account, kind: KIND, object: account }, contents);
  }
  if (isRemoved) await narrow(store, anchor, account);
  for (;;) {
    const began = performance.now();
    const some = await accounts.emptySome(account);
    if (some === undefined) return contents;
    const took = performance.now() - began;
    await pause(Math.min(Math.max(took * PAUSE, LEAST_PAUSE_MS), MOST_PAUSE_MS));
    yield some;
  }
}

/** Finds the contents of an account that were counted when its emptying began, if that has not ended. */
async function begunIn({ jobs }: Emptied, account: string): Promise<Contents | undefined> {
  const all = await jobs.of(account);
  return all.find(({ kind, object }) => kind === KIND && object === account)?.counts ?? undefined;
}

/** Takes an account away from all keys and people; who has no other goes with it. */
async function narrow({ keys, staff, findAll }: Emptied, anchor: RecordShape, account: string) {
  /** The rest of a scope without the account; `undefined`: nothing is left. */
  const without = async (scope: Pick<StaffGrant, 'accounts' | 'anchors' | 'region'>) => {
    const accounts = scope.accounts.filter((one) => one !== account);
    if (accounts.length === 0) return undefined;
    if (scope.anchors === null || scope.region !== null)
      return { accounts, anchors: scope.anchors };
    const within = { accounts: new Set(accounts), anchors: undefined };
    const found = await findAll(anchor, scope.anchors, within);
    const anchors = found.map(({ unique_identifier }) => unique_identifier);
    return anchors.length === 0 ? undefined : { accounts, anchors };
  };
  for (const key of await keys.list()) {
    if (key.accounts.includes(account)) await keys.limit(key.unique_identifier, await without(key));
  }
  for (const member of await staff.list()) {
    if (!member.accounts.includes(account)) continue;
    const left = await without(member);
    if (left === undefined) await staff.remove(member.unique_identifier);
    else await staff.grant(member.unique_identifier, { ...member, ...left });
  }
}
