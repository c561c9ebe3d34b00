/** Commits all rows of an array at once: atomic arrays, and arrays with an Idempotency-Key. */
import { ApiError, Faults } from '../../../core/errors.ts';
import { recordMissing } from '../../../store/promises/refusals.ts';
import type {
  Draft,
  Outcome,
  Repeated,
  Store,
  StoredOutcome,
} from '../../../store/promises/store.ts';
import { once, type Repeatable, receiptFor } from '../idempotency.ts';
import { disclaim, type RowCommitter } from './commit.ts';
import {
  draftIn,
  draftsIn,
  errorIn,
  type ManyCall,
  type Row,
  type RowResult,
  resultOf,
} from './row.ts';

export interface ArrayResult {
  readonly results: readonly RowResult[];
  /** Whether an earlier request with the same key was answered again. */
  readonly replayed: boolean;
}

export interface WholeOptions {
  readonly atomic: boolean;
  readonly repeatable: Repeatable | undefined;
  /** Awaited when the rows are read, before any of them is saved. */
  readonly ready?: Promise<void> | undefined;
  /** Called when rows are saved as one commit. */
  readonly handedOver?: (() => void) | undefined;
}

interface WholeParts {
  readonly store: Pick<Store, 'receipt'>;
  readonly committer: Pick<RowCommitter, 'commitWhole'>;
  readonly now: () => number;
}

/** Commits the array. Throws, with nothing saved, `StoreUnavailable`, or if a row of an atomic array is refused. */
export async function commitWhole(
  { store, committer, now }: WholeParts,
  call: ManyCall,
  rows: readonly Row[],
  { atomic, repeatable, handedOver }: WholeOptions,
): Promise<ArrayResult> {
  const { principal } = call;
  const receipt = repeatable && receiptFor(principal, repeatable, now());
  const commit = async (): Promise<ArrayResult | Repeated> => {
    const errors = rows.map(errorIn);
    if (atomic && errors.some((one) => one !== undefined)) await disclaim(call, draftsIn(rows));
    if (atomic) refuseAll(errors);
    throwOthers(errors);
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    const options = { atomic, bytes, ...(receipt && { receipt }) };
    const committing = committer.commitWhole(call, allDrafts(call, rows), options);
    handedOver?.();
    const outcomes = await committing;
    const [first] = outcomes;
    if (first?.outcome === 'repeated') return first;
    if (first?.outcome === 'refused' && first.error.code === 'idempotency_keys_exhausted')
      throw first.error;
    if (atomic)
      refuseAll(outcomes.map((one) => (one.outcome === 'refused' ? one.error : undefined)));
    const results = align(rows, outcomes, (one, draft) => resultOf(one, draft, call));
    return { results, replayed: false };
  };
  const done = await (receipt === undefined
    ? commit()
    : once(store, principal, receipt, commit, principal.scope.accounts.size > 1));
  return 'results' in done ? done : replay(call, rows, done);
}

function replay(call: ManyCall, rows: readonly Row[], done: Repeated): ArrayResult {
  const { receipt } = done;
  if (receipt.outcome !== 'batch')
    throw new TypeError('A batch is repeated from the receipt of one.');
  const { faults } = recordMissing(call.resource.shape);
  // Outcomes in accounts that have been closed since are not shown.
  const stored = receipt.drafts.map((one) => one ?? { outcome: 'refused' as const, faults });
  const results = align(rows, stored, (one) =>
    one.outcome === 'refused' ? new ApiError(one.faults) : one,
  );
  return { results, replayed: true };
}

/** Throws one error that names every fault of every row, if there is any. */
export function refuseAll(results: readonly (RowResult | undefined)[]): void {
  throwOthers(results);
  const refused = results.filter((one) => one instanceof ApiError);
  if (refused.length === 0) return;
  const faults = new Faults();
  const values = { refused: refused.length, rows: results.length };
  faults.add(undefined, 'batch_refused', { values });
  for (const [index, result] of results.entries()) {
    if (!(result instanceof ApiError)) continue;
    for (const { param, code, ...said } of result.faults)
      faults.add(param === undefined ? String(index) : `${index}.${param}`, code, said);
  }
  faults.throwIfAny();
}

/** Throws errors that are not refusals, which end the request: the store is unreachable, or the fault is ours. */
function throwOthers(results: readonly (RowResult | undefined)[]): void {
  const other = results.find((one) => one instanceof Error && !(one instanceof ApiError));
  if (other !== undefined) throw other;
}

/**
 * Returns a draft per row that was read, so that the receipt has an outcome for each, even if a parent changed by the
 * time of a repetition. A row without a draft gets one that every store refuses, with an empty parent identifier.
 */
function allDrafts(
  { principal: { scope }, resource: { shape } }: ManyCall,
  rows: readonly Row[],
): readonly Draft[] {
  const [account = ''] = scope.accounts;
  const refused = { shape, account, anchor: undefined, parent: '', patch: {} };
  return rows.flatMap((row) => {
    const { external_identifier: id } = row;
    return id === undefined ? [] : (draftIn(row) ?? { ...refused, external_identifier: id });
  });
}

/** Returns one result per row: that of its draft, or the error that it has instead. */
function align<T extends Outcome | StoredOutcome>(
  rows: readonly Row[],
  outcomes: readonly T[],
  resultOf: (outcome: T, draft: Draft | undefined) => RowResult,
): RowResult[] {
  const next = outcomes.values();
  return rows.map((row) => {
    const { draft, external_identifier } = row;
    if (external_identifier === undefined) return draft as Error;
    const outcome = next.next().value as T;
    return outcome.outcome === 'refused' && draft instanceof Error
      ? draft
      : resultOf(outcome, draftIn(row));
  });
}
