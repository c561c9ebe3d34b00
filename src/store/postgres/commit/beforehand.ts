/**
 * Receipts of keys that see several accounts. Where these are at several servers, no transaction sees all of them: they
 * are looked for before, and the commit is judged by those of its own accounts.
 */
import type { Receipt, ReceiptName, StoredReceipt } from '../../promises/store.ts';
import { keysOf, TextDraft, type TextedDraft, textOf } from '../../records/content.ts';
import type { Context } from '../context.ts';
import { confirm } from '../turn/in-turn.ts';
import { findReceiptsAnywhere } from './receipts.ts';

/** By `receiptName`. */
type Kept = ReadonlyMap<string, StoredReceipt>;

/** Those that are stored, by standbys, too. */
export async function findKept(context: Context, wanted: readonly ReceiptName[]): Promise<Kept> {
  const { kept, accounts } = await findReceiptsAnywhere(context, wanted);
  if (kept.size > 0) await confirm(context, accounts);
  return kept;
}

/** `undefined` where the commit sees all that there are. Otherwise those that are not found are to be `narrowed`. */
export async function findBefore(
  context: Context,
  wanted: readonly ReceiptName[],
): Promise<Kept | undefined> {
  const several = wanted.filter(({ accounts }) => accounts.length > 1);
  if (context.placements.together || several.length === 0) return undefined;
  return findKept(context, several);
}

/** To be looked for in the accounts of its commit only. */
export function narrowed<With extends { readonly receipt?: Receipt }>(
  one: With,
  accounts: readonly string[],
): With {
  return one.receipt === undefined ? one : { ...one, receipt: { ...one.receipt, accounts } };
}

export function narrowedDraft(draft: TextedDraft): TextedDraft {
  return new TextDraft(narrowed(draft, [draft.account]), textOf(draft), keysOf(draft));
}
