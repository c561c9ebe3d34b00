/** The answer to a JSON array of rows: one element for each, in order, and what they come to together. */
import type { Scheduler } from '../../fair/scheduler.ts';
import type { ManyCall, RowResult } from '../../ingest/many/row.ts';
import { type Refusal, rowMembers, Summary } from './row-texts.ts';

/** As JSON text, put together in turns with other requests. */
export async function arrayAnswer(
  scheduler: Scheduler,
  { principal: { key }, resource: { path } }: ManyCall,
  results: readonly RowResult[],
  refusal: Refusal,
): Promise<string> {
  const summary = new Summary();
  const rows: string[] = [];
  await scheduler.run(key, () => {
    const result = results[rows.length];
    if (result === undefined) return true;
    summary.add(result);
    rows.push(`{${rowMembers(result, refusal)}}`);
    return rows.length === results.length;
  });
  return `{"object":"upsert_many","url":"/v1/${path}/upsert_many","data":[${rows.join(',')}],"summary":${JSON.stringify(summary)}}`;
}
