/** The content that a draft gives a record. */
import type { Fault } from '../../core/errors.ts';
import { stringify } from '../../core/schema/json/json.ts';
import { merge, mergesToPatch } from '../../core/schema/merge/merge.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Draft } from '../promises/records.ts';
import { parseDocument, storedKeys } from './records.ts';

/** A draft whose patch may also be available as text. */
export interface TextedDraft extends Draft {
  /** Compact JSON, as `stringify` gives it. */
  readonly text?: string;
  /** The columns of all declared keys, for a document that equals the patch. */
  readonly keys?: readonly string[];
}

type Patched = Pick<TextedDraft, 'shape' | 'patch' | 'text' | 'keys'>;

/**
 * A draft whose patch is a text, and is only read where that does not suffice:
 * objects that wait cost the garbage collector as much as it took to make them.
 */
export class TextDraft implements TextedDraft {
  readonly shape: Draft['shape'];
  readonly account: string;
  readonly anchor: string | undefined;
  readonly parent: string;
  readonly external_identifier: string;
  readonly text: string;
  readonly keys: readonly string[];
  readonly only: Draft['only'];
  readonly receipt: Draft['receipt'];
  readonly by: Draft['by'];
  readonly source: Draft['source'];
  readonly restores: Draft['restores'];
  readonly pins: Draft['pins'];
  readonly isTooOld: Draft['isTooOld'];
  #patch: JsonObject | undefined;

  /** Creates a draft. `draft` has all but the patch; `text` and `keys` are as in `TextedDraft`. */
  constructor(draft: Omit<Draft, 'patch'>, text: string, keys: readonly string[]) {
    this.shape = draft.shape;
    this.account = draft.account;
    this.anchor = draft.anchor;
    this.parent = draft.parent;
    this.external_identifier = draft.external_identifier;
    this.text = text;
    this.keys = keys;
    this.only = draft.only;
    this.receipt = draft.receipt;
    this.by = draft.by;
    this.source = draft.source;
    this.restores = draft.restores;
    this.pins = draft.pins;
    this.isTooOld = draft.isTooOld;
  }

  /** Creates a draft from a parsed patch. */
  static of(draft: Omit<Draft, 'patch'>, patch: JsonObject): TextDraft {
    return new TextDraft(draft, stringify(patch), storedKeys(draft.shape, patch));
  }

  get patch(): JsonObject {
    this.#patch ??= parseDocument(this.text);
    return this.#patch;
  }
}

/** The content of a record, as stored and returned. */
export interface Content {
  readonly document: string;
  /** The columns of its declared keys. */
  readonly keys: readonly string[];
}

/** Merges a draft into the stored document, if there is one. Returns the stored text itself if nothing changes. */
export function contentOf(
  draft: Patched,
  stored: string | undefined,
): Content | { readonly faults: readonly Fault[] } {
  const { shape } = draft;
  const text = textOf(draft);
  if (mergesToPatch(shape.document, stored, text)) return { document: text, keys: keysOf(draft) };
  const before = stored === undefined ? undefined : parseDocument(stored);
  const { document, faults } = merge(shape.document, before, draft.patch, { stored, patch: text });
  if (faults !== undefined) return { faults };
  return {
    document: stored !== undefined && document === before ? stored : stringify(document),
    keys: storedKeys(shape, document),
  };
}

/** Returns the patch as compact JSON. */
export function textOf(draft: Pick<Patched, 'text' | 'patch'>): string {
  return draft.text ?? stringify(draft.patch);
}

/** The columns of all declared keys, for a document that equals the patch. */
export function keysOf(draft: Patched): readonly string[] {
  return draft.keys ?? storedKeys(draft.shape, draft.patch);
}
