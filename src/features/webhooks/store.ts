/** The book of webhooks, over the tables of a store: endpoints, their leases and their deliveries. */
import { OF_NO_CHANGE } from '../../core/schema/id.ts';
import { isFree } from '../../store/believed-time.ts';
import { Book } from '../../store/books/book.ts';
import {
  columnTypes,
  inserted,
  newRow,
  rowReader,
  selected,
} from '../../store/books/rows/own-rows.ts';
import {
  type Announce,
  type BookParts,
  type BookStatement,
  type BookTables,
  type BookWrite,
  erasing,
  statements,
} from '../../store/books/tables.ts';
import { named } from '../../store/images.ts';
import type { KeyFinder } from '../../store/promises/keys.ts';
import type { ChangeLog } from '../../store/promises/log.ts';
import {
  isWanted,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookState,
  type WebhookStatus,
  webhookDelivery,
  webhookEndpoint,
} from './declares.ts';

export type NewWebhookEndpoint = Omit<
  WebhookEndpoint,
  'inserted_at' | 'updated_at' | 'next_at' | 'strikes'
>;

/** Who delivers to an endpoint, as far as callers need to know. */
interface WebhookLease {
  readonly unique_identifier: string;
  readonly status: WebhookStatus;
  /** `null` where no process delivers to it. */
  readonly lease: string | null;
  /** Milliseconds that are left of it, by the store's clock. */
  readonly left: number;
  /** Raised when notifications of states are added. */
  readonly announced: number;
}

/** Where a list of deliveries goes on: it goes from the newest change to the oldest. */
type DeliveryCursor = Pick<WebhookDelivery, 'position' | 'place' | 'change'>;

export interface DeliveriesQuery {
  readonly endpoint: string;
  readonly status?: WebhookDelivery['status'] | undefined;
  readonly after?: DeliveryCursor | undefined;
  readonly limit: number;
}

/** How long a lease lasts that is not renewed. */
export const LEASE_MS = 30_000;
/** How long finished deliveries are stored. */
export const DELIVERIES_MS = 30 * 24 * 60 * 60 * 1000;

/** Small enough that no writer waits for it long. */
const PURGED_AT_ONCE = 500;
const NEWEST = Number.MAX_SAFE_INTEGER;

const toLease = named<WebhookLease>('unique_identifier', 'status', 'lease', 'left', 'announced');
const toEndpoint = rowReader(webhookEndpoint);
const toDelivery = rowReader(webhookDelivery);
const ENDPOINT_COLUMNS = selected(webhookEndpoint);

/** The columns that change, each with its type: what is not said of them stays. */
const STATE_COLUMNS = Object.entries(columnTypes(webhookEndpoint)).filter(
  ([name]) => webhookEndpoint.fields[name as keyof WebhookState]?.settable,
);

/** A state as a JSON object of columns. */
function stateJson({ settings, secrets, ...rest }: Partial<WebhookState>): string {
  return JSON.stringify({
    ...rest,
    ...(settings && { settings: JSON.stringify(settings) }),
    ...(secrets && { secrets: JSON.stringify(secrets) }),
  });
}

/** The columns of a delivery, each a member by the same name, with its type. */
const DELIVERY_COLUMNS = Object.entries(columnTypes(webhookDelivery));

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
/** The columns to update when a delivery is written again: all but its identity and its first time. */
const renewed = names
  .filter((name) => !['endpoint', 'change', 'unique_identifier', 'inserted_at'].includes(name))
  .map((name) => `${name} = excluded.${name}`);
const noted = {
  sqlite: `SELECT ${names.map((name) => `value ->> '${name}'`).join(', ')} FROM json_each($1) WHERE true`,
  postgres: `SELECT ${delivery} FROM jsonb_to_recordset($1::jsonb)
    AS noted (${DELIVERY_COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')})`,
};
const putting = (rows: string) => `INSERT INTO webhook_delivery (${delivery}) ${rows}
  ON CONFLICT (endpoint, change) DO UPDATE SET ${renewed.join(', ')}`;

const select = `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoint`;
const selectDelivery = `SELECT ${delivery} FROM webhook_delivery`;
const FREE = 'lease = NULL, lease_until = 0';
/** Marks a lease that is to end: its process stops sending, and then frees it. */
const ENDING = '~';
export const endingOf = (lease: string): string => ENDING + lease;
const END = `lease = CASE WHEN lease LIKE '${ENDING}%' THEN lease ELSE '${ENDING}' || lease END`;

export const sql = statements({
  insert: inserted(webhookEndpoint),
  list: `${select} ORDER BY unique_identifier DESC`,
  listOf: ({ among }) =>
    `${select} WHERE ${among('of_account', '$1')} ORDER BY unique_identifier DESC`,
  page: ({ among, as, limit }) => `${select}
    WHERE ${among('of_account', '$1')} AND (${as('$2', 'text')} IS NULL OR unique_identifier < $2)
    ORDER BY unique_identifier DESC LIMIT ${limit('$3')}`,
  find: `${select} WHERE unique_identifier = $1`,
  change: {
    ...changing(`, ${END}, updated_at = $3
    WHERE unique_identifier = $1 RETURNING ${ENDPOINT_COLUMNS}`),
    erases: true,
  },
  succeed: `UPDATE webhook_endpoint SET key = $2, ${END} WHERE key = $1`,
  pauseAll: `UPDATE webhook_endpoint SET status = 'paused', reason = $1, ${FREE}, updated_at = $2
    WHERE status <> 'disabled'`,
  remove: erasing('DELETE FROM webhook_endpoint WHERE unique_identifier = $1'),
  leases: ({ now }) =>
    `SELECT unique_identifier, status, lease,
      CASE WHEN ${isFree('lease_until', now, LEASE_MS)} THEN 0 ELSE lease_until - ${now} END, announced
    FROM webhook_endpoint`,
  take: ({ among, now }) => `UPDATE webhook_endpoint
    SET lease = $1, lease_until = ${now} + ${LEASE_MS}
    WHERE ${among('unique_identifier', '$2')} AND (${isFree('lease_until', now, LEASE_MS)} OR lease = $1)
      AND status IN ('enabled', 'failing')
    RETURNING ${ENDPOINT_COLUMNS}`,
  /** Who has the lease, while it lasts. */
  leaseOf: ({ now }) => `SELECT lease FROM webhook_endpoint
    WHERE unique_identifier = $1 AND NOT ${isFree('lease_until', now, LEASE_MS)}`,
  renew: ({ now }) =>
    `UPDATE webhook_endpoint SET lease_until = ${now} + ${LEASE_MS} WHERE lease = $1`,
  release: `UPDATE webhook_endpoint SET ${FREE} WHERE lease IN ($1, '${ENDING}' || $1)`,
  free: `UPDATE webhook_endpoint SET ${FREE} WHERE unique_identifier = $1 AND lease = '${ENDING}' || $2`,
  releaseAll: `UPDATE webhook_endpoint SET ${FREE} WHERE lease IS NOT NULL`,
  announce: 'UPDATE webhook_endpoint SET announced = announced + 1 WHERE unique_identifier = $1',
  endLease: `UPDATE webhook_endpoint SET ${END} WHERE unique_identifier = $1`,
  settle: changing(' WHERE unique_identifier = $1 AND lease = $3'),

  put: { sqlite: putting(noted.sqlite), postgres: putting(noted.postgres) },
  hasten: `UPDATE webhook_delivery SET next_at = $2
    WHERE endpoint = $1 AND status = 'pending' AND next_at > $2`,
  pending: `${selectDelivery} WHERE endpoint = $1 AND status = 'pending' ORDER BY position, place`,
  ofChange: `${selectDelivery} WHERE endpoint = $1 AND change = $2`,
  withIdentifier: `${selectDelivery} WHERE endpoint = $1 AND unique_identifier = $2`,
  deliveries: ({ as, limit }) => `${selectDelivery}
    WHERE endpoint = $1 AND (${as('$2', 'text')} IS NULL OR status = $2)
      AND (position, place, change) < (${as('$3', 'bigint')}, ${as('$4', 'bigint')}, ${as('$5', 'text')})
    ORDER BY position DESC, place DESC, change DESC LIMIT ${limit('$6')}`,
  erasedSent: ({ among }) => `SELECT status, max(updated_at) FROM webhook_delivery
    WHERE endpoint = $1 AND ${among('record', '$2')} AND type LIKE '%.erased' GROUP BY status`,
  purge: ({ limit }) => `DELETE FROM webhook_delivery WHERE (endpoint, change) IN (
    SELECT endpoint, change FROM webhook_delivery
    WHERE updated_at < $1 AND (status <> 'pending'
      OR endpoint NOT IN (SELECT unique_identifier FROM webhook_endpoint))
    LIMIT ${limit('$2')})`,
});

export const book = (tables: BookTables, parts: BookParts) => new WebhookBook(tables, parts);

/** A restored copy sends nothing until an operator resumes its endpoints. */
export const settling = (now: number) => [sql.pauseAll, 'restored', now] as const;

/** Lets endpoints that see by a key see by the one that replaces it. */
export const succeeding = (old: string, successor: string) =>
  [sql.succeed, old, successor] as const;

export class WebhookBook extends Book {
  async create(endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint> {
    const at = this.now();
    const made = { ...endpoint, next_at: null, strikes: 0, inserted_at: at, updated_at: at };
    await this.tables.change(sql.insert, ...newRow(webhookEndpoint, made));
    return made;
  }

  /** Lists endpoints of these accounts, the newest first; of all, where none are named. */
  readonly list = (accounts?: readonly string[]) =>
    accounts === undefined
      ? this.all(toEndpoint, sql.list)
      : this.all(toEndpoint, sql.listOf, accounts);

  /** Some of them, the newest first, after that one. */
  readonly page = (accounts: readonly string[], after: string | undefined, limit: number) =>
    this.all(toEndpoint, sql.page, accounts, after ?? null, limit);

  readonly find = (unique_identifier: string) =>
    this.first(toEndpoint, sql.find, unique_identifier);

  /**
   * Changes the settings, and ends the lease, so that the process that delivers starts over. With `hastens`, pending
   * deliveries are tried at once. Gives `undefined` if there is no such endpoint.
   */
  async change(
    unique_identifier: string,
    state: Partial<WebhookState>,
    { hastens = false } = {},
  ): Promise<WebhookEndpoint | undefined> {
    const values = [unique_identifier, stateJson(state), this.now()];
    if (hastens) {
      const hasten = [sql.hasten, unique_identifier, this.now()] as const;
      await this.tables.write([[sql.change, ...values], hasten]);
      return this.find(unique_identifier);
    }
    const [row] = (await this.tables.change<readonly unknown[]>(sql.change, ...values)).rows;
    return row && toEndpoint(row);
  }

  /** Pauses it, and has its lease end: what is removed at once would be sent something still. */
  readonly stop = (unique_identifier: string) =>
    this.change(unique_identifier, { status: 'paused', reason: 'paused' });

  /** Its deliveries are purged at their usual age. Returns whether it existed. */
  readonly remove = (unique_identifier: string) => this.did(sql.remove, unique_identifier);

  readonly leases = () => this.all(toLease, sql.leases);

  /** Leases those of these endpoints that are enabled or failing and not leased, for `LEASE_MS` by the store's clock. */
  readonly take = async (lease: string, endpoints: readonly string[]) =>
    (await this.tables.change<readonly unknown[]>(sql.take, lease, endpoints)).rows.map(toEndpoint);

  /** Whether that lease of the endpoint lasts, and is not to end. */
  readonly isLeased = async (unique_identifier: string, lease: string): Promise<boolean> =>
    (await this.#leaseOf(unique_identifier)) === lease;

  /** Whether the endpoint is delivered to by what it was before a change. */
  readonly isEnding = async (unique_identifier: string): Promise<boolean> =>
    (await this.#leaseOf(unique_identifier))?.startsWith(ENDING) === true;

  async #leaseOf(unique_identifier: string): Promise<string | undefined> {
    type Row = readonly [lease: string | null];
    const [row] = await this.tables.rows<Row>(sql.leaseOf, unique_identifier);
    return row?.[0] ?? undefined;
  }

  /** Frees a lease that was to end. */
  readonly free = (unique_identifier: string, lease: string) =>
    this.did(sql.free, unique_identifier, lease);

  /** Makes all that were taken with that lease last for `LEASE_MS` from now. */
  readonly renew = (lease: string) => this.did(sql.renew, lease);

  readonly release = (lease: string) => this.did(sql.release, lease);

  /** Ends the leases of all processes. */
  readonly releaseAll = () => this.did(sql.releaseAll);

  /**
   * Notes what became of deliveries, and the state that follows, in one commit. Writes nothing and gives `false` where
   * that lease has ended.
   */
  async settle(
    unique_identifier: string,
    lease: string,
    state: Partial<WebhookState>,
    deliveries: readonly WebhookDelivery[],
  ): Promise<boolean> {
    const settled = [sql.settle, unique_identifier, stateJson(state), lease] as const;
    if (deliveries.length === 0) return this.did(...settled);
    const put = [sql.put, JSON.stringify(deliveries)] as const;
    return this.wrote([settled, put]);
  }

  /** Makes a pending delivery, which is not stored; of no change, where none is named. */
  pendingOf({
    change = this.identify(OF_NO_CHANGE),
    ...of
  }: Pick<WebhookDelivery, 'endpoint' | 'position' | 'place' | 'type' | 'record'> & {
    readonly change?: string;
  }): WebhookDelivery {
    const at = this.now();
    const times = { inserted_at: at, updated_at: at };
    const unique_identifier = this.identify('dlv_');
    const { nulls } = webhookDelivery;
    return { ...nulls, ...of, ...times, unique_identifier, change, status: 'pending', attempts: 0 };
  }

  /** Creates or replaces a delivery, and has the lease end. */
  async redeliver(delivery: WebhookDelivery): Promise<void> {
    // A worker that already delivers to the endpoint starts over, and finds it.
    await this.tables.write(this.#putting(sql.endLease, [delivery]));
  }

  /** The writes of deliveries of states, for one commit with what they tell of. */
  announcing(deliveries: readonly WebhookDelivery[]): readonly BookWrite[] {
    return deliveries.length === 0 ? [] : this.#putting(sql.announce, deliveries);
  }

  #putting(first: BookStatement, deliveries: readonly WebhookDelivery[]): readonly BookWrite[] {
    const endpoints = [...new Set(deliveries.map(({ endpoint }) => endpoint))].sort();
    return [
      ...endpoints.map((endpoint): BookWrite => [first, endpoint]),
      [sql.put, JSON.stringify(deliveries)],
    ];
  }

  /** All that are pending, in the order of their changes. */
  readonly pending = (endpoint: string) => this.all(toDelivery, sql.pending, endpoint);

  /** The newest change first. */
  deliveries({ endpoint, status, after, limit }: DeliveriesQuery) {
    const { position = NEWEST, place = NEWEST, change = '' } = after ?? {};
    const values = [endpoint, status ?? null, position, place, change, limit];
    return this.all(toDelivery, sql.deliveries, ...values);
  }

  /** Finds the delivery of a change, or one by its own unique identifier. */
  readonly delivery = (
    endpoint: string,
    by: { readonly change: string } | { readonly unique_identifier: string },
  ) =>
    'change' in by
      ? this.first(toDelivery, sql.ofChange, endpoint, by.change)
      : this.first(toDelivery, sql.withIdentifier, endpoint, by.unique_identifier);

  /** When a delivery of the erasure of these records to an endpoint last changed, by status. */
  async erasedSent(endpoint: string, records: readonly string[]) {
    type Row = readonly [status: string, at: number];
    return new Map(await this.tables.rows<Row>(sql.erasedSent, endpoint, records));
  }

  /** Removes some finished deliveries that are older than `DELIVERIES_MS`; returns whether there may be more. */
  readonly purge = () => this.purged(sql.purge, this.now() - DELIVERIES_MS, PURGED_AT_ONCE);
}

interface Announcing {
  readonly webhooks: WebhookBook;
  readonly keys: Pick<KeyFinder, 'find'>;
  readonly log: Pick<ChangeLog, 'last'>;
}

/** Returns an announcer to endpoints that want the state and whose keys have the right to it. */
export function announcer({ webhooks, keys, log }: Announcing): Announce {
  const maySee = async ({ key, account }: WebhookEndpoint, right: string): Promise<boolean> => {
    if (key === account) return true;
    const judged = await keys.find(key);
    return judged.is === 'valid' && judged.key.allow.includes(right);
  };

  return async ({ of, right }, { unique_identifier: record, account, location }, state) => {
    const position = (await log.last(account))?.position ?? 0;
    const deliveries: WebhookDelivery[] = [];
    for (const endpoint of await webhooks.list([account])) {
      const { settings, status } = endpoint;
      const { locations, notifications } = settings;
      const isFor =
        status !== 'disabled' &&
        (locations === null || locations.includes(location)) &&
        isWanted(notifications, of, state);
      if (!isFor || !(await maySee(endpoint, right))) continue;
      const { unique_identifier } = endpoint;
      const type = `${of}.${state}`;
      const tells = { endpoint: unique_identifier, position, place: 0, type, record };
      deliveries.push(webhooks.pendingOf(tells));
    }
    return webhooks.announcing(deliveries);
  };
}
