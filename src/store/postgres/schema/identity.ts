/** Identifies the rows of tables to logical replication: a table without it takes no change once a publication has it. */
import { quoteName } from '../../names.ts';
import type { Session } from '../wire/session.ts';

/** Tables without an identity, and of each the unique index of its first columns, which can be one. */
const withoutIdentity = `SELECT DISTINCT ON (of_table.oid) of_table.oid::regclass::text,
      of_index.relname::text
    FROM pg_class AS of_table
    JOIN pg_index ON indrelid = of_table.oid AND indisunique AND indimmediate AND indpred IS NULL
      AND indexprs IS NULL
    JOIN pg_class AS of_index ON of_index.oid = indexrelid
    WHERE of_table.relnamespace = current_schema()::regnamespace AND of_table.relkind = 'r'
      AND of_table.relreplident IN ('d', 'i')
      AND NOT EXISTS (SELECT FROM pg_attribute
        WHERE attrelid = of_table.oid AND attnum = ANY (indkey) AND NOT attnotnull)
      AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = of_table.oid
        AND (indisreplident OR (indisprimary AND of_table.relreplident = 'd')))
    ORDER BY of_table.oid, indkey::int2[]`;

/** The names of the tables that have none and can be given one, as SQL has them. */
export async function unidentified(session: Session): Promise<readonly string[]> {
  const rows = await session.query<readonly [table: string, index: string]>(withoutIdentity);
  return rows.map(([table]) => table);
}

/**
 * Gives each table an index that identifies its rows: by it records move to another server of a cluster, and to
 * another release of PostgreSQL, while they are changed.
 */
export async function identifyRows(session: Session): Promise<void> {
  const rows = await session.query<readonly [table: string, index: string]>(withoutIdentity);
  for (const [table, index] of rows)
    await session.query(`ALTER TABLE ${table} REPLICA IDENTITY USING INDEX ${quoteName(index)}`);
}
