/** How much a store's tables hold. */
import type { StoreSize } from '../../observe/observers.ts';
import type { RecordShape } from '../../schema/shape.ts';
import { call } from './session.ts';
import type { Sessions } from './sessions.ts';
import { prepared } from './statements/prepare.ts';
import { MIGRATION_TABLE, tableName } from './tables.ts';
import { textArray } from './values.ts';

/** Of the tables $1 with their partitions, indexes and long values. */
const measure = prepared<readonly [bytes: number]>(
  `SELECT coalesce(sum(pg_total_relation_size(part.relid)), 0)::bigint
   FROM pg_class, LATERAL (SELECT pg_class.oid AS relid WHERE relkind = 'r'
     UNION ALL SELECT relid FROM pg_partition_tree(pg_class.oid) WHERE relkind = 'p') AS part
   WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1::text[])`,
);

/** The server's own log is shared with all that it holds, and is not counted. */
export async function sizeOf(
  sessions: Sessions,
  shapes: readonly RecordShape[],
): Promise<StoreSize> {
  const tables = [
    ...shapes.map(tableName),
    MIGRATION_TABLE,
    'commit',
    'api_key',
    'receipt',
    'answered',
    'receipt_room',
    'write_check',
  ];
  const [row] = await sessions.use((session) => session.rows(call(measure, textArray(tables))));
  return { records: row?.[0] ?? 0, log: 0 };
}
