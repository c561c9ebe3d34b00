/** The bytes of a store's tables, by part. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { FIXED_TABLES, tableName } from '../../names.ts';
import { prepared } from '../statements/prepare.ts';
import { call } from '../wire/session.ts';
import type { Sessions } from '../wire/sessions.ts';
import { textArray } from '../wire/values.ts';
import type { Distribution } from './distribution.ts';

/** Measures tables $1 with their partitions, indexes and long values. */
const measure = prepared<readonly [bytes: number]>`SELECT
  coalesce(sum(pg_total_relation_size(part.relid)), 0)::bigint
  FROM pg_class, LATERAL (SELECT pg_class.oid AS relid WHERE relkind = 'r'
    UNION ALL SELECT relid FROM pg_partition_tree(pg_class.oid) WHERE relkind = 'p') AS part
  WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1::text[])`;

/** Measures tables that lie on several servers, as far as those can be reached; every copy counts. */
const measureSpread = prepared<readonly [bytes: number]>`SELECT
  coalesce(sum(citus_total_relation_size(pg_class.oid, fail_on_error := false)), 0)::bigint
  FROM pg_class JOIN pg_dist_partition ON logicalrelid = pg_class.oid
  WHERE relnamespace = current_schema()::regnamespace AND relname = ANY ($1::text[])`;

/** The server's write-ahead log serves all of its databases, and is not counted. */
export async function sizeOf(
  sessions: Sessions,
  shapes: readonly RecordShape[],
  distribution: Distribution | undefined,
): Promise<ReadonlyMap<string, number>> {
  const statement = distribution === undefined ? measure : measureSpread;
  const bytesOf = async (tables: readonly string[]): Promise<number> => {
    const [row] = await sessions.rows(call(statement, textArray(tables)));
    return row?.[0] ?? 0;
  };
  const all = [...new Set([...shapes.map(tableName), ...FIXED_TABLES.postgres])];
  const ofSearch = (table: string): boolean => table.startsWith('search_');
  const [records, search] = await Promise.all([
    bytesOf(all.filter((table) => !ofSearch(table))),
    bytesOf(all.filter(ofSearch)),
  ]);
  return new Map(Object.entries({ records, log: 0, search }));
}
