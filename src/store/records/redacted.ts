/** What stays of a record that others need, once the person in it is erased. */
import { stringify } from '../../core/schema/json/json.ts';
import { merge } from '../../core/schema/merge/merge.ts';
import { textWithoutPins } from '../../core/schema/pins.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { storedKeys } from './indexed.ts';
import { parseDocument } from './records.ts';

/** `undefined` where nothing of such a record may stay. */
export function redactedContent(
  shape: RecordShape,
  stored: string,
): { readonly document: string; readonly keys: readonly string[] } | undefined {
  const { redacts } = shape;
  if (redacts === undefined) return undefined;
  const text = textWithoutPins(stored);
  const patch = stringify(redacts);
  const { document } = merge(shape.document, parseDocument(text), redacts, { stored: text, patch });
  if (document === undefined) throw new TypeError(`A redacted ${shape.resource} is not valid.`);
  return { document: stringify(document), keys: storedKeys(shape, document) };
}
