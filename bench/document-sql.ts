/** The body of a request as SQL, for those who keep it without our service. */
import type { RecordShape } from '../src/core/schema/shape.ts';
import type { Workload } from './bodies.ts';

/**
 * The document that our service would keep of the body, as `jsonb`; its
 * placeholders are what `name` gives and `:n`.
 */
export function documentSql(shape: RecordShape, { template }: Workload, name: string): string {
  const document = documentOf(shape, JSON.parse(template));
  // pgbench takes a colon with a letter after it for a variable, in a text, too.
  const spaced = JSON.stringify(document, undefined, 1).replace(/\n\s*/g, ' ');
  const values: Readonly<Record<string, string>> = { ID: name, N: ':n::text' };
  const parts = spaced.split('@').map((part) => values[part] ?? textSql(part));
  return `concat(${parts.join(', ')})::jsonb`;
}

/** A text as SQL. */
export function textSql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The members, each where the shape has it; what says who the record is has no place in the document. */
function documentOf({ document: { members } }: RecordShape, body: object): object {
  const placed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (members.has(name)) placed[name] = value;
    for (const [group, shape] of members) {
      if (shape.is !== 'object' || !shape.members.has(name)) continue;
      placed[group] = { ...(placed[group] as object | undefined), [name]: value };
    }
  }
  return placed;
}
