/** Requests of a key that behaves badly, as bytes. */
import type { Wires } from './wires.ts';

/** Where it is done, and to what. */
export interface Target {
  readonly port: number;
  /** The `Authorization` of the key that behaves badly. */
  readonly authorization: string;
  readonly location: string;
  readonly event: string;
}

export type Behaviour = (wires: Wires, target: Target) => void;

export const MIB = 1_048_576;
export const LF = '\r\n';
export const JSON_TYPE = 'Content-Type: application/json';
export const CHECK_INS = '/v1/event_check_in_records';
export const ARRANGEMENTS = '/v1/online_arrangements';

export const head = (
  { authorization }: Target,
  line: string,
  ...fields: readonly string[]
): string =>
  [
    `${line} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${authorization}`,
    ...fields,
    '',
    '',
  ].join(LF);

export const post = (
  target: Target,
  path: string,
  body: string,
  ...fields: readonly string[]
): string =>
  head(target, `POST ${path}`, JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`, ...fields) +
  body;

export const get =
  (target: Target, path: string, ...fields: readonly string[]) =>
  (): string =>
    head(target, `GET ${path}`, ...fields);

export const lines = (target: Target, path = CHECK_INS): string =>
  head(
    target,
    `POST ${path}/upsert_many`,
    'Content-Type: application/x-ndjson',
    'Transfer-Encoding: chunked',
  );

export const checkIn = (
  { event }: Target,
  external_identifier: string,
  more: object = {},
): string =>
  JSON.stringify({
    event_unique_identifier: event,
    external_identifier,
    visitor_full_name: `Visitor ${external_identifier}`,
    visitor_phone_number: '+14155550123',
    ...more,
  });

export const arrangement = (
  { location }: Target,
  external_identifier: string,
  data: object,
): string =>
  JSON.stringify({
    location_unique_identifier: location,
    external_identifier,
    person_full_name: 'Name of a person',
    person_phone_number: '+14155550123',
    cart_summary: 'Urn',
    additional_data: data,
  });

/** An arrangement of 64 KiB in two thousand members, of which one changes. */
export const grown = (target: Target, number: number, count: number): string =>
  arrangement(target, `grown-${number}`, {
    count,
    rows: Array.from({ length: 2000 }, (_, at) => ({ [`k${at}`]: at })),
  });

/** An object of so many members that no resource knows. */
export const unknown = (members: number, start = ''): string =>
  `{${start}${Array.from({ length: members }, (_, at) => `"visitor_ful_name${at}":${at}`).join(',')}}`;

export const array = (count: number, row: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => row(index)).join(',')}]`;

export const some = (count: number, row: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${row(index)}\n`).join('');

export const numbers = `{"external_identifier":"n","additional_data":{"n":[${'1e400,'.repeat(170_000)}1]}}`;
