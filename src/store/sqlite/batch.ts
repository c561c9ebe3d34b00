/** What happens to the drafts of one commit, one after the other, within its transaction. */
import { performance } from 'node:perf_hooks';
import { ApiError } from '../../errors.ts';
import { stringify } from '../../schema/json.ts';
import { merge } from '../../schema/merge.ts';
import { parentMissing } from '../parent-missing.ts';
import type { Draft, Outcome, Refused, StoredRecord, Written } from '../store.ts';
import type { Context } from './context.ts';
import type { Receipts } from './receipts.ts';
import { DOCUMENT, parseDocument, toRecord, toRow } from './rows.ts';
import { ROWID } from './statements/records.ts';
import { storedKeys } from './tables.ts';

export class Batch {
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

  /** Removes more expired receipts than were added, so that they get fewer and no commit takes long. */
  finish(): void {
    if (this.#receiptsKept > 0) this.#receipts.purge(this.#now, this.#receiptsKept + 100);
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

    const began = performance.now();
    const stored = row === undefined ? undefined : parseDocument(row[DOCUMENT]);
    const merged = merge(shape.document, stored, draft.patch);
    if (merged.faults !== undefined) {
      return { outcome: 'refused', error: new ApiError(merged.faults) };
    }
    const changed = merged.document !== stored;
    const document = row === undefined || changed ? stringify(merged.document) : row[DOCUMENT];
    const mergeMs = performance.now() - began;

    if (row === undefined) {
      const record = this.#newRecord(draft, document);
      drafts.insert.run(...toRow(record), ...storedKeys(shape, merged.document));
      return { outcome: 'created', record, mergeMs };
    }
    const before = toRecord(row);
    if (!changed) return { outcome: 'unchanged', record: before, mergeMs };
    const record = {
      ...before,
      document,
      version: before.version + 1,
      mark: this.#markOfCommit(),
      updated_at: this.#now,
    };
    records.update.run(
      document,
      record.version,
      record.mark,
      record.updated_at,
      ...storedKeys(shape, merged.document),
      row[ROWID],
    );
    return { outcome: 'updated', record, mergeMs };
  }

  #newRecord(draft: Draft, document: string): StoredRecord {
    const unique_identifier = this.#context.identify(draft.shape.prefix);
    return {
      unique_identifier,
      account: draft.account,
      anchor: draft.anchor ?? unique_identifier,
      parent: draft.parent,
      external_identifier: draft.external_identifier,
      document,
      version: 1,
      mark: this.#markOfCommit(),
      inserted_at: this.#now,
      updated_at: this.#now,
    };
  }

  #markOfCommit(): number {
    this.#mark ??= this.#context.nextMark();
    return this.#mark;
  }
}
