/** Reads the facts that a commit of drafts depends on, in one round trip. */

import type { CommitOptions, Draft, StoredRecord } from '../../promises/store.ts';
import { toRecord } from '../../records/records.ts';
import { type Context, draftsFor, tableFor } from '../context.ts';
import { byAccount, type Named, pairName, type ReceiptPlace, standingName } from '../names.ts';
import { gone } from '../statements/changes.ts';
import { call, type Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';
import { type FoundReceipts, findReceipts } from './receipts.ts';

/** The facts that drafts are judged by, under their names. */
export interface Known {
  /** The position of the commit in an account; 0 if it is not known yet. */
  readonly positionIn: (account: string) => number;
  /** Parents that exist. */
  readonly standing: Pick<ReadonlySet<string>, 'has'>;
  /** Records that drafts may change. */
  readonly recordOf: (named: Named) => StoredRecord | undefined;
  readonly receipts: FoundReceipts;
  /** The position at which each record to be restored was last removed, by unique identifier. */
  readonly removedAt: ReadonlyMap<string, number>;
  /** Whether the record that a draft would make was erased. */
  readonly isErased: (named: Named) => boolean;
}

/** The same as read from the store. For a reader that has the turn of the accounts, it stays valid until its commit. */
export interface Found extends Omit<Known, 'positionIn'> {
  /** Whether commits wait for a standby, as far as a parent stands. */
  readonly awaited: boolean;
}

export async function readKnown(
  session: Session,
  context: Context,
  drafts: readonly Draft[],
  options: CommitOptions,
  now: number,
): Promise<Found> {
  const [receipts, standing, records, removedAt, erased] = await Promise.all([
    findReceipts(session, receiptsOf(drafts, options), now),
    readStanding(session, context, drafts),
    readRecords(session, context, drafts),
    readRemoved(session, drafts),
    context.erased.among(session, drafts),
  ]);
  return {
    recordOf: ({ pair }) => records.get(pair),
    ...standing,
    ...{ receipts, removedAt, isErased: ({ draft }) => erased.has(draft) },
  };
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

async function readStanding(
  session: Session,
  context: Context,
  drafts: readonly Draft[],
): Promise<Pick<Found, 'standing' | 'awaited'>> {
  const standing = new Set<string>();
  let awaited = false;
  const parents = Map.groupBy(drafts, ({ shape }) => shape.parent?.resource ?? '');
  const found = [...parents].flatMap(([resource, below]) =>
    byAccount(below, ({ account }) => account).map(async ([account, some]) => {
      const identifiers = new Set(some.map(({ parent }) => parent));
      const { records } = tableFor(context, resource);
      const wanted = call(records.standing, account, textArray([...identifiers]));
      for (const [identifier, awaits] of await session.rowsOf(account, wanted)) {
        standing.add(standingName(resource, account, identifier));
        awaited ||= awaits;
      }
    }),
  );
  await Promise.all(found);
  return { standing, awaited };
}

async function readRecords(
  session: Session,
  context: Context,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<string, StoredRecord>> {
  const records = new Map<string, StoredRecord>();
  const resources = Map.groupBy(drafts, ({ shape }) => shape.resource);
  const found = [...resources].flatMap(([resource, some]) =>
    byAccount(some, ({ account }) => account).map(async ([account, some]) => {
      const wanted = call(
        draftsFor(context, resource).findPairs,
        account,
        textArray(some.map(({ parent }) => parent)),
        textArray(some.map(({ external_identifier }) => external_identifier)),
      );
      const rows = await session.rowsOf(account, wanted);
      for (const row of rows) {
        const record = toRecord(row);
        const { parent, external_identifier } = record;
        records.set(pairName(resource, account, parent ?? '', external_identifier ?? ''), record);
      }
    }),
  );
  await Promise.all(found);
  return records;
}
