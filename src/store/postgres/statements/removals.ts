/** The SQL that removes records, each statement by its name. */
import type { RecordShape } from '../../../schema/shape.ts';
import type { RecordRow } from '../../records.ts';
import { columnsOf } from '../rows.ts';
import type { Statement } from '../session.ts';
import { ROOT_TABLE, tableOf } from '../tables.ts';
import { prepared } from './prepare.ts';

/** For the table of a resource whose records can be removed. */
export interface RemovalStatements {
  /** Of account $1, unless that is closed, and unique identifier $2. */
  readonly find: Statement<RecordRow>;
  /** What is in account $1 under the parents $2; no more than $3. */
  readonly under: Statement<readonly [unique_identifier: string]>;
  /** Of account $1, unique identifiers $2. */
  readonly remove: Statement;
}

export function removalStatements(shape: RecordShape): RemovalStatements {
  const table = tableOf(shape);
  return {
    find: prepared(
      `SELECT ${columnsOf('record')} FROM ${table} AS record
       WHERE account = $1 AND unique_identifier = $2 AND EXISTS
         (SELECT FROM ${ROOT_TABLE} AS root WHERE root.account = $1 AND closed_at IS NULL)`,
    ),
    under: prepared(
      `SELECT unique_identifier FROM ${table}
       WHERE account = $1 AND parent = ANY ($2::text[]) LIMIT $3`,
    ),
    remove: prepared(
      `DELETE FROM ${table} WHERE account = $1 AND unique_identifier = ANY ($2::text[])`,
    ),
  };
}
