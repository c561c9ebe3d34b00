/** Reads the facts that a commit of drafts depends on, in one round trip. */

import type { CommitOptions, Draft, StoredRecord } from '../../promises/store.ts';
import { toRecord } from '../../records/records.ts';
import { type Context, draftsFor } from '../context.ts';
import type { Named, ReceiptPlace } from '../names.ts';
import { gone } from '../statements/changes.ts';
import { partsOf, type Turn } from '../turn/turn.ts';
import { call, type Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';
import { type FoundReceipts, findReceipts } from './receipts.ts';

/** The state that drafts are judged by, read while their accounts are locked: it stays valid until the commit. */
export interface Known {
  /** The pairs of drafts whose parents exist. */
  readonly standing: ReadonlySet<string>;
  /** The records that drafts may change, by their pairs. */
  readonly records: ReadonlyMap<string, StoredRecord>;
  readonly receipts: FoundReceipts;
  /** The position at which each record to be restored was last removed, by unique identifier. */
  readonly removedAt: ReadonlyMap<string, number>;
  /** The drafts whose records were erased. */
  readonly erased: { readonly has: (draft: Draft) => boolean };
}

export async function readKnown(
  session: Session,
  context: Context,
  named: readonly Named[],
  options: CommitOptions,
  turn: Turn,
): Promise<Omit<Known, 'erased'>> {
  const drafts = named.map(({ draft }) => draft);
  const [receipts, found, removedAt] = await Promise.all([
    findReceipts(session, receiptsOf(drafts, options), turn.now),
    readRecords(session, context, named, turn),
    readRemoved(session, drafts),
  ]);
  return { receipts, removedAt, ...found };
}

/** The receipts to be looked for. */
function receiptsOf(
  drafts: readonly Draft[],
  { receipt: whole }: CommitOptions,
): readonly ReceiptPlace[] {
  if (whole !== undefined) {
    const accounts = new Set(drafts.map(({ account }) => account));
    return [...accounts].map((account) => ({ account, ...whole }));
  }
  return drafts.flatMap(({ account, receipt }) => (receipt ? { account, ...receipt } : []));
}

async function readRemoved(
  session: Session,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<string, number>> {
  const found = drafts.flatMap(({ shape, account, restores }) => {
    const record = restores?.gone?.unique_identifier;
    if (record === undefined) return [];
    const rows = session.rowsOf(account, call(gone, account, record, shape.resource));
    return [rows.then((one) => one.map(([position]) => [record, position] as const))];
  });
  return new Map((await Promise.all(found)).flat());
}

/** One statement for each resource. */
async function readRecords(
  session: Session,
  context: Context,
  named: readonly Named[],
  turn: Turn,
): Promise<Pick<Known, 'standing' | 'records'>> {
  const standing = new Set<string>();
  const records = new Map<string, StoredRecord>();
  const reading = partsOf(turn, session.place).flatMap(([name, accounts]) => {
    const isIn = new Set(accounts);
    const own = named.filter(({ draft }) => isIn.has(draft.account));
    return [...Map.groupBy(own, ({ draft }) => draft.shape.resource)].map(
      async ([resource, some]) => {
        const { look, lookIn } = draftsFor(context, resource);
        const wanted = call(
          accounts.length === 1 ? lookIn : look,
          textArray(some.map(({ draft }) => draft.account)),
          textArray(some.map(({ draft }) => draft.parent)),
          textArray(some.map(({ draft }) => draft.external_identifier)),
        );
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
