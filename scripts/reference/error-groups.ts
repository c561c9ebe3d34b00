/** Errors as their reference shows them: by status, in the order of the catalogue. */
import { STATUS_CODES } from 'node:http';
import {
  type ErrorCode,
  type ErrorType,
  type FaultValues,
  typeOfStatus,
} from '../../src/core/errors.ts';

export interface ErrorEntry {
  readonly code: ErrorCode;
  readonly status: number;
  /** What it means. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** An example of each value that it has. */
  readonly values?: FaultValues;
}

export interface ErrorGroup {
  readonly status: number;
  /** Such as `400 Bad Request`. */
  readonly title: string;
  readonly type: ErrorType;
  /** Whether the very same request may succeed when it is sent again. */
  readonly again: boolean;
  readonly entries: readonly ErrorEntry[];
}

/** Statuses below 500 that say nothing against the request itself. */
const PASSING = new Set([408, 429]);

export function groupsOf(entries: readonly ErrorEntry[]): readonly ErrorGroup[] {
  return Map.groupBy(entries, ({ status }) => status)
    .entries()
    .map(
      ([status, some]): ErrorGroup => ({
        status,
        title: `${status} ${STATUS_CODES[status]}`,
        type: typeOfStatus(status),
        again: status >= 500 || PASSING.has(status),
        entries: some,
      }),
    )
    .toArray()
    .sort((one, other) => one.status - other.status);
}
