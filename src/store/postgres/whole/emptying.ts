/**
 * Removes what belongs to an account, some rows in each transaction. Others do not wait: only its own rows are locked.
 */

import { quoteName, tableName } from '../../names.ts';
import { tablesOfAccount } from '../../of-account.ts';
import type { EmptyingStep } from '../../promises/account-book.ts';
import type { Becomes } from '../../promises/stored.ts';
import type { Taking } from '../../receipt-room.ts';
import type { Context } from '../context.ts';
import { CHANGE_TABLE } from '../schema/tables.ts';
import { transact, untilDone } from '../turn/transaction.ts';
import { call, type Session } from '../wire/session.ts';

/** Rows that one transaction removes. */
const AT_ONCE = 500;

/** The column of a key, with what comes before all that it holds. */
type Key = readonly (readonly [column: string, before: string | number])[];

interface Step {
  readonly table: string;
  readonly key: Key;
  /** The condition for rows of account $1. */
  readonly where: string;
  /** The change to them, as SQL. */
  readonly does: string;
  /** Whether each gives an owner and bytes of their room. */
  readonly frees?: boolean;
  readonly resource?: string;
}

/** Where it goes on: at a step, after a key. */
export interface EmptyingPlace {
  readonly step: number;
  readonly after: readonly (string | number)[] | undefined;
  /** Whether this round, or any, has removed something. */
  readonly some: boolean;
  readonly ever: boolean;
}

export const START: EmptyingPlace = { step: 0, after: undefined, some: false, ever: false };

const OWN = 'account = $1';
/** Columns of the log and of answers that are numbers. */
const NUMBERS = new Set(['place', 'position', 'version']);

/** Parents after children, and what is made of records after them. */
export function stepsOf({ tables }: Pick<Context, 'tables'>, becomes: Becomes): readonly Step[] {
  const by = (...columns: readonly string[]): Key =>
    columns.map((name) => [name, NUMBERS.has(name) ? -1 : '']);
  const removing = (table: string, key: Key, where = OWN): Step => {
    return { table, key, where, does: `DELETE FROM ${table} WHERE ${where}` };
  };
  const log = removing(CHANGE_TABLE, by('position', 'place'));
  const forgetting = `UPDATE ${CHANGE_TABLE} SET content = NULL WHERE ${OWN} AND content IS NOT NULL`;
  const records = [...tables].reverse().flatMap(([resource, { drafts, shape }]) => {
    if (drafts === undefined) return [];
    return [{ ...removing(quoteName(tableName(shape)), by('unique_identifier')), resource }];
  });
  const shared: readonly Step[] = [
    removing('gone', by('record')),
    { ...removing('receipt', by('owner', 'idempotency_key')), frees: true },
    removing('answered', by('record', 'version')),
    ...records,
    ...tablesOfAccount(becomes).map(({ table, order, where }) => removing(table, order, where)),
  ];
  if (becomes !== 'gone') return [{ ...log, does: forgetting }, ...shared];
  return [
    log,
    ...shared,
    removing('search_term', by('term', 'record')),
    removing('search_record', by('record')),
  ];
}

export interface EmptiedSome {
  readonly piece: EmptyingStep;
  readonly next: EmptyingPlace;
  readonly freed: readonly Taking[];
}

/** One step further. Ends after a round that found nothing: while the account was closed, what was under way may still have been written. */
export async function emptySome(
  context: Context,
  session: Session,
  { account, becomes }: { readonly account: string; readonly becomes: Becomes },
  at: EmptyingPlace,
): Promise<EmptiedSome> {
  const steps = stepsOf(context, becomes);
  const removed = new Map<string, number>();
  for (const [resource, { drafts }] of context.tables) {
    if (drafts !== undefined) removed.set(resource, 0);
  }
  const step = steps[at.step];
  if (step === undefined) {
    const next = { ...START, ever: at.ever };
    return { piece: { removed, more: at.some }, next, freed: [] };
  }
  const { count, upto, freed } = await untilDone(() =>
    transact(session, () => removeNext(session, account, step, at.after)),
  );
  if (step.resource !== undefined) removed.set(step.resource, count);
  const next = {
    step: upto === undefined ? at.step + 1 : at.step,
    after: upto,
    some: at.some || count > 0,
    ever: at.ever || (count > 0 && step.resource !== undefined),
  };
  return { piece: { removed, more: true }, next, freed };
}

/** By the order of an index: rows that went before stay there while any snapshot is open, and are not scanned again. */
async function removeNext(
  session: Session,
  account: string,
  { table, key, where, does, frees }: Step,
  after: readonly (string | number)[] = key.map(([, before]) => before),
) {
  const columns = key.map(([column]) => column).join(', ');
  const values = (first: number) =>
    key
      .map(([, before], at) => `$${first + at}::${typeof before === 'string' ? 'text' : 'bigint'}`)
      .join(', ');
  const later = `(${columns}) > (${values(2)})`;
  const [upto] = await session.rows<readonly (string | number)[]>(
    call(
      {
        text: `SELECT ${columns} FROM ${table} WHERE ${where} AND ${later}
          ORDER BY ${columns} LIMIT 1 OFFSET ${AT_ONCE - 1}`,
      },
      account,
      ...after,
    ),
  );
  const bound = upto === undefined ? '' : ` AND (${columns}) <= (${values(2 + key.length)})`;
  const returning = frees ? ' RETURNING owner, size' : '';
  const sent = call<readonly [owner: string, bytes: number]>(
    { text: `${does} AND ${later}${bound}${returning}` },
    ...[account, ...after, ...(upto ?? [])],
  );
  if (!frees) {
    const { count } = await session.run(sent);
    return { count, upto, freed: [] };
  }
  const rows = await session.rows(sent);
  return {
    count: rows.length,
    upto,
    freed: rows.map(([owner, size]) => ({ owner, bytes: -size })),
  };
}
