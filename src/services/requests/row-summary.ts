/** A summary of a bulk request for the log: counts by outcome or code, and the numbers of refused rows. */
import { ApiError } from '../../core/errors.ts';
import { FaultSummary } from './fault-summary.ts';
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

export class RowSummary {
  readonly numbered: RowNumbering;
  readonly faults: FaultSummary;
  /** By outcome, or by the code of the first fault. */
  readonly counts = new Map<string, number>();
  readonly #places = new Map<string, RowsPlace>();
  #refused = 0;
  /** The caller's own identifiers of the first rows that were refused. */
  readonly identifiers = new Set<string>();
  readonly #as: string | undefined;

  /** `as` is the outcome of every row in a repeated request or a dry run. */
  constructor(numbered: RowNumbering, mask: ParamMask, as?: 'replayed' | 'rehearsed') {
    this.numbered = numbered;
    this.faults = new FaultSummary(mask);
    this.#as = as;
  }

  /** `identifierOf` returns the caller's own identifier of a row that was refused. */
  add(number: number, row: DoneRow | ApiError, identifierOf?: () => string | undefined): void {
    if (row instanceof ApiError) {
      if (this.identifiers.size < MOST_MARKED) {
        const identifier = identifierOf?.();
        if (identifier !== undefined) this.identifiers.add(identifier);
      }
      this.#count(row.code);
      this.#refused += 1;
      for (const fault of row.faults) this.faults.add(fault, number);
      return;
    }
    const outcome = this.#as ?? row.outcome;
    this.#count(outcome);
    const known = this.#places.size < MAX_PLACES ? row : undefined;
    const { account, anchor = null } = known ?? {};
    const name = `${account} ${anchor} ${outcome}`;
    this.#places.getOrInsertComputed(name, () => ({
      account,
      anchor,
      outcome,
      count: 0,
    })).count += 1;
  }

  #count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** The places of rows that were done. */
  get places(): Iterable<RowsPlace> {
    return this.#places.values();
  }

  /** How many were not done. */
  get refused(): number {
    return this.#refused;
  }
}
