/** The SQL of the log of changes. But for `log` and `nextAccounts`, all of it works in account $1. */
import type { ChangeRow } from '../../promises/log.ts';
import { CHANGE_TABLE } from '../schema/tables.ts';
import { columns, insertEach, OWN, prepared } from './prepare.ts';

export const CHANGE = columns({
  text: ['account', 'resource', 'record', 'anchor', 'outcome', 'by', 'content'],
  bigint: ['position', 'place', 'token', 'version', 'before', 'occurred_at'],
});
export const CHANGE_COLUMNS =
  'account, position, place, token, resource, record, anchor, outcome, version, before, by, occurred_at, content';

export const log = insertEach(`"${CHANGE_TABLE}"`, CHANGE);

type Cursor = readonly [position: number, place: number, token: number];

export const TOKEN = `token & ${2 ** 48 - 1}`;
const row = (content: string) =>
  `position, place, ${TOKEN}, resource, record, anchor, outcome, version, before, by, occurred_at, ${content}`;

/**
 * From position $2, place $3 on, no more than $4; after the first two no more than
 * come to $5 bytes of content, counted before any of it is read; with the documents of removals if $6.
 */
export const read = prepared<ChangeRow>`SELECT
  ${row("CASE WHEN outcome <> 'deleted' OR $6 THEN content END")}
  FROM (
    SELECT counted.*, sum(bytes) OVER (ORDER BY position, place) AS upto,
      row_number() OVER (ORDER BY position, place) AS nth
    FROM (
      SELECT *, CASE WHEN outcome <> 'deleted' OR $6 THEN coalesce(octet_length(content), 0) ELSE 0 END AS bytes
      FROM "${CHANGE_TABLE}"
      WHERE account = ${OWN} AND (position, place) >= ($2::bigint, $3::bigint)
      ORDER BY position, place LIMIT $4
    ) AS counted
  ) AS weighed
  WHERE upto <= $5 OR nth <= 2
  ORDER BY position, place`;

export const first = prepared<Cursor>`SELECT position, place, ${TOKEN} FROM "${CHANGE_TABLE}"
  WHERE account = ${OWN}
  ORDER BY position, place LIMIT 1`;
export const last = prepared<Cursor>`SELECT position, place, ${TOKEN} FROM "${CHANGE_TABLE}"
  WHERE account = ${OWN}
  ORDER BY position DESC, place DESC LIMIT 1`;

/** The last up to position $2, and when it was done. */
export const lastUpTo = prepared<readonly [...Cursor, occurred_at: number]>`SELECT position, place,
  ${TOKEN}, occurred_at FROM "${CHANGE_TABLE}"
  WHERE account = ${OWN} AND position <= $2 ORDER BY position DESC, place DESC LIMIT 1`;

/** Takes the position $2 after which it looks, time $3, and how many changes $4: gives the first position of that time or later, and the last of all. */
export const doneSince = prepared<
  readonly [found: number | null, upTo: number | null]
>`SELECT min(position) FILTER (WHERE occurred_at >= $3::bigint), max(position) FROM (
    SELECT position, occurred_at FROM "${CHANGE_TABLE}" WHERE account = ${OWN} AND position > $2
    ORDER BY position, place LIMIT $4
  ) AS looked_at`;

/** Changes of record $2 at position $3, the newest first. */
export const ofRecord = prepared<ChangeRow>`SELECT ${row('content')} FROM "${CHANGE_TABLE}"
  WHERE account = ${OWN} AND position = $3 AND record = $2 ORDER BY place DESC`;

/** Begins the columns of a removed record. */
export type GoneRow = readonly [
  ...[position: number, parent: string, external_identifier: string],
  ...others: unknown[],
];
const goneRow =
  'position, parent, external_identifier, inserted_at, removal, below, created_by, record';

/** The removed record $2 of resource $3. */
export const gone = prepared<GoneRow>`SELECT ${goneRow} FROM "gone" WHERE account = ${OWN}
  AND record = $2 AND resource = $3`;

/** Changes that were removed by themselves before position $2, the newest first, up to $3. */
export const removedAlone = prepared<GoneRow>`SELECT ${goneRow} FROM "gone" WHERE account = ${OWN}
  AND removal < $2 AND below IS NOT NULL
  ORDER BY removal DESC LIMIT $3`;

/** Changes that went with the removal at position $2, of resource $3, after unique identifier $4, up to $5. */
export const removedWith = prepared<GoneRow>`SELECT ${goneRow} FROM "gone" WHERE account = ${OWN}
  AND removal = $2 AND resource = $3 AND record > $4
  ORDER BY record LIMIT $5`;

/** The log entries for the removals of records $3 at positions $2. */
export const removalsOf = prepared<ChangeRow>`SELECT ${row('content')} FROM "${CHANGE_TABLE}"
  WHERE account = ${OWN} AND position = ANY ($2::bigint[]) AND record = ANY ($3::text[])
    AND outcome = 'deleted'`;

export const oldest = prepared<
  readonly [position: number, place: number, occurred_at: number, expired: boolean]
>`SELECT position, place, occurred_at, outcome = 'expired' FROM "${CHANGE_TABLE}" WHERE account = ${OWN}
  ORDER BY position, place LIMIT $2`;

/** Changes up to position $2, place $3, and where the removed records among them were. */
export const remove = prepared`DELETE FROM "${CHANGE_TABLE}" WHERE account = ${OWN}
  AND (position, place) <= ($2::bigint, $3::bigint)`;
export const removeGone = prepared`DELETE FROM "gone" AS gone USING "${CHANGE_TABLE}" AS removal
  WHERE gone.account = ${OWN} AND removal.account = ${OWN}
    AND (removal.position, removal.place) <= ($2::bigint, $3::bigint)
    AND removal.outcome = 'deleted' AND gone.record = removal.record
    AND gone.position = removal.position`;

/** Leaves of that at position $2, place $3 nothing but its mark and its time. */
export const expire = prepared`UPDATE "${CHANGE_TABLE}"
  SET resource = '', record = '', anchor = NULL, outcome = 'expired',
    version = 0, before = 0, by = NULL, content = NULL
  WHERE account = ${OWN} AND position = $2 AND place = $3`;

/** The next accounts after unique identifier $1, in the order of these; no more than $2. */
export const nextAccounts = prepared<readonly [unique_identifier: string]>`SELECT unique_identifier
  FROM "account" WHERE unique_identifier > $1 ORDER BY unique_identifier LIMIT $2`;

/** Takes the removed record $2 from among those. */
export const bringBack = prepared`DELETE FROM "gone" WHERE account = ${OWN} AND record = $2`;
