/** What happens to the drafts of one commit, one after the other, within its transaction. */
import { performance } from 'node:perf_hooks';
import { ApiError } from '../../errors.ts';
import { stringify } from '../../schema/json.ts';
import { merge } from '../../schema/merge.ts';
import { toKept, withheld } from '../outcomes.ts';
import { parentMissing } from '../parent-missing.ts';
import { newRecord, parseDocument, toRecord } from '../records.ts';
import { unmet } from '../refusals.ts';
import type { CommitOptions, Draft, Outcome, Refused, Written } from '../store.ts';
import type { Context } from './context.ts';
import type { Receipts } from './receipts.ts';
import { DOCUMENT, toRow } from './rows.ts';
import { ROWID } from './statements/records.ts';
import { indexedValues } from './tables.ts';

/** What a commit comes to. */
export interface BatchResult {
  readonly outcomes: readonly Outcome[];
  /** Whether what was done is to be committed, or taken back. */
  readonly keep: boolean;
}

/** Carries out the drafts of a commit, within its transaction. */
export function carryOut(
  context: Context,
  receipts: Receipts,
  drafts: readonly Draft[],
  { atomic = false, receipt }: CommitOptions,
): BatchResult {
  const batch = new Batch(context, receipts);
  if (receipt !== undefined) {
    const kept = receipts.find(receipt.owner, receipt.idempotency_key, context.now());
    if (kept !== undefined) {
      return { outcomes: drafts.map(() => ({ outcome: 'repeated', receipt: kept })), keep: false };
    }
  }
  const outcomes = drafts.map((draft) => batch.apply(draft));
  if (atomic && outcomes.some(({ outcome }) => outcome === 'refused')) {
    return { outcomes: outcomes.map(withheld), keep: false };
  }
  if (receipt !== undefined) {
    const accounts = new Set(drafts.map(({ account }) => account));
    receipts.keepBatch(receipt, outcomes.map(toKept), accounts);
  }
  batch.finish(receipt === undefined ? 0 : 1);
  return { outcomes, keep: true };
}

class Batch {
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #now: number;
  #mark: number | undefined;
  #receiptsKept = 0;
  /** Records found to stand, which nobody can change before the commit. */
  readonly #standing = new Set<string>();

  constructor(context: Context, receipts: Receipts) {
    this.#context = context;
    this.#receipts = receipts;
    this.#now = context.now();
  }

  apply(draft: Draft): Outcome {
    const { shape, receipt } = draft;
    if (receipt !== undefined) {
      const kept = this.#receipts.find(receipt.owner, receipt.idempotency_key, this.#now);
      if (kept !== undefined) return { outcome: 'repeated', receipt: kept };
    }
    if (!this.#parentStands(draft)) return { outcome: 'refused', error: parentMissing(shape) };
    const written = this.#write(draft);
    if (receipt !== undefined && written.outcome !== 'refused') {
      this.#receipts.keep(receipt, written.outcome, written.record);
      this.#receiptsKept += 1;
    }
    return written;
  }

  /** Purges receipts where some were kept: of drafts, and `more` than those. */
  finish(more: number): void {
    this.#receipts.purge(this.#now, this.#receiptsKept + more);
  }

  #parentStands({ shape, account, parent }: Draft): boolean {
    const { resource } = this.#context.root;
    if (shape.parent?.resource === resource) return this.#stands(resource, account, parent);
    return (
      shape.parent !== undefined &&
      this.#stands(resource, account, account) &&
      this.#stands(shape.parent.resource, account, parent)
    );
  }

  #stands(resource: string, account: string, unique_identifier: string): boolean {
    // No text that gets here holds a NUL.
    const name = `${resource}\0${account}\0${unique_identifier}`;
    if (this.#standing.has(name)) return true;
    const { stands } = this.#context.table(resource).records;
    if (stands.get(account, unique_identifier) === undefined) return false;
    this.#standing.add(name);
    return true;
  }

  #write(draft: Draft): Written | Refused {
    const { shape, account, parent, external_identifier } = draft;
    const { records, drafts } = this.#context.table(shape.resource);
    if (drafts === undefined) throw new TypeError(`No draft writes to ${shape.resource}.`);
    const row = drafts.findIdentity.get(account, parent, external_identifier);
    const before = row === undefined ? undefined : toRecord(row);
    const error = draft.only === undefined ? undefined : unmet(shape, draft.only, before);
    if (error !== undefined) return { outcome: 'refused', error };

    const began = performance.now();
    const stored = row === undefined ? undefined : parseDocument(row[DOCUMENT]);
    const merged = merge(shape.document, stored, draft.patch);
    if (merged.faults !== undefined) {
      return { outcome: 'refused', error: new ApiError(merged.faults) };
    }
    const changed = merged.document !== stored;
    const document = row === undefined || changed ? stringify(merged.document) : row[DOCUMENT];
    const mergeMs = performance.now() - began;

    if (row === undefined || before === undefined) {
      const record = newRecord(draft, {
        unique_identifier: this.#context.identify(draft.shape.prefix),
        document,
        mark: this.#markOfCommit(),
        inserted_at: this.#now,
      });
      drafts.insert.run(
        ...toRow(record),
        ...indexedValues(shape, merged.document, record.updated_at),
      );
      return { outcome: 'created', record, mergeMs };
    }
    if (!changed) return { outcome: 'unchanged', record: before, mergeMs };
    const record = {
      ...before,
      document,
      version: before.version + 1,
      mark: this.#markOfCommit(),
      // Also where the clock has gone back: lists find what was inserted since by what was updated since.
      updated_at: Math.max(this.#now, before.inserted_at),
    };
    const values = [document, record.version, record.mark, record.updated_at] as const;
    const indexed = indexedValues(shape, merged.document, record.updated_at);
    const indexedBefore = indexedValues(shape, stored ?? {}, before.updated_at);
    if (indexed.every((value, at) => value === indexedBefore[at])) {
      records.updateUnindexed.run(...values, row[ROWID]);
    } else {
      records.update.run(...values, ...indexed, row[ROWID]);
    }
    return { outcome: 'updated', record, mergeMs };
  }

  #markOfCommit(): number {
    this.#mark ??= this.#context.nextMark();
    return this.#mark;
  }
}
