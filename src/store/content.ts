/** What a draft gives a record to hold. */
import type { Fault } from '../errors.ts';
import { stringify } from '../schema/json.ts';
import { merge } from '../schema/merge.ts';
import { mergesToPatch } from '../schema/merge-texts.ts';
import { storedKeys } from './indexed.ts';
import { parseDocument } from './records.ts';
import type { Draft } from './store.ts';

/** A draft whose patch may be at hand as the text of it, too. */
export interface TextedDraft extends Draft {
  /** Compact JSON, as `stringify` gives it. */
  readonly text?: string;
  /** What the columns of all declared keys hold for a document that is the patch. */
  readonly keys?: readonly string[];
}

/** What a record holds, as it is stored and answered. */
export interface Content {
  readonly document: string;
  /** What the columns of its declared keys hold. */
  readonly keys: readonly string[];
}

/** What a draft gives, merged into the document that is stored, if any is: that very text where it changes nothing. */
export function contentOf(
  draft: TextedDraft,
  stored: string | undefined,
): Content | { readonly faults: readonly Fault[] } {
  const { shape } = draft;
  const text = draft.text ?? stringify(draft.patch);
  if (mergesToPatch(shape.document, stored, text)) {
    return { document: text, keys: draft.keys ?? storedKeys(shape, draft.patch) };
  }
  const before = stored === undefined ? undefined : parseDocument(stored);
  const { document, faults } = merge(shape.document, before, draft.patch, { stored, patch: text });
  if (faults !== undefined) return { faults };
  return {
    document: stored !== undefined && document === before ? stored : stringify(document),
    keys: storedKeys(shape, document),
  };
}
