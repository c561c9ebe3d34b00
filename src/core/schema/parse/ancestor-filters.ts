/** Reads filters of a list by parent, named by our identifiers or the caller's. */
import type { Faults } from '../../errors.ts';
import type { Resource } from '../define.ts';
import type { BodyReading } from '../fields/kind.ts';
import type { Members } from '../fields/members.ts';
import { type Filterable, filtersOf, noFilter } from '../filters.ts';
import {
  checkReference,
  externalOf,
  identifierOf,
  parentNames,
  type Reference,
  referenceFrom,
} from '../reference.ts';
import type { JsonObject } from '../values.ts';
import { perResource } from './per-resource.ts';

/** The record that a filter by identifier names, in either of the ways to name it. */
export interface AncestorFilter {
  readonly filter: Filterable;
  readonly resource: Resource;
  readonly reference: Reference;
}

/** Parameters that name a parent by the caller's identifiers, in place of those filters. */
export const namingParams = perResource((resource): Members => {
  const filters = filtersOf(resource);
  const own = new Set(filters.map(({ steps: [first] }) => first));
  return Object.fromEntries(
    filters
      .flatMap(({ above }) => (above === undefined ? [] : Object.entries(parentNames(above))))
      .filter(([name]) => !own.has(name))
      .map(([name, field]) => [name, { ...field, required: false }]),
  );
});

/** The records that the values name. The result is only valid if no fault was added. */
export function ancestorFilters(
  resource: Resource,
  values: JsonObject,
  faults: Faults,
  unknown: BodyReading['unknown'],
): readonly AncestorFilter[] {
  const named: AncestorFilter[] = [];
  const used = new Set<string>();
  for (const filter of filtersOf(resource)) {
    const { above } = filter;
    // Where an event is named together with its location, that is said of the location, too.
    if (above === undefined || used.has(identifierOf(above))) continue;
    if (values[externalOf(above)] === undefined) {
      const reference = values[identifierOf(above)];
      if (typeof reference === 'string') named.push({ filter, resource: above, reference });
      continue;
    }
    checkReference(above, values, faults);
    named.push({ filter, resource: above, reference: referenceFrom(above, values) });
    for (const name of Object.keys(parentNames(above))) used.add(name);
  }
  if (unknown === 'ignore') return named;
  for (const [name, { says }] of Object.entries(namingParams(resource))) {
    if (typeof values[name] !== 'string' || used.has(name)) continue;
    const message = `${name} is not a parameter here by itself (${says}): ${noFilter(resource, name)}`;
    faults.add(name, 'parameter_unknown', message);
  }
  return named;
}
