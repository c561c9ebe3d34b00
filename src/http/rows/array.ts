/** The answer to a JSON array of rows: one element for each, in order, and what they come to together. */
import type { RowResult } from '../../ingest/rows.ts';
import type { Resource } from '../../schema/define.ts';
import { type Refusal, rowMembers, Summary } from './row-texts.ts';

/** As JSON text. */
export function arrayAnswer(
  { path }: Resource,
  results: readonly RowResult[],
  refusal: Refusal,
): string {
  const summary = new Summary();
  const rows = results.map((result) => {
    summary.add(result);
    return `{${rowMembers(result, refusal)}}`;
  });
  return `{"object":"upsert_many","url":"/v1/${path}/upsert_many","data":[${rows.join(',')}],"summary":${JSON.stringify(summary)}}`;
}
