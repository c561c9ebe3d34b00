/** The SQL of the log of changes. All of it works in account $1. */
import { CHANGE_TABLE } from '../tables.ts';
import { prepared } from './prepare.ts';

/** The columns of the log. */
export const CHANGE_COLUMNS =
  'account, position, place, token, resource, record, anchor, outcome, version, before, by, occurred_at, content';

/** One change, the first of its commit; takes the columns of the log but `place`, in their order. */
export const append = prepared(
  `INSERT INTO ${CHANGE_TABLE} (${CHANGE_COLUMNS})
   VALUES ($1, $2, 0, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/** Leaves nothing of what was logged but that it was. */
export const forgetContent = prepared(
  `UPDATE ${CHANGE_TABLE} SET content = NULL WHERE account = $1 AND content IS NOT NULL`,
);

export const forgetGone = prepared('DELETE FROM gone WHERE account = $1');
