/** Which field of a resource a column of a table is for. */
import type { Resource } from '../../schema/define.ts';
import type { Members } from '../../schema/fields/members.ts';
import { columnsOf } from '../../schema/row.ts';

/** What a column holds, by what a JSON body has there. */
type Holds = 'text' | 'boolean' | 'number' | 'list' | 'json';

/** A field, such as `person.full_name`, `image_urls.0` or `additional_data.plot`. */
export interface FieldTarget {
  readonly name: string;
  readonly steps: readonly string[];
  readonly holds: Holds;
  /** The name of the field's kind; of a member of free-form content `text`. */
  readonly kind: string;
  /** Whether the last step is the index of an element. */
  readonly isElement: boolean;
}

/** The field by that name; `undefined`: there is none. */
export function targetOf(resource: Resource, name: string): FieldTarget | undefined {
  const steps = name.split('.');
  if (steps.includes('') || steps.includes('__proto__')) return undefined;
  let members: Members = resource.upsert;
  for (const [depth, step] of steps.entries()) {
    if (!Object.hasOwn(members, step)) return undefined;
    const { kind } = members[step] as Members[string];
    const { type } = kind.schema;
    const rest = steps.slice(depth + 1);
    if (rest.length === 0) {
      return { name, steps, holds: holding(type), kind: kind.name, isElement: false };
    }
    if (kind.members === undefined) {
      const isElement = type === 'array' && rest.length === 1 && /^\d$/.test(rest[0] ?? '');
      if (!isElement && type !== 'object') return undefined;
      return { name, steps, holds: 'text', kind: 'text', isElement };
    }
    members = kind.members;
  }
  return undefined;
}

function holding(type: unknown): Holds {
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return 'list';
  return type === 'object' ? 'json' : 'text';
}

/** Every name that a column may have, members of free-form content and elements aside. */
export function targetNames(resource: Resource): readonly string[] {
  const members = columnsOf(resource).map(({ name }) => name);
  const names = [...Object.keys(resource.upsert), ...members];
  return [...new Set(names)].filter((name) => !name.startsWith('_'));
}
