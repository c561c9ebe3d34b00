/**
 * The ordinary commit of drafts: locks their accounts, reads the facts they depend on, judges each, and writes the
 * changes.
 */
import { sealedProbe } from '../../promises/erasing/sealed.ts';
import { receiptsFull, recordChanged } from '../../promises/refusals.ts';
import type {
  CommitOptions,
  Draft,
  Erased,
  Outcome,
  Refused,
  StoredReceipt,
  StoredRecord,
  Written,
} from '../../promises/store.ts';
import { type Change, judge, judgeEach, parentMissing, withheld } from '../../records/judge.ts';
import { toRecord } from '../../records/records.ts';
import type { Context } from '../context.ts';
import { type Locked, type Locking, partsOf } from '../lock/lock.ts';
import { type LockedResult, underLock } from '../lock/under-lock.ts';
import { type KeyedDraft, receiptName } from '../names.ts';
import { gone } from '../statements/changes.ts';
import { call, type Session, type TablePlace } from '../wire/session.ts';
import { textsOf } from '../wire/values.ts';
import { callsToWrite } from './changes.ts';
import {
  findReceipts,
  type NewReceipt,
  receiptOfWrite,
  receiptsOfBatch,
  repeatedOrFull,
  writesOfReceipts,
} from './receipts.ts';

/** `undefined` for drafts that are left, since a `shared` commit leaves out accounts that are closed or that others have locked. */
export async function commitUnderLock(
  context: Context,
  named: readonly KeyedDraft[],
  options: CommitOptions,
  access: 'drafts' | 'shared',
): Promise<readonly (Outcome | undefined)[]> {
  const accounts = named.map(({ draft }) => draft.account);
  return underLock<Facts, readonly (Outcome | undefined)[]>(
    context,
    accounts,
    {
      read: (session, locking) => readFacts(session, context, named, options, locking),
      async write(session, facts, locked) {
        const isOwn = ({ draft }: KeyedDraft) =>
          !locked.shared || locked.positions.has(draft.account);
        const own = named.filter(isOwn);
        const marked = own.flatMap(({ draft }) => (locked.marked.has(draft.account) ? draft : []));
        const erased = await context.erased.among(session, marked);
        const known = { ...facts, ...locked, erased };
        const { result, ...writes } = judgeAll(session.place, context, own, options, known);
        const outcomes = result.values();
        return {
          ...writes,
          result: named.map((one) => (isOwn(one) ? outcomes.next().value : undefined)),
        };
      },
    },
    access,
  );
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

/** Reads the facts that a commit of drafts depends on, in one round trip. */
async function readFacts(
  session: Session,
  context: Context,
  named: readonly KeyedDraft[],
  options: CommitOptions,
  locking: Locking,
) {
  const drafts = named.map(({ draft }) => draft);
  const [receipts, found, removedAt] = await Promise.all([
    findReceipts(session, context, receiptsOf(drafts, options)),
    readRecords(session, context, named, locking),
    readRemoved(session, drafts),
  ]);
  return { receipts, removedAt, ...found };
}

function receiptsOf(drafts: readonly Draft[], { receipt: whole }: CommitOptions) {
  if (whole !== undefined) {
    const accounts = new Set(drafts.map(({ account }) => account));
    return [...accounts].map((account) => ({ account, ...whole }));
  }
  return drafts.flatMap(({ account, receipt }) => (receipt ? { account, ...receipt } : []));
}

/** Finds the position at which each record to be restored was last removed, by unique identifier. */
async function readRemoved(session: Session, drafts: readonly Draft[]) {
  const found = drafts.flatMap(({ shape, account, restores }) => {
    const record = restores?.gone?.unique_identifier;
    if (record === undefined) return [];
    const rows = session.rowsOf(account, call(gone, account, record, shape.resource));
    return [rows.then((one) => one.map(([position]) => [record, position] as const))];
  });
  return new Map((await Promise.all(found)).flat());
}

/**
 * Finds the pairs of drafts whose parents exist, and the records that drafts may change, by their pairs: one statement for
 * each resource.
 */
async function readRecords(
  session: Session,
  context: Context,
  named: readonly KeyedDraft[],
  locking: Locking,
) {
  const standing = new Set<string>();
  const records = new Map<string, StoredRecord>();
  const reading = partsOf(locking, session.place).flatMap(([name, accounts]) => {
    const isIn = new Set(accounts);
    const own = named.filter(({ draft }) => isIn.has(draft.account));
    return [...Map.groupBy(own, ({ draft }) => draft.shape.resource)].map(
      async ([resource, some]) => {
        const { look, lookIn } = context.drafts(resource);
        const drafts = some.map(({ draft }) => draft);
        const values = textsOf(drafts, 'account', 'parent', 'external_identifier');
        const wanted = call(accounts.length === 1 ? lookIn : look, ...values);
        for (const [nth, stands, ...row] of await session.rows(name(wanted))) {
          const pair = some[nth - 1]?.pair ?? '';
          if (stands) standing.add(pair);
          if (row[0] !== null) records.set(pair, toRecord(row));
        }
      },
    );
  });
  await Promise.all(reading);
  return { standing, records };
}

/** The state that drafts are judged by: it stays as it is until the commit. */
interface Known extends Facts, Locked {
  readonly erased: { readonly has: (draft: Draft) => boolean };
}

function judgeAll(
  place: TablePlace,
  context: Context,
  named: readonly KeyedDraft[],
  options: CommitOptions,
  known: Known,
): LockedResult<readonly Outcome[]> {
  const { receipt } = options;
  const early = receipt && repeatedOrFull(context, known.receipts, receipt);
  if (early !== undefined) return { result: named.map(() => early) };
  const batch = createBatch(context, known);
  const result = judgeEach(named, options, batch.apply);
  if (options.atomic && result.some(({ outcome }) => outcome === 'refused')) {
    return { result: result.map(withheld) };
  }
  const drafts = named.map(({ draft }) => draft);
  const ofAll = receipt === undefined ? [] : receiptsOfBatch(receipt, drafts, result);
  const receipts = [...batch.receipts, ...ofAll];
  const { calls, taken } = writesOfReceipts(place, receipts, known.receipts.expired);
  const writes = [...callsToWrite(context, known, batch, place), ...calls];
  return { result, calls: writes.length === 0 ? undefined : writes, taken };
}

/** Judges drafts one at a time, and collects what is to be written for them. */
function createBatch({ rooms, identify }: Context, known: Known) {
  /** The receipts of drafts that succeeded. */
  const receipts: NewReceipt[] = [];
  /** Every change, in order. */
  const steps: Change[] = [];
  /** Every record to write, as the last of its drafts leaves it, by pair. */
  const changes = new Map<string, Change>();
  const repeated = new Map<string, StoredReceipt>();

  function apply(named: KeyedDraft): Outcome {
    const { account, receipt } = named.draft;
    if (receipt === undefined) return write(named);
    const name = receiptName({ account, ...receipt });
    const stored = repeated.get(name) ?? known.receipts.stored.get(name);
    if (stored !== undefined) return { outcome: 'repeated', receipt: stored };
    if (rooms.isFull(receipt.owner)) return { outcome: 'refused', error: receiptsFull() };
    const written = write(named);
    if ('record' in written) {
      const { outcome, record } = written;
      receipts.push(receiptOfWrite(receipt, written));
      const { fingerprint } = receipt;
      repeated.set(name, { fingerprint, outcome, version: record.version, record });
    }
    return written;
  }

  function write({ draft, pair }: KeyedDraft): Written | Refused | Erased {
    const { shape, account, external_identifier, restores } = draft;
    if (!known.open.has(account) || !known.standing.has(pair)) {
      return { outcome: 'refused', error: parentMissing(shape) };
    }
    const changed = changes.get(pair);
    const before = changed?.record ?? known.records.get(pair);
    const isSealed = sealedProbe(external_identifier) !== undefined;
    if ((before === undefined || isSealed) && known.erased.has(draft)) return { outcome: 'erased' };
    const gone = before === undefined ? restores?.gone : undefined;
    if (gone !== undefined && known.removedAt.get(gone.unique_identifier) !== gone.position) {
      return { outcome: 'refused', error: recordChanged(shape) };
    }
    const { outcome, change } = judge(draft, before, {
      now: known.now,
      identify: () => identify(shape.prefix),
      position: () => known.positions.get(account) ?? 0,
    });
    if (change !== undefined) {
      steps.push(change);
      // Several drafts of one record are written once, as the last of them leaves it.
      const first = changed === undefined ? change.before : changed.before;
      const made = first === undefined ? 'created' : 'updated';
      changes.set(pair, { ...change, outcome: made, before: first });
    }
    return outcome;
  }

  return { apply, receipts, steps, changes };
}
