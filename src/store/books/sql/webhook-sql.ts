/** The SQL that works on webhooks, each statement by its name. */
import { webhookEndpoint } from '../../../core/objects/webhook-endpoint.ts';
import { LEASE_MS } from '../../promises/webhooks.ts';
import { inserted } from '../rows/own-rows.ts';
import {
  DELIVERY_COLUMNS,
  DELIVERY_RENEWED,
  ENDPOINT_COLUMNS,
  STATE_COLUMNS,
} from '../rows/webhook-rows.ts';
import { erasing, statements } from '../tables.ts';

/** The members of the JSON object $2, where they are there. */
const state: Readonly<Record<'sqlite' | 'postgres', string>> = {
  sqlite: STATE_COLUMNS.map(
    ([name]) =>
      `${name} = CASE WHEN json_type($2, '$.${name}') IS NULL THEN ${name} ELSE $2 ->> '${name}' END`,
  ).join(', '),
  postgres: STATE_COLUMNS.map(
    ([name, type]) =>
      `${name} = CASE WHEN jsonb_exists($2::jsonb, '${name}') THEN ($2::jsonb ->> '${name}')::${type} ELSE ${name} END`,
  ).join(', '),
};
/** A change of an endpoint to the state in $2. */
const changing = (rest: string) => ({
  sqlite: `UPDATE webhook_endpoint SET ${state.sqlite}${rest}`,
  postgres: `UPDATE webhook_endpoint SET ${state.postgres}${rest}`,
});

const names = DELIVERY_COLUMNS.map(([name]) => name);
const delivery = names.join(', ');
const noted = {
  sqlite: `SELECT ${names.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each($1) WHERE true`,
  postgres: `SELECT ${delivery} FROM jsonb_to_recordset($1::jsonb)
    AS noted (${DELIVERY_COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')})`,
};
const putting = (rows: string) => `INSERT INTO webhook_delivery (${delivery}) ${rows}
  ON CONFLICT (endpoint, change) DO UPDATE SET ${DELIVERY_RENEWED.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const select = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint`;
const selectDelivery = `SELECT ${delivery} FROM webhook_delivery`;
const FREE = 'lease = NULL, lease_until = 0';

export const webhookStatements = statements({
  insert: inserted(webhookEndpoint),
  list: `${select} ORDER BY unique_identifier DESC`,
  listOf: ({ among }) =>
    `${select} WHERE ${among('of_account', '$1')} ORDER BY unique_identifier DESC`,
  find: `${select} WHERE unique_identifier = $1`,
  /** Takes unique identifier $1, what $2 says, at $3. */
  change: {
    ...changing(`, ${FREE}, updated_at = $3
    WHERE unique_identifier = $1 RETURNING ${ENDPOINT_COLUMNS}`),
    erases: true,
  },
  /** For reason $1, at $2. */
  pauseAll: `UPDATE webhook_endpoint SET status = 'paused', reason = $1, ${FREE}, updated_at = $2
    WHERE status <> 'disabled'`,
  remove: erasing('DELETE FROM webhook_endpoint WHERE unique_identifier = $1'),
  leases: ({ now }) =>
    `SELECT unique_identifier, status, lease, lease_until - ${now} FROM webhook_endpoint`,
  /** By lease $1, of endpoints $2 those that are free. */
  take: ({ among, now }) => `UPDATE webhook_endpoint
    SET lease = $1, lease_until = ${now} + ${LEASE_MS}
    WHERE ${among('unique_identifier', '$2')} AND (lease_until <= ${now} OR lease = $1)
      AND status IN ('enabled', 'failing')
    RETURNING ${ENDPOINT_COLUMNS}`,
  renew: ({ now }) =>
    `UPDATE webhook_endpoint SET lease_until = ${now} + ${LEASE_MS} WHERE lease = $1`,
  release: `UPDATE webhook_endpoint SET ${FREE} WHERE lease = $1`,
  endLease: `UPDATE webhook_endpoint SET ${FREE} WHERE unique_identifier = $1`,
  /** Takes unique identifier $1, what $2 says, where lease $3 has it. */
  settle: changing(' WHERE unique_identifier = $1 AND lease = $3'),

  /** The elements of JSON array $1. */
  put: { sqlite: putting(noted.sqlite), postgres: putting(noted.postgres) },
  /** Brings forward deliveries of endpoint $1 that are to be tried after $2. */
  hasten: `UPDATE webhook_delivery SET next_at = $2
    WHERE endpoint = $1 AND status = 'pending' AND next_at > $2`,
  pending: `${selectDelivery} WHERE endpoint = $1 AND status = 'pending' ORDER BY position, place`,
  ofChange: `${selectDelivery} WHERE endpoint = $1 AND change = $2`,
  withIdentifier: `${selectDelivery} WHERE endpoint = $1 AND unique_identifier = $2`,
  /** Takes endpoint $1, with status $2 or any, before position $3, place $4 and change $5; no more than $6. */
  deliveries: ({ as, limit }) => `${selectDelivery}
    WHERE endpoint = $1 AND (${as('$2', 'text')} IS NULL OR status = $2)
      AND (position, place, change) < (${as('$3', 'bigint')}, ${as('$4', 'bigint')}, ${as('$5', 'text')})
    ORDER BY position DESC, place DESC, change DESC LIMIT ${limit('$6')}`,
  /** Removes no more than $2 deliveries that are finished and older than $1. */
  purge: ({ limit }) => `DELETE FROM webhook_delivery WHERE (endpoint, change) IN (
    SELECT endpoint, change FROM webhook_delivery
    WHERE updated_at < $1 AND (status <> 'pending'
      OR endpoint NOT IN (SELECT unique_identifier FROM webhook_endpoint))
    LIMIT ${limit('$2')})`,
});
