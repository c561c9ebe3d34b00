/** The least that upserts can be given: a table whose only index is its primary key, and no parents. */
import type { Client } from 'pg';
import type { RecordShape } from '../src/core/schema/shape.ts';
import { quoteName, tableName } from '../src/store/names.ts';
import type { Workload } from './bodies.ts';
import { documentSql } from './document-sql.ts';
import { likeTable } from './like-table.ts';
import type { Upsert } from './pgbench.ts';

/** Makes it with the records that the table like ours has by now. */
export async function makeBareTable(client: Client, shape: RecordShape): Promise<void> {
  await client.query(`
    CREATE TABLE ${bareTable(shape)} (
      account text COLLATE "C",
      parent text COLLATE "C",
      external_identifier text COLLATE "C",
      document jsonb NOT NULL,
      version bigint NOT NULL DEFAULT 1,
      inserted_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (account, parent, external_identifier)
    )`);
  await client.query(
    `INSERT INTO ${bareTable(shape)} (account, parent, external_identifier, document)
     SELECT 'account', 'parent', external_identifier, document FROM ${likeTable(shape)}`,
  );
}

/** Merged into what is there by `merge_patch`. */
export function bareUpsert(shape: RecordShape, workload: Workload): Upsert {
  return (name) =>
    [
      `INSERT INTO ${bareTable(shape)} AS record (account, parent, external_identifier, document)`,
      `VALUES ('account', 'parent', ${name}, ${documentSql(shape, workload, name)})`,
      'ON CONFLICT (account, parent, external_identifier) DO UPDATE',
      'SET document = merge_patch(record.document, excluded.document),',
      'version = record.version + 1, updated_at = now()',
      'RETURNING document, version',
    ].join(' ');
}

function bareTable(shape: RecordShape): string {
  return quoteName(`bare_${tableName(shape)}`);
}
