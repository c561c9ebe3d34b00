/** A summary of a bulk request for the log: counts by outcome or code, and the numbers of refused rows. */
import { ApiError } from '../../core/errors.ts';
import { createFaultSummary } from './fault-summary.ts';
import { MOST_MARKED } from './marks.ts';
import type { ParamMask } from './names.ts';

/** How the rows of a request are numbered in its answer: lines from 1, elements of an array from 0. */
export type RowNumbering = 'lines' | 'elements';

/** A row that was done. */
export interface DoneRow {
  readonly outcome: string;
  /** Where its record belongs; `undefined` where that is not known. */
  readonly account?: string | undefined;
  readonly anchor?: string | null | undefined;
}

/** Distinct places in one request; rows at further ones are counted without their place. */
const MAX_PLACES = 1_000;

/** Rows of one outcome in one place. */
export interface RowsPlace {
  readonly account: string | undefined;
  readonly anchor: string | null;
  readonly outcome: string;
  count: number;
}

export type RowSummary = ReturnType<typeof createRowSummary>;

/** `as` is the outcome of every row in a repeated request or a dry run. */
export function createRowSummary(
  numbered: RowNumbering,
  mask: ParamMask,
  as?: 'replayed' | 'rehearsed',
) {
  const faults = createFaultSummary(mask);
  /** By outcome, or by the code of the first fault. */
  const counts = new Map<string, number>();
  const places = new Map<string, RowsPlace>();
  let refused = 0;
  /** The caller's own identifiers of the first rows that were refused. */
  const identifiers = new Set<string>();

  function count(what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }

  return {
    numbered,
    faults,
    counts,
    identifiers,
    add(number: number, row: DoneRow | ApiError, identifierOf?: () => string | undefined): void {
      if (row instanceof ApiError) {
        if (identifiers.size < MOST_MARKED) {
          const identifier = identifierOf?.();
          if (identifier !== undefined) identifiers.add(identifier);
        }
        count(row.code);
        refused += 1;
        for (const fault of row.faults) faults.add(fault, number);
        return;
      }
      const outcome = as ?? row.outcome;
      count(outcome);
      const known = places.size < MAX_PLACES ? row : undefined;
      const { account, anchor = null } = known ?? {};
      const name = `${account} ${anchor} ${outcome}`;
      places.getOrInsertComputed(name, () => ({ account, anchor, outcome, count: 0 })).count += 1;
    },
    get places(): Iterable<RowsPlace> {
      return places.values();
    },
    get refused(): number {
      return refused;
    },
  };
}
