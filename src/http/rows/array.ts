/** The answer to a JSON array of rows: one element for each, in order, and what they come to together. */
import type { Many } from '../../ingest/many.ts';
import type { ManyCall, RowResult } from '../../ingest/row.ts';
import { type Refusal, rowMembers, Summary } from './row-texts.ts';

/** As JSON text, put together in turns with the work of others. */
export async function arrayAnswer(
  many: Many,
  { principal: { key }, resource: { path } }: ManyCall,
  results: readonly RowResult[],
  refusal: Refusal,
): Promise<string> {
  const summary = new Summary();
  const rows: string[] = [];
  await many.work(key, () => {
    const result = results[rows.length];
    if (result === undefined) return true;
    summary.add(result);
    rows.push(`{${rowMembers(result, refusal)}}`);
    return rows.length === results.length;
  });
  return `{"object":"upsert_many","url":"/v1/${path}/upsert_many","data":[${rows.join(',')}],"summary":${JSON.stringify(summary)}}`;
}
