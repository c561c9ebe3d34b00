/** What a commit of drafts needs to know, read within its transaction in one round trip. */

import { toRecord } from '../records.ts';
import type { CommitOptions, Draft, Receipt, StoredRecord } from '../store.ts';
import { type Context, draftsFor, tableFor } from './context.ts';
import { type Named, pairName, standingName } from './names.ts';
import { type FoundReceipts, findReceipts } from './receipts.ts';
import { call, type Session } from './session.ts';
import { keepStanding } from './statements/commits.ts';
import { textArray } from './values.ts';

/** What was found, each thing by its name. */
export interface Known {
  /** The mark of the commit. */
  readonly mark: number;
  /** Parents that stand, and will until the commit. */
  readonly standing: Pick<ReadonlySet<string>, 'has'>;
  /** Records that drafts may change; nobody else changes them until the commit. */
  readonly recordOf: (named: Named) => StoredRecord | undefined;
  readonly receipts: FoundReceipts;
}

export async function readKnown(
  session: Session,
  context: Context,
  drafts: readonly Draft[],
  options: CommitOptions,
  now: number,
): Promise<Known> {
  // Accounts before what is in them, parents before children, and all in one order: no two commits wait for each other.
  const marking = session.rows(keepStanding(new Set(drafts.map(({ account }) => account))));
  const [[marked], receipts, standing, records] = await Promise.all([
    marking,
    findReceipts(session, receiptsOf(drafts, options), now),
    readStanding(session, context, drafts),
    readRecords(session, context, drafts),
  ]);
  if (marked === undefined) throw new TypeError('A transaction has no mark.');
  return { mark: marked[0], standing, recordOf: ({ pair }) => records.get(pair), receipts };
}

function receiptsOf(drafts: readonly Draft[], options: CommitOptions): readonly Receipt[] {
  return drafts.flatMap(({ receipt }) => receipt ?? []).concat(options.receipt ?? []);
}

async function readStanding(
  session: Session,
  context: Context,
  drafts: readonly Draft[],
): Promise<ReadonlySet<string>> {
  const wanted = new Map<string, Map<string, readonly [string, string]>>();
  const want = (resource: string, account: string, unique_identifier: string): void => {
    const ofResource = wanted.get(resource) ?? new Map();
    ofResource.set(`${account}\0${unique_identifier}`, [account, unique_identifier]);
    wanted.set(resource, ofResource);
  };
  for (const { shape, account, parent } of drafts) {
    if (shape.parent !== undefined) want(shape.parent.resource, account, parent);
  }
  const found = await Promise.all(
    [...wanted].map(async ([resource, parents]) => {
      const { standing } = tableFor(context, resource).records;
      const accounts = textArray([...parents.values()].map(([account]) => account));
      const identifiers = textArray([...parents.values()].map(([, identifier]) => identifier));
      const rows = await session.rows(call(standing, accounts, identifiers));
      return rows.map(([account, identifier]) => standingName(resource, account, identifier));
    }),
  );
  return new Set(found.flat());
}

async function readRecords(
  session: Session,
  context: Context,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<string, StoredRecord>> {
  const found = await Promise.all(
    [...context.tables.keys()].map(async (resource) => {
      const wanted = drafts.filter(({ shape }) => shape.resource === resource);
      if (wanted.length === 0) return [];
      const rows = await session.rows(
        call(
          draftsFor(context, resource).take,
          textArray(wanted.map(({ account }) => account)),
          textArray(wanted.map(({ parent }) => parent)),
          textArray(wanted.map(({ external_identifier }) => external_identifier)),
        ),
      );
      return rows.map((row): [string, StoredRecord] => {
        const record = toRecord(row);
        const { account, parent, external_identifier } = record;
        return [pairName(resource, account, parent ?? '', external_identifier ?? ''), record];
      });
    }),
  );
  return new Map(found.flat());
}
