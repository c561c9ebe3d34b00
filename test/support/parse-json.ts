/** JSON as it was answered. V8 takes an escaped key at times for one of another text (`core/schema/json/json.ts`), and tests read odd keys. */
import { hasEscapedKey, parseEscapedKeys } from '../../src/core/schema/json/json.ts';
import type { Body } from './service.ts';

/** As `JSON.parse`, with the very keys of the text. */
export function parseJson(text: string): Body {
  return hasEscapedKey(text) ? parseEscapedKeys(text) : JSON.parse(text);
}
