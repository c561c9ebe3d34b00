/** JSON values as programs write them, over as many lines as they need. */
import type { Json } from '../../src/core/schema/values.ts';

export interface Syntax {
  text(value: string): string;
  /** The name of a member, with what stands behind it. */
  member(name: string): string;
  /** `true`, `false` and `null`. */
  word(value: boolean | null): string;
}

const WIDTH = 84;

export function literal(value: Json | readonly Json[], syntax: Syntax, indent = ''): string {
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value === 'boolean' || value === null) return syntax.word(value);
  if (typeof value !== 'object') return String(value);
  const inner = `${indent}${syntax.member('').includes('"') ? '    ' : '  '}`;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Array.isArray(value)
    ? value.map((one: Json) => literal(one, syntax, inner))
    : Object.entries(value).map(([name, one]) => syntax.member(name) + literal(one, syntax, inner));
  const line = parts.join(', ');
  const plain = parts.every((part) => !part.includes('\n'));
  if (Array.isArray(value) && plain && indent.length + line.length < WIDTH) return `[${line}]`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
