/** Judges whether a record may be removed, erased or redacted: the one place for it, used by both stores. */
import type { ApiError } from '../../core/errors.ts';
import { stringify } from '../../core/schema/json/json.ts';
import { merge } from '../../core/schema/merge/merge.ts';
import { textWithoutPins } from '../../core/schema/pins.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { EraseOutcome, EraseRequest } from '../promises/erasing/book.ts';
import {
  MAX_REMOVED,
  type Refused,
  type Removal,
  type Removed,
  type StoredRecord,
} from '../promises/records.ts';
import {
  hasChildren,
  recordChanged,
  recordHeld,
  recordMissing,
  tooManyChildren,
} from '../promises/refusals.ts';
import type { Content } from './content.ts';
import { isFrom, parseDocument, storedKeys } from './records.ts';

/** The findings while the account was locked for other writers. */
interface Removing {
  /** How many records are below it; without `cascade` one stands for all, and of too many no more than one too many. */
  readonly below: number;
  /** The hold or the rule that preserves the record or one below it. */
  readonly keeper: string | undefined;
  /** Whether a record below it is from a source other than those to be removed. */
  readonly others: boolean;
}

export function judgeRemoval(
  { shape, versions, cascade, sources }: Removal,
  record: StoredRecord | undefined,
  look: (record: StoredRecord) => Removing,
): Removed | Refused {
  const refuse = (error: ApiError): Refused => ({ outcome: 'refused', error });
  if (record === undefined) return refuse(recordMissing(shape));
  const { version } = record;
  if (versions?.includes(version) === false) return refuse(recordChanged(shape, version));
  if (!isFrom(record, sources)) return refuse(recordChanged(shape, version));
  const { below, keeper, others } = look(record);
  if (keeper !== undefined) return refuse(recordHeld(keeper));
  if (below > 0 && !cascade) return refuse(hasChildren(shape));
  if (below > MAX_REMOVED) return refuse(tooManyChildren(shape));
  if (others) return refuse(hasChildren(shape));
  return { outcome: 'deleted', record, below };
}

/** The state of a record while its account is locked for other writers. */
export interface Erasable {
  /** Whether the record was erased before, and left a mark. */
  readonly isKnown: boolean;
  readonly hasKey: boolean;
  /** The record; `undefined` if it was removed, or never existed. */
  readonly stored: { readonly version: number; readonly document: string } | undefined;
  readonly wasRemoved: boolean;
  readonly parentVersion: () => number | undefined;
  /** Returns the hold or the rule that preserves the record. */
  readonly keeperOf: () => string | undefined;
  readonly isParent: () => boolean;
}

/**
 * The action: `adopt` an erasure by a rule as one that a person requested; `remove` the record, or what its
 * removal has kept; leave this content of it. Otherwise nothing, with that outcome.
 */
export function judgeErasure(
  shape: RecordShape,
  { aged, version, parent_version }: EraseRequest,
  { isKnown, hasKey, stored, wasRemoved, parentVersion, keeperOf, isParent }: Erasable,
): EraseOutcome | 'adopt' | 'remove' | Content {
  if (isKnown && aged === undefined) return 'adopt';
  if (isKnown && stored === undefined) return 'erased';
  if (!hasKey) return 'keyless';
  if (stored === undefined && (!wasRemoved || aged !== undefined)) return 'missing';
  if (version !== undefined && version !== stored?.version) return 'changed';
  if (parent_version !== undefined && parent_version !== parentVersion()) return 'changed';
  if (keeperOf() !== undefined) return 'held';
  if (!isParent()) return 'remove';
  const redacted = stored && aged === undefined && redactedContent(shape, stored.document);
  return redacted || 'has_children';
}

/** Returns the parts of a record that others need once its person is erased; `undefined` if none may stay. */
function redactedContent(shape: RecordShape, stored: string): Content | undefined {
  const { redacts } = shape;
  if (redacts === undefined) return undefined;
  const text = textWithoutPins(stored);
  const patch = stringify(redacts);
  const { document } = merge(shape.document, parseDocument(text), redacts, { stored: text, patch });
  if (document === undefined) throw new TypeError(`A redacted ${shape.resource} is not valid.`);
  return { document: stringify(document), keys: storedKeys(shape, document) };
}
