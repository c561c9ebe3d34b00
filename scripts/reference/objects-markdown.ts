/** The page of our own objects, from their declarations: each field, and its audience. */

import type { OwnField, OwnObject } from '../../src/core/objects/own-object.ts';
import type { JsonSchema } from '../../src/core/schema/fields/kind.ts';
import { ownObjects } from '../own-tables.ts';
import { code, paragraphs, table } from './markdown.ts';

export function objectsMarkdown(): string {
  return paragraphs([
    '# Objects that are not records',
    'The JSON of what is not a record: in answers of the API, and printed by commands with `--json`. Times are in UTC.',
    ...ownObjects
      .filter(({ views }) => views.cli.length > 0)
      .flatMap((object) => [
        `## ${code(object.name)}`,
        object.says,
        table(['Field', 'What it is'], rowsOf(object)),
      ]),
  ]);
}

function rowsOf({ views }: Pick<OwnObject, 'views'>): readonly (readonly string[])[] {
  const partners = new Set(views.api.map(({ name }) => name));
  return views.cli.flatMap(({ name, field }) => {
    const notes = [
      ...(views.api.length > 0 && !partners.has(name) ? ['Only operators see it.'] : []),
      ...(field.personal ? ['It may be personal data.'] : []),
    ];
    return [[code(name), [`${field.says}.`, ...notes].join(' ')], ...memberRowsOf(name, field)];
  });
}

/** The members of the entries, where the field is a list of objects. */
function memberRowsOf(name: string, { kind }: OwnField): readonly (readonly string[])[] {
  const { items } = (typeof kind.shown === 'function' ? kind.shown([]) : kind.shown) as {
    readonly items?: { readonly properties?: Readonly<Record<string, JsonSchema>> };
  };
  return Object.entries(items?.properties ?? {}).map(([member, { description }]) => [
    code(`${name}[].${member}`),
    `${description}.`,
  ]);
}
