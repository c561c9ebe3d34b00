/** The names of pairs and receipts within a commit. */
import type { Draft, Receipt, StoredRecord } from '../promises/store.ts';
import type { TextedDraft } from '../records/content.ts';

/** A draft with the name of its pair. */
export interface KeyedDraft {
  readonly draft: TextedDraft;
  readonly pair: string;
  /** The record as remembered, if requested. */
  readonly record?: StoredRecord | undefined;
}

// No text that gets here holds a NUL.
export function pairName(
  resource: string,
  account: string,
  parent: string,
  external_identifier: string,
): string {
  return `${resource}\0${account}\0${parent}\0${external_identifier}`;
}

/** The name of the pair that a draft writes to. */
export function pairOf({ shape, account, parent, external_identifier }: Draft): string {
  return pairName(shape.resource, account, parent, external_identifier);
}

/** A receipt by its place. */
export interface ReceiptPlace extends Pick<Receipt, 'owner' | 'idempotency_key'> {
  readonly account: string;
}

export function receiptName({ account, owner, idempotency_key }: ReceiptPlace): string {
  return `${account}\0${owner}\0${idempotency_key}`;
}

/** Groups things by account; the accounts are in the order of their names. */
export function byAccount<One>(all: readonly One[], accountOf: (one: One) => string) {
  return [...Map.groupBy(all, accountOf)].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Each account of these drafts once, in the order of their names. */
export function accountsOf(drafts: readonly KeyedDraft[]): readonly string[] {
  return [...new Set(drafts.map(({ draft }) => draft.account))].sort();
}

export type NamedDrafts = ReturnType<typeof nameDrafts>;

export function nameDrafts(drafts: readonly Draft[]) {
  const named: readonly KeyedDraft[] = drafts.map((draft) => ({ draft, pair: pairOf(draft) }));
  return { named, pairs: new Set(named.map(({ pair }) => pair)) };
}
