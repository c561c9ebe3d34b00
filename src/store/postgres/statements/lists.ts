/** The SQL of lists: composed for each, since filters come in many combinations. */

import type { DeclaredKey, RecordShape } from '../../../core/schema/shape.ts';
import { keyColumn, tableOf } from '../../names.ts';
import type { Filter, ListPlace, Scope } from '../../promises/store.ts';
import { hourOf, type RecordRow, UPDATED_HOUR } from '../../records/records.ts';
import { ALONG, indexed } from '../schema/tables.ts';
import type { Call } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';
import { columnsOf, ifOpen } from './records.ts';

export interface ListOrder {
  /** By this key, or by unique identifier alone. */
  readonly key: DeclaredKey | undefined;
  readonly ascending: boolean;
  /** Where to walk on from. */
  readonly from: ListPlace | undefined;
}

export interface ListFilter extends Pick<Filter, 'is' | 'value'> {
  readonly by: Exclude<Filter['by'], object> | DeclaredKey;
}

export interface List {
  readonly shape: RecordShape;
  readonly account: string;
  readonly anchors: Scope['anchors'];
  readonly order: ListOrder;
  readonly filters: readonly ListFilter[];
  readonly limit: number;
  /** As in `ListQuery`. */
  readonly bytes?: number | undefined;
  /** Looks at rows up to this place of the order and at no others, along its index; `end`: at all that are left. */
  readonly upTo?: ListPlace | 'end';
}

/** Adds a value to those of a statement, and returns its name there. */
type Bind = (value: unknown) => string;

/** The rows of a page, and one. */
export function listCall(list: List): Call<RecordRow> {
  const { values, bind } = binding();
  const found = walk(list, bind);
  const columns = columnsOf('record');
  const text =
    list.bytes === undefined
      ? `SELECT ${columns} ${found}`
      : `SELECT ${columns} FROM (${numbered(`SELECT record.* ${found}`, list.order)}) AS record
         WHERE record.place <= 2 OR record.bytes_before <= ${bind(list.bytes)} ORDER BY record.place`;
  return { statement: { text }, values };
}

/** How many rows `listCall` would give. */
export function countCall(list: List): Call<readonly [count: number]> {
  const { values, bind } = binding();
  const text = `SELECT count(*)::int FROM (SELECT 1 ${walk(list, bind)}) AS found`;
  return { statement: { text }, values };
}

/** Where a record stands among those of other accounts, and how many bytes its document has. */
export type PlaceRow = readonly [unique_identifier: string, key: string, bytes: number];

/** The places of the rows that `listCall` may give. */
export function placesCall(list: List): Call<PlaceRow> {
  const { values, bind } = binding();
  const text = `SELECT ${place(list.order)}, octet_length(record.document) ${walk(list, bind)}`;
  return { statement: { text }, values };
}

/** The place of the row `ahead` rows on, whether or not the filters let it through. */
export function placeAhead(list: List, ahead: number): Call<PlaceRow> {
  const { values, bind } = binding();
  // A server that knew how far it is might rather sort all rows, where it takes them for few.
  const far = `(SELECT ${bind(ahead - 1)}::int)`;
  const text = `SELECT ${place(list.order)}, 0 ${along(list, bind)} LIMIT 1 OFFSET ${far}`;
  return { statement: { text }, values };
}

function place({ key }: ListOrder): string {
  return `record.unique_identifier, ${key === undefined ? "''" : `record.${keyColumn(key)}`}`;
}

function binding(): { readonly values: readonly unknown[]; readonly bind: Bind } {
  const values: unknown[] = [];
  return { values, bind: (value) => `$${values.push(value)}` };
}

/**
 * The server walks an index and stops when it has a page, so that the cost of a page
 * does not grow with the number of records.
 */
function walk(list: List, bind: Bind): string {
  const { shape, account, anchors, order, filters, limit, upTo } = list;
  const isPart = upTo !== undefined;
  const own = isPart ? '' : bind(account);
  const served = isPart ? [] : servedBy(shape, order, filters);
  const conditions = [
    'true',
    ...served.map((index) => `record.account = (${own} ${index})`),
    ...(isPart ? [] : beyond(order, bind)),
    // Accounts have no anchor.
    ...(anchors === undefined || shape.parent === undefined
      ? []
      : [`record.anchor = ANY (${bind(textArray([...anchors]))}::text[])`]),
    ...filters.flatMap((filter) => conditionsOf(shape, filter, bind)),
  ];
  // Without the OFFSET the server might look for the rows another way, past any number of others.
  const rows = isPart ? `(SELECT record.* ${along(list, bind)} OFFSET 0)` : tableOf(shape);
  return `FROM ${rows} AS record
    WHERE ${conditions.join(' AND ')} ${ifOpen(shape, 'record')}
    ORDER BY ${inOrder(order)} LIMIT ${bind(limit)}::int`;
}

/** The rows of an account in the order of the list, before the filters. */
function along({ shape, account, order, upTo }: List, bind: Bind): string {
  const own = bind(account);
  const conditions = [
    ...servedBy(shape, order, []).map((index) => `record.account = (${own} ${index})`),
    ...beyond(order, bind),
    ...(upTo === undefined || upTo === 'end'
      ? []
      : [compared(order, order.ascending ? '<=' : '>=', upTo, bind)]),
  ];
  return `FROM ${tableOf(shape)} AS record
    WHERE ${conditions.join(' AND ')} ORDER BY ${inOrder(order)}`;
}

/**
 * The rows of a page, each with its place and the bytes of the documents before it: the server knows the length of a
 * document without reading it, and sends only the rows that have a place on the page, and one.
 */
function numbered(page: string, order: ListOrder): string {
  return `SELECT record.*, row_number() OVER walk AS place,
      sum(octet_length(record.document)) OVER walk - octet_length(record.document) AS bytes_before
    FROM (${page}) AS record
    WINDOW walk AS (ORDER BY ${inOrder(order)} ROWS UNBOUNDED PRECEDING)`;
}

/** How the account is compared, which determines the indexes that the server may use. */
function servedBy(shape: RecordShape, order: ListOrder, filters: readonly ListFilter[]) {
  const isEqual = (by: ListFilter['by']) =>
    filters.some((filter) => filter.by === by && filter.is === '=');
  if (shape.parent === undefined) return [''];
  if (isEqual('external_identifier')) return [''];
  if (isEqual('parent') || order.key !== undefined) return [ALONG];
  const byKey = filters.some(({ by }) => typeof by === 'object' && by.for === 'order');
  return byKey ? ['', ALONG] : [''];
}

function inOrder({ key, ascending }: ListOrder): string {
  const column = key === undefined ? undefined : `record.${keyColumn(key)}`;
  const places = column === undefined ? [] : [indexed(column), column];
  const direction = ascending ? 'ASC' : 'DESC';
  return [...places, 'record.unique_identifier'].map((place) => `${place} ${direction}`).join(', ');
}

function beyond(order: ListOrder, bind: Bind): readonly string[] {
  const { from, ascending } = order;
  return from === undefined ? [] : [compared(order, ascending ? '>' : '<', from, bind)];
}

function compared(order: ListOrder, sign: string, from: ListPlace, bind: Bind): string {
  const identifier = bind(from.unique_identifier);
  if (order.key === undefined) return `record.unique_identifier ${sign} ${identifier}`;
  const column = `record.${keyColumn(order.key)}`;
  const key = `${bind(from.key ?? '')}::text`;
  return `(${indexed(column)}, ${column}, record.unique_identifier) ${sign} (${indexed(key)}, ${key}, ${identifier})`;
}

function conditionsOf(shape: RecordShape, { by, is, value }: ListFilter, bind: Bind) {
  if (typeof by === 'object') {
    const column = `record.${keyColumn(by)}`;
    const key = `${bind(value)}::text`;
    return [
      `${column} <> ''`,
      `${indexed(column)} ${roughly(is)} ${indexed(key)}`,
      `${column} ${is} ${key}`,
    ];
  }
  if (by === 'created_by') {
    return [`record.created_by = ANY (string_to_array(${bind(value)}, ',')::int[])`];
  }
  const condition = `record.${by} ${is} ${bind(value)}`;
  // No record was updated before it was inserted. The root is not filtered by an index.
  const since = by === 'updated_at' || (by === 'inserted_at' && is !== '<' && is !== '<=');
  if (!since || shape.parent === undefined) return [condition];
  const about = by === 'inserted_at' ? '>=' : roughly(is);
  return [
    condition,
    `record.${UPDATED_HOUR} >= 0`,
    `record.${UPDATED_HOUR} ${about} ${bind(hourOf(Number(value)))}`,
  ];
}

/** The comparison of two values' prefixes that follows from that of the values. */
function roughly(is: Filter['is']): string {
  return is === '=' ? '=' : `${is.charAt(0)}=`;
}
