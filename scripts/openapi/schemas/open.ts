/** Values of answers that can gain others within `/v1`: generated code must accept new ones, too. */
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';

/** Any text, of which these are known. */
export function open(
  values: readonly string[],
  description: string,
  more: object = {},
): JsonSchema {
  return {
    description,
    anyOf: [{ type: 'string', enum: [...values] }, { type: 'string' }],
    ...more,
  };
}
