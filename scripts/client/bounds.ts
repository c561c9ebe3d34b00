/** The longest texts that operations on our own objects take, for the forms of the console. */
import type { Members } from '../../src/core/schema/fields/members.ts';
import type { Operation } from '../../src/edge/operations/operation.ts';

export function boundsText(operations: readonly Operation[]): string {
  const entries = operations.flatMap(({ name, body = {} }) => {
    const bounds = Object.entries(body as Members).flatMap(([member, { kind }]) => {
      const { maxLength } = kind.schema as { readonly maxLength?: number };
      return maxLength === undefined ? [] : [`${member}: ${maxLength}`];
    });
    return bounds.length === 0 ? [] : [`export const ${name} = { ${bounds.join(', ')} };\n`];
  });
  return entries.join('');
}
