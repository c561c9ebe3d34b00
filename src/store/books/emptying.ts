/**
 * Empties an account: removes some rows of a table in each commit, by the order of an index, so that rows that went
 * before are not scanned again while a snapshot still shows them.
 */
import type { Becomes } from '../../core/objects/account.ts';
import { type OwnTable, tableColumns } from '../../core/objects/own-object.ts';
import { ownTables } from '../../core/objects/tables/all.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { quoteName, tableName } from '../names.ts';
import type { ReceiptRooms } from '../receipt-room.ts';
import type { Dialect } from './dialects.ts';
import { type BookTables, unnamed } from './tables.ts';

const COUNTED = 20_000;
/** Little more than a commit of drafts takes. */
const PIECE_MS = 10;

/** The columns of an index after its account, with what comes before all that each holds. */
type Order = Readonly<Record<string, string | number>>;
type Key = readonly (string | number)[];

interface Step {
  readonly table: string;
  readonly order: Order;
  /** The condition for rows of account $1. */
  readonly where: string;
  /** The condition for rows that are walked, where the index does not begin with the account. */
  readonly walked?: string;
  /** The changes to the rows of a condition, as SQL; the rows that they give are owners and bytes of their room. */
  readonly does: readonly ((rows: string) => string)[];
  readonly atOnce?: number;
  readonly isOfRecords?: true;
}

/** The tables of a store that are emptied differently. */
export interface EmptiedTables {
  readonly dialect: Dialect;
  /** The condition for rows of records, and of their log, of account $1. */
  readonly own: string;
  /** A condition for all changes: that the account is being emptied still. */
  readonly guard?: string;
  /** The rows of a table that one commit removes. */
  readonly atOnce: number;
  /** Forgets the contents of rows of the log. */
  readonly forgets: { readonly of: string; readonly does: string };
  readonly receipts: readonly Pick<Step, 'table' | 'order' | 'walked'>[];
  readonly others: readonly Pick<Step, 'table' | 'order'>[];
}

/** Where it goes on: at a step, after a key. */
interface Place {
  step: number;
  after?: Key | undefined;
  /** Whether this round, or any, has removed something. */
  some: boolean;
  ever: boolean;
}

export function emptyingOver(
  tables: BookTables,
  store: EmptiedTables,
  shapes: Iterable<RecordShape>,
  rooms: Pick<ReceiptRooms, 'take'>,
) {
  const { own, dialect } = store;
  /** Parents before children. */
  const below = [...shapes].filter(({ parent }) => parent !== undefined);
  /** By account. */
  const places = new Map<string, Place>();

  /** Called when the account is closed. If it began before, some rows may be gone already. */
  function begin(account: string, again: boolean): Place {
    const place = { step: 0, some: false, ever: again };
    places.set(account, place);
    return place;
  }

  /** Counts the records of an account, by resource, parents before children. */
  async function contents(account: string): Promise<ReadonlyMap<string, number>> {
    const contents = new Map<string, number>();
    for (const shape of below) {
      const page = unnamed(`SELECT count(*), max(unique_identifier) FROM (
        SELECT unique_identifier FROM ${quoteName(tableName(shape))}
        WHERE ${own} AND unique_identifier > ${dialect.as('$2', 'text')}
        ORDER BY unique_identifier LIMIT ${COUNTED}) AS counted`);
      let total = 0;
      for (let after = '', count = COUNTED; count === COUNTED; total += count) {
        type Row = readonly [count: number, last: string | null];
        const [row] = await tables.rows<Row>(page, account, after);
        count = row?.[0] ?? 0;
        after = row?.[1] ?? '';
      }
      contents.set(shape.resource, total);
    }
    return contents;
  }

  /** Removes some rows. Ends after a round that found nothing: what was under way while the account was closed may have written. */
  async function some(account: string, becomes: Becomes) {
    const steps = stepsTo(becomes);
    let removed = 0;
    const place = places.get(account) ?? begin(account, false);
    const until = performance.now() + PIECE_MS;
    do {
      const step = steps[place.step];
      if (step === undefined) {
        if (!place.some) {
          places.delete(account);
          return { removed: undefined, ever: place.ever };
        }
        Object.assign(place, { step: 0, some: false });
        continue;
      }
      const { count, upto } = await remove(account, step, place.after);
      place.after = upto;
      if (upto === undefined) place.step += 1;
      place.some ||= count > 0;
      if (step.isOfRecords !== true) continue;
      place.ever ||= count > 0;
      removed += count;
    } while (performance.now() < until);
    return { removed, ever: place.ever };
  }

  async function remove(account: string, step: Step, after?: Key) {
    const { table, order, where, walked = where, does, atOnce = store.atOnce } = step;
    const from = after ?? Object.values(order);
    const key = Object.keys(order).join(', ');
    const types = from.map((value) => (typeof value === 'string' ? 'text' : 'bigint'));
    const values = (first: number) =>
      types.map((type, at) => dialect.as(`$${first + at}`, type)).join(', ');
    const later = `(${key}) > (${values(2)})`;
    const find = `SELECT ${key} FROM ${table} WHERE ${walked} AND ${later}
      ORDER BY ${key} LIMIT 1 OFFSET ${atOnce - 1}`;
    const [upto] = await tables.rows<Key>(unnamed(find), account, ...from);
    const end = upto === undefined ? '' : ` AND (${key}) <= (${values(2 + from.length)})`;
    const rows = `${where} AND ${later}${end}${store.guard ?? ''}`;
    let count = 0;
    for (const sql of does.map((change) => change(rows))) {
      const statement = unnamed({ sqlite: sql, postgres: sql, erases: true });
      const changed = await tables.change<readonly [owner: string, bytes: number]>(
        ...[statement, account, ...from, ...(upto ?? [])],
      );
      rooms.take(changed.rows.map(([owner, size]) => ({ owner, bytes: -size })));
      count = changed.count;
    }
    return { count, upto };
  }

  /** Parents after children, and what is made of records after them. */
  function stepsTo(becomes: Becomes): readonly Step[] {
    const { own: where, forgets, receipts, others } = store;
    const isGone = becomes === 'gone';
    const log = { table: 'change', order: { position: -1, place: -1 } };
    const into = INTO[dialect.name];
    const ofSeveral = ownTables.flatMap(({ table, ofSeveral: named }): readonly Step[] => {
      if (named === undefined) return [];
      const columns = named.split(' ');
      const walk = { table, order: { unique_identifier: '' } };
      const has = columns.map((column) => `${column} IS NOT NULL`).join(' OR ');
      const clears = `UPDATE ${table} SET ${columns.map((column) => `${column} = NULL`).join(', ')}`;
      return [
        changing({ ...walk, where: `(${has}) AND ${into.one}`, atOnce: 1 }, clears),
        ...(isGone ? [removing({ ...walk, where: `${into.length} = 1 AND ${into.one}` })] : []),
      ];
    });
    return [
      isGone
        ? removing({ ...log, where })
        : changing({ ...log, where: `${where} AND ${forgets.of}` }, forgets.does),
      removing({ table: 'gone', order: { record: '' }, where }),
      ...receipts.map((step) =>
        removing({ where, ...step }, step.table === 'receipt' ? ' RETURNING owner, size' : ''),
      ),
      ...below.toReversed().map((shape): Step => {
        const table = quoteName(tableName(shape));
        return {
          ...removing({ table, order: { unique_identifier: '' }, where }),
          isOfRecords: true,
        };
      }),
      ...ownTablesOf(becomes),
      ...ofSeveral,
      ...(isGone ? others.map((step) => removing({ where, ...step })) : []),
    ];
  }

  return { begin, contents, some };
}

/** Whether a row is of account $1, and of how many, as SQL: what makes JSON is not let into changes where every server has a copy. */
const INTO = {
  sqlite: {
    one: 'EXISTS (SELECT 1 FROM json_each(accounts) WHERE value = $1)',
    length: 'json_array_length(accounts)',
  },
  postgres: {
    one: 'EXISTS (SELECT 1 FROM json_array_elements_text(accounts::json) AS one (account) WHERE account = $1)',
    length: 'json_array_length(accounts::json)',
  },
};

function removing(step: Omit<Step, 'does'>, giving = ''): Step {
  const { table } = step;
  return changing(step, `DELETE FROM ${table}`, giving);
}

function changing(step: Omit<Step, 'does'>, change: string, giving = ''): Step {
  return { ...step, does: [(rows) => `${change} WHERE ${rows}${giving}`] };
}

/** The declared tables with rows of an account, children before what they belong to. */
function ownTablesOf(becomes: Becomes): readonly Step[] {
  const all = ownTables.filter(
    ({ goesWith }) => goesWith === 'content' || (goesWith === 'account' && becomes === 'gone'),
  );
  const isAbove = (table: OwnTable) => all.some(({ below }) => below?.[1] === table.table);
  return [...all.filter((table) => !isAbove(table)), ...all.filter(isAbove)].map((table) => {
    const { key, below, indexes = {} } = table;
    const kinds = kindsOf(table);
    const account = accountColumn(kinds);
    const walked = Object.values(indexes)
      .map((columns) => columns.split(', '))
      .find(
        ([first, ...rest]) =>
          first === account && rest.length > 0 && rest.every((name) => kinds.has(name)),
      );
    const rest = (key.includes(account) ? key : (walked ?? key)).filter((one) => one !== account);
    const order = rest.length === 0 ? [account] : rest;
    // What is set for the account itself stays while it does.
    const isOther = kinds.has('unique_identifier') && becomes !== 'gone';
    return removing({
      table: quoteName(table.table),
      order: Object.fromEntries(
        order.map((name) => [quoteName(name), kinds.get(name) === 'number' ? -1 : '']),
      ),
      where:
        below === undefined
          ? `${account} = $1${isOther ? ' AND unique_identifier <> $1' : ''}`
          : belowOf(below),
    });
  });
}

function belowOf([column, table]: NonNullable<OwnTable['below']>): string {
  const above = ownTables.find((one) => one.table === table) as OwnTable;
  const account = accountColumn(kindsOf(above));
  return `${column} IN (SELECT unique_identifier FROM ${table} WHERE ${account} = $1)`;
}

function kindsOf(table: OwnTable): ReadonlyMap<string, unknown> {
  return new Map(tableColumns(table).map(({ name, kind }) => [name, kind]));
}

function accountColumn(kinds: ReadonlyMap<string, unknown>): string {
  return kinds.has('of_account') ? 'of_account' : 'account';
}
