/** Possible headings of columns: names of fields, and common names of people and spreadsheets for them. */

import { targetNames, targetOf } from '../../../core/schema/csv/columns.ts';
import { ancestorsOf, perResource, type Resource } from '../../../core/schema/define.ts';
import { externalOf, identifierOf } from '../../../core/schema/reference.ts';
import { csvLine } from '../../../core/tables/row-texts.ts';

/** Headings of the identifier of the record itself, of any resource. */
const IDENTIFIER = ['identifier', 'id', 'reference', 'number'];

/** Usual headings of fields of several resources, by their label. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  Phone: ['phone number', 'telephone', 'tel', 'cell', 'cell phone', 'mobile'],
  Email: ['email address', 'mail'],
  Relationship: ['relation', 'relationship to deceased', 'relation to deceased'],
  'Pre-planning': ['pre-planning', 'pre-need', 'interest in pre-planning'],
};

/** By a heading as `folded` gives it, the field. */
const known = perResource((resource): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  const add = (name: string, words: readonly string[]): void => {
    for (const word of words) {
      const heading = folded(word);
      if (!found.has(heading)) found.set(heading, name);
    }
  };
  const { headings } = resource.display;
  for (const name of targetNames(resource)) add(name, [name]);
  for (const name of fieldNames(resource)) add(name, [labelOf(resource, name)]);
  for (const [name, words = []] of Object.entries(headings)) add(name, words);
  for (const name of fieldNames(resource)) add(name, USUAL[labelOf(resource, name)] ?? []);
  for (const above of ancestorsOf(resource))
    if (above.parent !== undefined)
      add(externalOf(above), [
        ...[calledBy(above), `${above.display.singular}: identifier`],
        ...[`${above.display.singular}: name`, above.display.singular],
        ...above.display.headingsBelow,
      ]);
  add('external_identifier', IDENTIFIER);
  return found;
});

/** The field that a column of this name is for; `undefined`: nothing says so. */
export function fieldCalled(resource: Resource, column: string): string | undefined {
  return targetOf(resource, column)?.name ?? known(resource).get(folded(column));
}

/** The label of a field, or of a parameter that identifies a record or its parent. */
export function labelOf(resource: Resource, name: string): string {
  const [first = '', ...others] = name.split('.');
  const label = resource.display.labels.get(name);
  if (label !== undefined) return name.endsWith('_in_cents') ? `${label} (in cents)` : label;
  if (name === 'external_identifier') return 'Identifier';
  for (const above of ancestorsOf(resource)) {
    if (name === externalOf(above)) return calledBy(above);
    if (name === identifierOf(above)) return `${above.display.singular}: Ledgerstone identifier`;
  }
  const whole = resource.display.labels.get(first);
  if (whole === undefined) return name;
  const [rest = ''] = others;
  return `${whole} ${/^\d$/.test(rest) ? Number(rest) + 1 : others.join(' ')}`;
}

/** The possible targets of a column; members of free-form content and elements of arrays are left out. */
export function fieldNames(resource: Resource): readonly string[] {
  const names = targetNames(resource);
  return names.filter((name) => !names.some((member) => member.startsWith(`${name}.`)));
}

/** A table that has nothing but a row of names, each of which is understood. */
export function templateOf(resource: Resource): string {
  const above = ancestorsOf(resource).filter(({ parent }) => parent !== undefined);
  const fields = fieldNames(resource).filter((name) => {
    const target = targetOf(resource, name);
    return resource.display.labels.has(name) && target?.holds !== 'json';
  });
  return csvLine([
    'Identifier',
    ...above.map(calledBy),
    ...fields.map((name) => labelOf(resource, name)),
  ]);
}

/** Locations are found by name, too. */
function calledBy({ anchor, display }: Resource): string {
  return `${display.singular}: ${anchor ? 'name or identifier' : 'identifier'}`;
}

/** `Case #` and `case-number` are the same. */
export function folded(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('#', 'number')
    .replaceAll(/[^\p{L}\p{M}\p{N}.]/gu, '');
}
