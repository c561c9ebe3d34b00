/** The rows of the tables of parameters, names and filters. */

import type { Resource } from '../../src/core/schema/define.ts';
import type { Field, Kind } from '../../src/core/schema/fields/kind.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import { filterMembers } from '../../src/core/schema/filters.ts';
import { queryParams } from '../openapi/operations/query-params.ts';
import { capital, code, kindInWords } from './markdown.ts';

export function parameterRows(resource: Resource): string[][] {
  const { parentParam = '', homeMember = '', public_data = {} } = resource;
  const own = { [parentParam]: parentParam === homeMember ? parentParam : '' };
  const inside = Object.fromEntries(
    Object.keys(public_data).map((name) => [name, `public_data.${name}`]),
  );
  const shownAs: Record<string, string> = { ...own, ...inside };
  return Object.entries(resource.params).flatMap(([name, field]) =>
    memberRows({ [name]: field }, '', shownAs[name] ?? name, 'required'),
  );
}

/** `shown` is where a single member is answered; those of an object stand below it. */
function memberRows(
  members: Members,
  prefix: string,
  shown: string,
  ifRequired: string,
): string[][] {
  return Object.entries(members).flatMap(([name, { kind, required, says }]) => {
    const path = prefix + name;
    const answered = prefix === '' ? shown : `${shown}.${name}`;
    return [
      [
        named(path, kind, required ? ifRequired : ''),
        capital(says),
        answered === '' ? 'not answered' : answered === path ? '' : code(answered),
      ],
      ...memberRows(kind.members ?? {}, `${path}.`, answered, `required with ${code(path)}`),
    ];
  });
}

export function nameRows(names: Members): string[][] {
  return Object.entries(names).map(([name, { kind, says }]) => [named(name, kind), capital(says)]);
}

/** A range is in one row: its bounds are the same everywhere. */
export function filterRows(resource: Resource): string[][] {
  return queryParams(filterMembers(resource))
    .filter(([name]) => !/\[(?:gt|lte|lt)\]$/.test(name))
    .reduce<string[][]>((rows, [name, { kind, says }]: readonly [string, Field]) => {
      const last = rows.at(-1);
      if (name.endsWith('[gte]') && last !== undefined) {
        last[0] += '<br>also with `[gte]`, `[gt]`, `[lte]`, `[lt]`';
      } else {
        rows.push([named(name, kind), capital(says)]);
      }
      return rows;
    }, []);
}

function named(name: string, kind: Kind<unknown>, required = ''): string {
  const lines = [code(name), `*${kindInWords(kind)}*`, required === '' ? '' : `**${required}**`];
  return lines.filter((line) => line !== '').join('<br>');
}
