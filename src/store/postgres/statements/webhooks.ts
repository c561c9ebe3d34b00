/** The SQL that works on webhooks, each statement by its name. */
import {
  DELIVERY_COLUMNS,
  DELIVERY_RENEWED,
  type DeliveryRow,
  ENDPOINT_COLUMNS,
  type EndpointRow,
  STATE_COLUMNS,
} from '../../webhook-rows.ts';
import { prepared } from './prepare.ts';

/** The members of the JSON object $2, where they are there. */
const state = STATE_COLUMNS.map(
  ([name, type]) =>
    `${name} = CASE WHEN jsonb_exists($2::jsonb, '${name}') THEN ($2::jsonb ->> '${name}')::${type} ELSE ${name} END`,
).join(', ');

const names = DELIVERY_COLUMNS.map(([name]) => name);
const delivery = names.join(', ');
const columns = DELIVERY_COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ');
const renewed = DELIVERY_RENEWED.map((name) => `${name} = excluded.${name}`).join(', ');

/** Milliseconds since 1970, by the server's clock. A cluster takes no volatile function, such as `clock_timestamp`, in a change. */
const NOW = '(extract(epoch FROM statement_timestamp()) * 1000)::bigint';

const select = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint`;
const selectDelivery = `SELECT ${delivery} FROM webhook_delivery`;

export const insert = prepared(
  `INSERT INTO webhook_endpoint (${ENDPOINT_COLUMNS})
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);
export const list = prepared<EndpointRow>(`${select} ORDER BY unique_identifier DESC`);
export const listOf = prepared<EndpointRow>(
  `${select} WHERE of_account = ANY ($1::text[]) ORDER BY unique_identifier DESC`,
);
export const find = prepared<EndpointRow>(`${select} WHERE unique_identifier = $1`);

/** Of unique identifier $1, what $2 says, at $3. */
export const change = prepared<EndpointRow>(
  `UPDATE webhook_endpoint SET ${state}, lease = NULL, lease_until = 0, updated_at = $3
   WHERE unique_identifier = $1 RETURNING ${ENDPOINT_COLUMNS}`,
);
/** For reason $1, at $2. */
export const pauseAll = prepared(
  `UPDATE webhook_endpoint SET status = 'paused', reason = $1, lease = NULL, lease_until = 0, updated_at = $2
   WHERE status <> 'disabled'`,
);
export const remove = prepared('DELETE FROM webhook_endpoint WHERE unique_identifier = $1');

export const leases = prepared<
  readonly [unique_identifier: string, status: string, lease: string | null, left: number]
>(`SELECT unique_identifier, status, lease, lease_until - ${NOW} FROM webhook_endpoint`);

/** By lease $1 for $2 milliseconds, of endpoints $3 those that are free. */
export const take = prepared<EndpointRow>(
  `UPDATE webhook_endpoint SET lease = $1, lease_until = ${NOW} + $2::bigint
   WHERE unique_identifier = ANY ($3::text[]) AND (lease_until <= ${NOW} OR lease = $1) AND status IN ('enabled', 'failing')
   RETURNING ${ENDPOINT_COLUMNS}`,
);
/** Lease $1, for $2 milliseconds. */
export const renew = prepared(
  `UPDATE webhook_endpoint SET lease_until = ${NOW} + $2::bigint WHERE lease = $1`,
);
export const release = prepared(
  'UPDATE webhook_endpoint SET lease = NULL, lease_until = 0 WHERE lease = $1',
);
export const endLease = prepared(
  'UPDATE webhook_endpoint SET lease = NULL, lease_until = 0 WHERE unique_identifier = $1',
);
/** Of unique identifier $1, what $2 says, where it is held by lease $3. */
export const settle = prepared(
  `UPDATE webhook_endpoint SET ${state} WHERE unique_identifier = $1 AND lease = $3`,
);

/** The elements of JSON array $1. */
export const put = prepared(
  `INSERT INTO webhook_delivery (${delivery})
   SELECT ${delivery} FROM jsonb_to_recordset($1::jsonb) AS noted (${columns})
   ON CONFLICT (endpoint, change) DO UPDATE SET ${renewed}`,
);
/** Of endpoint $1 those that are to be tried after $2. */
export const hasten = prepared(
  `UPDATE webhook_delivery SET next_at = $2 WHERE endpoint = $1 AND status = 'pending' AND next_at > $2`,
);
export const pending = prepared<DeliveryRow>(
  `${selectDelivery} WHERE endpoint = $1 AND status = 'pending' ORDER BY position, place`,
);
export const ofChange = prepared<DeliveryRow>(
  `${selectDelivery} WHERE endpoint = $1 AND change = $2`,
);
export const withIdentifier = prepared<DeliveryRow>(
  `${selectDelivery} WHERE endpoint = $1 AND unique_identifier = $2`,
);
/** Of endpoint $1, with status $2 or any, before position $3, place $4 and change $5; no more than $6. */
export const deliveries = prepared<DeliveryRow>(
  `${selectDelivery} WHERE endpoint = $1 AND ($2::text IS NULL OR status = $2)
     AND (position, place, change) < ($3::bigint, $4::bigint, $5::text)
   ORDER BY position DESC, place DESC, change DESC LIMIT $6`,
);
/** Of those that are finished and older than $1, no more than $2. */
export const purge = prepared(
  `DELETE FROM webhook_delivery WHERE (endpoint, change) IN (
     SELECT endpoint, change FROM webhook_delivery
     WHERE updated_at < $1 AND (status <> 'pending'
       OR endpoint NOT IN (SELECT unique_identifier FROM webhook_endpoint))
     LIMIT $2)`,
);
