/** The SQL that works on webhooks, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import {
  DELIVERY_COLUMNS,
  DELIVERY_RENEWED,
  type DeliveryRow,
  ENDPOINT_COLUMNS,
  type EndpointRow,
  STATE_COLUMNS,
} from '../../webhook-rows.ts';
import { bounded, elementsOf, prepare } from './prepare.ts';

/** The members of the JSON object ?2, where they are there. */
const state = STATE_COLUMNS.map(
  ([name]) =>
    `${name} = CASE WHEN json_type(?2, '$.${name}') IS NULL THEN ${name} ELSE ?2 ->> '${name}' END`,
).join(', ');

const names = DELIVERY_COLUMNS.map(([name]) => name);
const delivery = names.join(', ');
const renewed = DELIVERY_RENEWED.map((name) => `${name} = excluded.${name}`).join(', ');

export function webhookStatements(database: DatabaseSync) {
  const select = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint`;
  const selectDelivery = `SELECT ${delivery} FROM webhook_delivery`;
  return {
    insert: prepare(
      database,
      `INSERT INTO webhook_endpoint (${ENDPOINT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    list: prepare<EndpointRow>(database, `${select} ORDER BY unique_identifier DESC`),
    listOf: prepare<EndpointRow>(
      database,
      `${select} WHERE of_account IN ${elementsOf('?')} ORDER BY unique_identifier DESC`,
    ),
    find: prepare<EndpointRow>(database, `${select} WHERE unique_identifier = ?`),
    /** Of unique identifier ?1, what ?2 says, at ?3. */
    change: prepare<EndpointRow>(
      database,
      `UPDATE webhook_endpoint SET ${state}, lease = NULL, lease_until = 0, updated_at = ?3
       WHERE unique_identifier = ?1 RETURNING ${ENDPOINT_COLUMNS}`,
    ),
    pauseAll: prepare(
      database,
      `UPDATE webhook_endpoint SET status = 'paused', reason = ?1, lease = NULL, lease_until = 0, updated_at = ?2
       WHERE status <> 'disabled'`,
    ),
    remove: prepare(database, 'DELETE FROM webhook_endpoint WHERE unique_identifier = ?'),
    leases: prepare<
      readonly [unique_identifier: string, status: string, lease: string | null, until: number]
    >(database, 'SELECT unique_identifier, status, lease, lease_until FROM webhook_endpoint'),
    /** By lease ?1 until ?2, of endpoints ?3 those that are free at ?4. */
    take: prepare<EndpointRow>(
      database,
      `UPDATE webhook_endpoint SET lease = ?1, lease_until = ?2
       WHERE unique_identifier IN ${elementsOf('?3')} AND (lease_until <= ?4 OR lease = ?1) AND status IN ('enabled', 'failing')
       RETURNING ${ENDPOINT_COLUMNS}`,
    ),
    renew: prepare(database, 'UPDATE webhook_endpoint SET lease_until = ?2 WHERE lease = ?1'),
    release: prepare(
      database,
      'UPDATE webhook_endpoint SET lease = NULL, lease_until = 0 WHERE lease = ?',
    ),
    endLease: prepare(
      database,
      'UPDATE webhook_endpoint SET lease = NULL, lease_until = 0 WHERE unique_identifier = ?',
    ),
    /** Of unique identifier ?1, what ?2 says, where it is held by lease ?3. */
    settle: prepare(
      database,
      `UPDATE webhook_endpoint SET ${state} WHERE unique_identifier = ?1 AND lease = ?3`,
    ),
    /** The elements of JSON array ?. */
    put: prepare(
      database,
      `INSERT INTO webhook_delivery (${delivery})
       SELECT ${names.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each(?) WHERE true
       ON CONFLICT (endpoint, change) DO UPDATE SET ${renewed}`,
    ),
    /** Of endpoint ?1 those that are to be tried after ?2. */
    hasten: prepare(
      database,
      `UPDATE webhook_delivery SET next_at = ?2 WHERE endpoint = ?1 AND status = 'pending' AND next_at > ?2`,
    ),
    pending: prepare<DeliveryRow>(
      database,
      `${selectDelivery} WHERE endpoint = ? AND status = 'pending' ORDER BY position, place`,
    ),
    ofChange: prepare<DeliveryRow>(database, `${selectDelivery} WHERE endpoint = ? AND change = ?`),
    withIdentifier: prepare<DeliveryRow>(
      database,
      `${selectDelivery} WHERE endpoint = ? AND unique_identifier = ?`,
    ),
    /** Of endpoint ?1, with status ?2 or any, before position ?3, place ?4 and change ?5; no more than ?6. */
    deliveries: prepare<DeliveryRow>(
      database,
      `${selectDelivery} WHERE endpoint = ?1 AND (?2 IS NULL OR status = ?2)
         AND (position, place, change) < (?3, ?4, ?5)
       ORDER BY position DESC, place DESC, change DESC LIMIT ${bounded('?6')}`,
    ),
    /** Of those that are finished and older than ?1, no more than ?2. */
    purge: prepare(
      database,
      `DELETE FROM webhook_delivery WHERE (endpoint, change) IN (
         SELECT endpoint, change FROM webhook_delivery
         WHERE updated_at < ?1 AND (status <> 'pending'
           OR endpoint NOT IN (SELECT unique_identifier FROM webhook_endpoint))
         LIMIT ${bounded('?2')})`,
    ),
  };
}
