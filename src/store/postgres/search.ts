/** The index of search in tables next to the records, each row with its account. */
import { randomUUID } from 'node:crypto';
import { CUT, endOf, type TermRange } from '../../core/schema/search/searching.ts';
import {
  createFeeder,
  type FeedSource,
  type IndexPosition,
  type IndexStep,
  type TermTable,
  toIndexPosition,
} from '../feeder.ts';
import {
  MAX_LOOKED_AT,
  MAX_NEAR,
  MAX_NEAR_EACH,
  MAX_TAKEN,
  type SearchIndex,
} from '../promises/search.ts';
import type { Scope } from '../promises/store.ts';
import { scan } from '../scan.ts';
import type { Context } from './context.ts';
import { inAccount } from './lock/transaction.ts';
import * as statements from './statements/search.ts';
import { call, type Session, type Statement } from './wire/session.ts';
import { textArray, textsOf } from './wire/values.ts';

/** Some milliseconds of work of the serving thread. */
const SCANNED = { count: 500, bytes: 262_144 };
/** How long the lease of the feeding process lasts. */
const LEASE_MS = 30_000;
/** How often it is renewed. */
const RENEWED_MS = 10_000;
/** Rows that are cleared in one go. */
const CLEARED_AT_ONCE = 2_000;

export function createSearch(context: Context, store: FeedSource): SearchIndex {
  const holder = randomUUID();
  let renewAt = Number.NEGATIVE_INFINITY;
  const feeder = createFeeder(store, context.shapes, createTerms(context));

  /** Two feeders at once would do no harm, only double work. */
  async function mayFeed(): Promise<boolean> {
    if (performance.now() < renewAt) return true;
    const taken = await context.sessions.use(async (session) => {
      const [row] = await session.rows(call(statements.serverTime));
      const now = row?.[0] ?? 0;
      return session.run(
        call(statements.takeLease, holder, now + LEASE_MS, now, now + 2 * LEASE_MS),
      );
    });
    if (taken.count !== 1) return false;
    renewAt = performance.now() + RENEWED_MS;
    return true;
  }

  return {
    async findNear({ scope, near }) {
      const below = anchorsIn(scope);
      const rows = await context.placements.each(scope.accounts, (session, accounts) =>
        Promise.all(
          accounts.flatMap((account) =>
            near.map(({ starts, holding }) => {
              const [from, to] = [textArray(starts), textArray(starts.map(endOf))];
              const most = [MAX_NEAR_EACH, MAX_NEAR] as const;
              return session.rowsOf(
                account,
                call(statements.searchNear, account, from, to, below, patterns(holding), ...most),
              );
            }),
          ),
        ),
      );
      return [...new Set(rows.flat(2).map(([record]) => record))].sort().reverse();
    },
    async find({ scope, ranges }) {
      const below = anchorsIn(scope);
      const found = new Set<string>();
      const complete = await context.placements.each(scope.accounts, (session, accounts) =>
        Promise.all(
          accounts.flatMap((account) =>
            ranges.map(async ({ whole, likely }) => {
              const look = (range: TermRange) => lookThrough(session, account, range, below, found);
              for (const range of whole) if (await look(range)) return true;
              await Promise.all(likely.map(look));
              return false;
            }),
          ),
        ),
      );
      return { records: [...found].sort().reverse(), all: !complete.flat().includes(false) };
    },
    async has(account, records) {
      const known = call(statements.known, account, textArray(records));
      return (await context.placements.at([account], 'read').rows(known)).length;
    },
    async cut() {
      const [row] = await context.sessions.rows(call(statements.cut, CUT, endOf(CUT)));
      return row?.[0] ?? 0;
    },
    scan: (query) => scan(store, context.shapes, query, SCANNED),
    lag: (accounts) => feeder.lag(accounts),
    feed: async (watch) => (await mayFeed()) && feeder.feed(watch),
  };
}

function anchorsIn({ anchors }: Scope) {
  return anchors === undefined ? null : textArray([...anchors]);
}

function patterns(holding: readonly string[]) {
  // Words have no letters that mean something to LIKE.
  return textArray(holding.map((one) => `%${one}%`));
}

/** Takes what a range has, and returns whether it was looked through to its end. */
async function lookThrough(
  session: Session,
  account: string,
  { from, to, holding }: TermRange,
  below: ReturnType<typeof textArray> | null,
  found: Set<string>,
): Promise<boolean> {
  const rows = await session.rowsOf(
    account,
    call(statements.search, account, from, to, below, patterns(holding), MAX_LOOKED_AT, MAX_TAKEN),
  );
  const records = rows.flatMap(([record]) => (record === null ? [] : [record]));
  for (const record of records) found.add(record);
  return records.length < MAX_TAKEN && records.length === rows.length;
}

function createTerms({ sessions, placements }: Context): TermTable {
  return {
    behind: (all) => sessions.rows(call(statements.behind, all)),
    async position(account) {
      const [row] = await placements.at([account], 'read').rows(call(statements.mark, account));
      return row && toIndexPosition(row);
    },
    step: (step) => inAccount(placements, step.account, (session) => applyStep(session, step)),
    clear(account) {
      return inAccount(placements, account, async (session) => {
        const cleared = await Promise.all([
          session.run(call(statements.clearTerms, account, CLEARED_AT_ONCE)),
          session.run(call(statements.clearRecords, account, CLEARED_AT_ONCE)),
        ]);
        return cleared.some(({ count }) => count === CLEARED_AT_ONCE);
      });
    },
    async forget(account) {
      const forget = call(statements.forget, account);
      await inAccount(placements, account, (session) => session.run(forget));
    },
  };
}

async function applyStep(session: Session, step: IndexStep): Promise<boolean> {
  const { account, from, to, put, gone } = step;
  const wanted = valuesOf(to);
  const moved = await session.run(
    from === undefined
      ? call(statements.insertMark, account, ...wanted)
      : call(statements.moveMark, account, ...wanted, ...valuesOf(from)),
  );
  if (moved.count !== 1) return false;
  const records = textArray([...put.map(({ record }) => record), ...gone]);
  const rows = await session.rows(call(statements.known, account, records));
  const known = new Map(rows.map(([record, terms]) => [record, JSON.parse(terms) as string[]]));
  const knownOf = (record: string) => known.get(record) ?? [];
  // As they rise in the index, which is then filled page by page.
  const changed = put
    .filter(({ record, terms }) => JSON.stringify(knownOf(record)) !== JSON.stringify(terms))
    .sort((one, other) => (one.record < other.record ? -1 : 1))
    .map((one) => ({ ...one, json: JSON.stringify(one.terms) }));
  const old = [...changed, ...gone.map((record) => ({ record, terms: [] as readonly string[] }))];
  const removed = old.flatMap(({ record, terms }) =>
    knownOf(record)
      .filter((term) => !terms.includes(term))
      .map((term) => ({ term, record })),
  );
  const added = changed.flatMap(({ record, anchor, terms }) =>
    terms.map((term) => ({ term, record, anchor })),
  );
  const write = (statement: Statement, arrays: readonly Buffer[], count: number) =>
    count === 0 ? undefined : session.run(call(statement, account, ...arrays));
  await Promise.all([
    write(statements.removeTerms, textsOf(removed, 'term', 'record'), removed.length),
    write(statements.addTerms, textsOf(added, 'term', 'record', 'anchor'), added.length),
    write(statements.put, textsOf(changed, 'record', 'json'), changed.length),
    write(statements.remove, [textArray(gone)], gone.length),
  ]);
  return true;
}

function valuesOf({ position, place, token, building, terms }: IndexPosition) {
  return [position, place, token, building, terms] as const;
}
