/** What is answered to each row, and what they come to together. */
import type { ApiError } from '../../errors.ts';
import type { RowResult, RowWritten } from '../../ingest/many/row.ts';
import { errorMembers } from '../error-response.ts';

/** How many rows were created, updated, left unchanged, and failed. */
export class Summary {
  readonly #counts: Record<RowWritten['outcome'] | 'failed', number> = {
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
  };

  add(result: RowResult): void {
    this.#counts[result instanceof Error ? 'failed' : result.outcome] += 1;
  }

  toJSON(): object {
    return this.#counts;
  }
}

/** Makes any error one that may be answered. */
export type Refusal = (error: Error) => ApiError;

/** The members of what is answered to a row, as JSON text without braces. */
export function rowMembers(result: RowResult, refusal: Refusal): string {
  if (result instanceof Error) return `"error":${JSON.stringify(errorMembers(refusal(result)))}`;
  const { unique_identifier, outcome } = result;
  const identity =
    unique_identifier === undefined ? '' : `"unique_identifier":"${unique_identifier}",`;
  return `${identity}"outcome":"${outcome}"`;
}
