/** The SQL that works on erased records, in account $1. */

import type { RecordShape } from '../../../core/schema/shape.ts';
import { tableOf } from '../../names.ts';
import { CHANGE_TABLE } from '../schema/tables.ts';
import { OWN, prepared } from './prepare.ts';

/** Whether some were erased with a key that is not one of $2; null: none were erased. */
export const lostKey = prepared<readonly [lost: boolean | null]>`SELECT bool_or(key <> ''
  AND key <> ALL ($2::text[])) FROM "erased" WHERE account = ${OWN}`;

/** Erased records with one of the hashes $2. */
export const byProbe = prepared<readonly [probe: string, mark: string, erasure: string]>`SELECT
  probe, mark, erasure FROM "erased" WHERE account = ${OWN} AND probe = ANY ($2::text[])`;

export const known = prepared<readonly [1]>`SELECT 1 FROM "erased" WHERE account = ${OWN}
  AND record = $2 AND key <> ''`;

/** Turns a removal by a rule into an erasure for a person: the journal gets a line about record $2. */
export const adopt = prepared`UPDATE "erased" SET erasure = $3, erased_at = $4, line = 0
  WHERE account = ${OWN} AND record = $2 AND line = $5`;

export const insert = prepared`INSERT INTO "erased" (account, record, resource, anchor, parent,
  erasure, erased_at, key, probe,
    mark, unforgotten, line, position) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  ON CONFLICT (account, record) DO UPDATE SET unforgotten = excluded.unforgotten,
    position = excluded.position`;

/** Some records that the log may hold content of. */
export const unforgotten = prepared<
  readonly [account: string, record: string, unforgotten: number]
>`SELECT account, record, unforgotten FROM "erased" WHERE unforgotten > 0
  AND account <> ALL ($1::text[]) ORDER BY account, record LIMIT 10`;

/** Empties the changes of record $2 at position $3. */
export const empty = prepared<readonly [before: number]>`UPDATE "${CHANGE_TABLE}" SET content = NULL
  WHERE account = ${OWN} AND position = $3 AND record = $2 RETURNING before`;

/** Takes record $2, from position $3 on. */
export const forgotten = prepared`UPDATE "erased" SET unforgotten = $3 WHERE account = ${OWN}
  AND record = $2`;

/** Record $2, if it may be made again. */
export const unmarked = prepared`DELETE FROM "erased" WHERE account = ${OWN} AND record = $2
  AND key = ''`;

/** Selects the parent and the external identifier of record $2, also where it was removed. */
export function aboveOf(shape: RecordShape) {
  return prepared<readonly [parent: string, external_identifier: string]>`SELECT parent,
    external_identifier FROM ${tableOf(shape)}
    WHERE account = ${OWN} AND unique_identifier = $2
    UNION ALL SELECT parent, external_identifier FROM "gone" WHERE account = ${OWN} AND record = $2
    LIMIT 1`;
}
