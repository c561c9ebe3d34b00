/** Rows of our own that are about records, and go with them: notes of what people mean to do, and what came of it. */
import {
  type OwnObject,
  type OwnTable,
  ownColumns,
  present,
} from '../../../core/objects/own-object.ts';
import { ownTables } from '../../../core/objects/tables/all.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { quoteName } from '../../names.ts';
import { rowReader, selected } from '../rows/own-rows.ts';
import { type BookTables, erasing, statements } from '../tables.ts';

const isObject = (table: OwnTable): table is OwnObject => 'views' in table;

const all = ownTables.flatMap((table) => {
  const { about, fields, leaves } = table;
  if (about === undefined) return [];
  const where = `${quoteName(fields.account?.column ?? 'account')} = $1`;
  const record = quoteName(about);
  const sql = statements({
    forget: erasing(
      `${leaves === undefined ? 'DELETE FROM' : 'UPDATE'} ${table.table}
      ${leaves === undefined ? '' : `SET ${leaves}`} WHERE ${where} AND ${record} = $2`,
    ),
    count: ({ among }) =>
      `SELECT count(*) FROM ${table.table} WHERE ${where} AND ${among(record, '$2')}`,
    list: `SELECT ${selected(table)} FROM ${table.table} WHERE ${where} AND ${record} = $2
      ORDER BY ${table.key.map(quoteName)}`,
  });
  return [{ table, sql }];
});

/** Remove what is about record $2 of account $1: all that is personal, or what goes with the record for its age. */
export const forgetAbout = all.map(({ sql: { forget } }) => forget);
export const forgetAged = all.flatMap(({ table, sql: { forget } }) =>
  table.leaves === undefined ? [forget] : [],
);

export function aboutRecords(tables: BookTables, now: () => number) {
  return {
    /** How many rows are about these records. */
    async countAbout(account: string, records: readonly string[]): Promise<number> {
      const counts = all.map(({ sql }) =>
        tables.rows<readonly [number]>(sql.count, account, records),
      );
      return (await Promise.all(counts)).reduce((sum, [row]) => sum + (row?.[0] ?? 0), 0);
    },
    /** Our own objects about a record, as programs are shown them, but those of which nothing was said by people. */
    async about(account: string, record: string): Promise<readonly JsonObject[]> {
      const found = all.map(async ({ table, sql }) => {
        if (!isObject(table) || !ownColumns(table).some(({ field }) => field.personal)) return [];
        const toObject = rowReader(table);
        const rows = await tables.rows(sql.list, account, record);
        return rows.map((row) => present(table, toObject(row) as never, 'api', now()));
      });
      return (await Promise.all(found)).flat();
    },
  };
}
