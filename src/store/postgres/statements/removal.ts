/**
 * The SQL of removals, all of it in account $1. What is below parents is found
 * by them: thousands of identifiers would have to be sent with each statement.
 */

import type { RecordShape } from '../../../core/schema/shape.ts';
import { selectAges } from '../../books/erasing/keepers.ts';
import { tableOf } from '../../names.ts';
import type { Age } from '../../records/aged.ts';
import { ALONG, CHANGE_TABLE } from '../schema/tables.ts';
import { CHANGE_COLUMNS } from './changes.ts';
import { OWN, prepared } from './prepare.ts';

export type RemovingStatements = ReturnType<typeof removalStatements>['children'];

export function removalStatements(shape: RecordShape, parent: RecordShape) {
  const ages = (which: string) => prepared<Age>`${agesOf(shape, parent, which)}`;
  const table = tableOf(shape);
  const children = `account = (${OWN} ${ALONG}) AND parent = ANY ($2::text[])`;
  const below = (columns: string) => `SELECT ${columns} FROM ${table} WHERE ${children} LIMIT $3`;
  return {
    /** The unique identifiers of what is right below the parents $2; no more than $3. */
    below: prepared<readonly [unique_identifier: string]>`${below('unique_identifier')}`,
    /** Counts them, up to $3. */
    countBelow: prepared<readonly [count: number]>`SELECT count(*) FROM (${below('')}) AS below`,
    /** Whether one of them is from none of the sources $3, or was changed after position $4 or time $5. */
    someOthers: prepared<readonly [some: boolean]>`SELECT EXISTS (SELECT 1 FROM ${table}
      WHERE ${children} AND
        ((created_by = ANY ($3::bigint[]) AND changed_by = ANY ($3::bigint[])) IS NOT TRUE
          OR position > $4::bigint OR updated_at > $5::bigint))`,
    /** Takes the unique identifiers $2. */
    themselves: {
      ...removing(shape, `account = ${OWN} AND unique_identifier = ANY ($2::text[])`),
      ages: ages('AND below.unique_identifier = ANY ($2::text[])'),
    },
    /** Takes all that is right below the parents $2. */
    children: {
      ...removing(shape, children),
      ages: ages('AND below.parent = ANY ($2::text[])'),
    },
    allAges: ages(''),
  };
}

function agesOf(shape: RecordShape, parent: RecordShape, which: string): string {
  const select = selectAges(
    [shape, parent],
    `JOIN ${tableOf(parent)} AS above
      ON above.account = (${OWN} ${ALONG}) AND above.unique_identifier = below.parent`,
  );
  return `${select} WHERE below.account = (${OWN} ${ALONG}) ${which} GROUP BY below.anchor`;
}

/** The statements of a removal, in order: the first three read what the last one removes. */
function removing(shape: RecordShape, which: string) {
  const found = `FROM ${tableOf(shape)} WHERE ${which}`;
  return {
    /**
     * Logs that they are removed. Takes after $2 the position, the place of the first, the token, who removes them, the
     * time, and whether the log keeps content.
     */
    log: prepared`INSERT INTO "${CHANGE_TABLE}" (${CHANGE_COLUMNS})
      SELECT account, $3::bigint, $4::bigint + row_number() OVER () - 1,
        $5::bigint, '${shape.resource}', unique_identifier, anchor, 'deleted', version + 1,
        position, $6::text, $7::bigint, CASE WHEN $8::boolean THEN document END ${found}`,
    /** Stores where their changes are: at position $3. $4 is how many go with it where they are the record that is removed. */
    addGone: prepared`INSERT INTO "gone"
        (account, record, position, resource, parent, external_identifier, inserted_at,
          removal, below, created_by)
      SELECT account, unique_identifier, $3::bigint, '${shape.resource}', parent,
        external_identifier, inserted_at, $3::bigint, $4::bigint, created_by ${found}`,
    /** Removes the copies that 1.0 answers from: see `answered.ts` beside this. */
    forget: prepared`DELETE FROM "answered" WHERE account = ${OWN}
        AND record = ANY (ARRAY(SELECT unique_identifier ${found}))`,
    remove: prepared`DELETE ${found}`,
  };
}
