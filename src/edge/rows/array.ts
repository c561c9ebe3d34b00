/** The answer to a JSON array of rows: one element for each, in order, and the totals. */
import { inSteps } from '../../core/fair/scheduler.ts';
import type { ManyCall, RowResult } from '../../records/ingest/many/row.ts';
import type { RowSummary } from '../../services/requests/row-summary.ts';
import { type Refusal, rowMembers, rowReport, Summary } from './row-texts.ts';

/** As JSON text, built in slices, so that other requests come in between; `rows` gets the result of each. */
export async function arrayAnswer(
  { principal: { key }, resource: { path } }: ManyCall,
  results: readonly RowResult[],
  refusal: Refusal,
  rows: RowSummary,
  identifiers: readonly (string | undefined)[],
): Promise<string> {
  const summary = new Summary();
  const texts: string[] = [];
  await inSteps(key, () => {
    const result = results[texts.length];
    if (result === undefined) return true;
    const report = rowReport(result, refusal);
    summary.add(report);
    rows.add(texts.length, report, () => identifiers[texts.length]);
    texts.push(`{${rowMembers(report)}}`);
    return texts.length === results.length;
  });
  return `{"object":"upsert_many","url":"/v1/${path}/upsert_many","data":[${texts.join(',')}],"summary":${JSON.stringify(summary)}}`;
}
