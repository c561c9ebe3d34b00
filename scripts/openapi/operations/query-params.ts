/** The parameters of paths and query strings, each by the very name that is sent. */
import type { Resource } from '../../../src/core/schema/define.ts';
import type { Field } from '../../../src/core/schema/fields/kind.ts';
import { isRange } from '../../../src/core/schema/fields/kinds/range.ts';
import type { Members } from '../../../src/core/schema/fields/members.ts';
import { exampleIdentifier } from '../schemas/examples.ts';

type Param = readonly [name: string, field: Field];

/** `expand[]`, `person[email_address]`, and of a range `inserted_at` and `inserted_at[gte]`. */
export function queryParams(members: Members): readonly Param[] {
  return Object.entries(members).flatMap(([name, field]) => paramsOf(name, field));
}

function paramsOf(name: string, field: Field): readonly Param[] {
  const { kind, says, spelling } = field;
  if (spelling) return [];
  if (kind.schema.type === 'array') return [[`${name}[]`, field]];
  const within = Object.entries(kind.members ?? {});
  if (within.length === 0) return [[name, field]];
  if (!isRange(kind)) return within.flatMap(([member, one]) => paramsOf(`${name}[${member}]`, one));
  return [
    [name, { ...field, kind: kind.single }],
    ...within.map(
      ([member, one]): Param => [
        `${name}[${member}]`,
        { ...one, says: `${says}: ${one.says.toLowerCase()}` },
      ],
    ),
  ];
}

/** A parameter of a query; `more` is for its schema. */
export function parameterOf(name: string, { kind, says }: Field, more: object = {}): object {
  return {
    name,
    in: 'query',
    description: says,
    ...(name.endsWith('[]') ? { style: 'form', explode: true } : {}),
    schema: { ...kind.schema, ...more },
  };
}

/** The parameter of the path that names one record. */
export function identifierInPath(resource: Resource): object {
  return {
    name: 'unique_identifier',
    in: 'path',
    required: true,
    description: 'Identifier of the record, given by the service',
    schema: { type: 'string' },
    example: exampleIdentifier(resource),
  };
}
