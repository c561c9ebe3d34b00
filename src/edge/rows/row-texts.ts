/** The result of each row as text, and the totals. */
import { ApiError } from '../../core/errors.ts';
import type { RowResult, RowWritten } from '../../records/ingest/many/row.ts';
import { errorMembers } from '../response/error-response.ts';

/** How many rows were created, updated, left unchanged, failed, and left out since their records were erased. */
export class Summary {
  readonly #counts: Record<RowWritten['outcome'] | 'failed', number> = {
    created: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    erased: 0,
  };

  add(report: RowReport): void {
    this.#counts[report instanceof ApiError ? 'failed' : report.outcome] += 1;
  }

  /** Few services erase anything. */
  toJSON(): object {
    const { erased, ...usual } = this.#counts;
    return erased === 0 ? usual : this.#counts;
  }
}

/** Makes any error one that may be answered. */
export type Refusal = (error: Error) => ApiError;

/** The result of a row: what was done, or an error that may be shown. */
export type RowReport = RowWritten | ApiError;

export function rowReport(result: RowResult, refusal: Refusal): RowReport {
  return result instanceof Error ? refusal(result) : result;
}

/** The members of what is answered to a row, as JSON text without braces. */
export function rowMembers(report: RowReport): string {
  if (report instanceof ApiError)
    return `"error":${JSON.stringify(errorMembers(report, undefined))}`;
  const { unique_identifier, outcome, kept } = report;
  const identity =
    unique_identifier === undefined ? '' : `"unique_identifier":"${unique_identifier}",`;
  return `${identity}"outcome":"${outcome}"${kept === undefined ? '' : `,"kept":${JSON.stringify(kept)}`}`;
}
