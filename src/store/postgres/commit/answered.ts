/** Copies of records as keyed requests were answered, which processes of 1.0 need. */
import type { StoredRecord } from '../../promises/store.ts';
import { ANSWERED, answer, forget, purge } from '../statements/answered.ts';
import { arraysOf } from '../statements/prepare.ts';
import { type Call, call } from '../wire/session.ts';
import { numberArray, textArray } from '../wire/values.ts';

/** They expire at the end of such a span, so that they are seldom written again. */
const SPAN_MS = 600_000;

/** The time up to which receipts can be purged together with their copies. */
export function purgedUntil(now: number): number {
  return Math.floor(now / SPAN_MS) * SPAN_MS;
}

/** A record as it is answered, until a time. */
interface Answered {
  readonly record: StoredRecord;
  readonly expires_at: number;
}

export function callToAnswer(all: readonly (Answered & { readonly account: string })[]): Call {
  const rows = new Map(
    all.map(({ record: { unique_identifier: record, ...own }, expires_at }) => [
      `${record} ${own.version}`,
      { ...own, record, expires_at: Math.ceil(expires_at / SPAN_MS) * SPAN_MS },
    ]),
  );
  return call(answer, ...arraysOf(ANSWERED, [...rows.values()]));
}

export function callToForgetAnswers(account: string, record: string): Call {
  return call(forget, account, record);
}

/** Takes what receipts of an account prove that have expired at `until`. */
export function callToPurgeAnswers(
  account: string,
  all: readonly (readonly [record: string | null, version: number | null])[],
  until: number,
): Call {
  const records = textArray(all.map(([record]) => record));
  const versions = numberArray(all.map(([, version]) => version));
  return call(purge, account, records, versions, until);
}
