/** The filters of a resource's lists, from the declarations. */
import { targetNames } from './csv/columns.ts';
import { ancestorsOf, perResource, type Resource } from './define.ts';
import { type Field, optional } from './fields/kind.ts';
import { onlyTrue } from './fields/kinds/boolean.ts';
import { datetime } from './fields/kinds/datetime.ts';
import { range } from './fields/kinds/range.ts';
import type { Members } from './fields/members.ts';
import { object } from './fields/object.ts';
import { inWords } from './present/words.ts';
import { identifierOf, parentField } from './reference.ts';
import type { DeclaredKey } from './shape.ts';

/** One parameter that lists of a resource can be filtered by. */
export interface Filterable {
  /** `respondent_person[email_address]` has two steps. */
  readonly steps: readonly string[];
  /** A property of every record, or a declared key. */
  readonly by:
    | 'parent'
    | 'anchor'
    | 'external_identifier'
    | 'inserted_at'
    | 'updated_at'
    | DeclaredKey;
  readonly field: Field;
  /** The resource whose unique identifiers it takes. */
  readonly above?: Resource;
}

/** All filters of the resource's lists, in the order of the reference. */
export const filtersOf = perResource<readonly Filterable[]>((resource) => [
  ...aboveFilters(resource),
  ...keyFilters(resource),
  ...timeFilters(resource),
]);

/** The filters as members of a query. */
export function filterMembers(resource: Resource): Members {
  return membersOf(filtersOf(resource), 0, resource.params);
}

/** The message for a field of the resource, in the query of a list, that is not a filter. */
export function noFilter(resource: Resource, at: string): string | undefined {
  const [, name, is] = /^(\w+?)_{1,2}(gte?|lte?)$/.exec(at) ?? [];
  if (filtersOf(resource).some(({ steps }) => steps.join('.') === name))
    return `comparisons stand in brackets, ${name}[${is}]=….`;
  if (!isOwn(resource, at)) return undefined;
  const names = filtersOf(resource).map(({ steps: [first, ...inside] }) =>
    [first, ...inside.map((step) => `[${step}]`)].join(''),
  );
  return `lists are not filtered by it. Filters are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`;
}

/** Whether upserts take it, or answers show it. */
function isOwn(resource: Resource, at: string): boolean {
  const entry = Object.keys(resource.list.entry ?? {});
  const shown = ['object', 'unique_identifier', 'public_data', ...entry];
  return shown.includes(at.split('.', 1)[0] ?? '') || targetNames(resource).includes(at);
}

function aboveFilters(resource: Resource): Filterable[] {
  const { parent, params } = resource;
  if (parent === undefined) return [];
  const anchor = ancestorsOf(resource).find((one) => one.anchor);
  const steps = ['external_identifier'];
  return [
    // Children of an anchor have a single filter for both: those lists walk the index of unique identifiers.
    ...(parent === anchor ? [] : [above(resource, parent, 'parent')]),
    ...(anchor === undefined ? [] : [above(resource, anchor, 'anchor')]),
    { steps, by: 'external_identifier', field: fieldAt(params, steps) },
  ];
}

function above(resource: Resource, ancestor: Resource, by: 'parent' | 'anchor'): Filterable {
  return {
    steps: [identifierOf(ancestor)],
    by,
    field: parentField(ancestor, resource.name),
    above: ancestor,
  };
}

function keyFilters(resource: Resource): Filterable[] {
  const { order } = resource.list;
  return resource.shape.keys
    .filter(({ name }) => order === 'newest' || order.key !== name)
    .map((key) => {
      if (key.says !== undefined)
        return { steps: [key.name], by: key, field: optional(onlyTrue(), key.says) };
      const steps = key.path[0] === 'public_data' ? key.path.slice(1) : key.path;
      const field = fieldAt(resource.params, steps);
      if (key.as === 'true') return { steps, by: key, field: { ...field, kind: onlyTrue() } };
      if (field.kind.ordered !== true) return { steps, by: key, field };
      return { steps, by: key, field: { ...field, kind: range(field.kind) } };
    });
}

/** The keys that lists can be sorted by, including the usual one. */
export function ordersOf({ shape }: Resource): readonly DeclaredKey[] {
  return shape.keys.filter((key) => key.for === 'order');
}

function timeFilters({ name }: Resource): Filterable[] {
  const times = { inserted_at: 'created', updated_at: 'last changed' } as const;
  return (['inserted_at', 'updated_at'] as const).map((by) => ({
    steps: [by],
    by,
    field: optional(range(datetime()), `When the ${inWords(name)} was ${times[by]}`),
  }));
}

function fieldAt(members: Members, [name = '', ...rest]: readonly string[]): Field {
  const field = members[name];
  if (field === undefined) throw new TypeError(`No parameter is called ${name}.`);
  return rest.length === 0 ? field : fieldAt(field.kind.members ?? {}, rest);
}

/** The filters by their step at that depth, each of them optional; those that share it are in one object. */
function membersOf(filters: readonly Filterable[], depth: number, declared: Members): Members {
  const groups = Map.groupBy(filters, ({ steps }) => steps[depth] ?? '');
  return Object.fromEntries(
    Array.from(groups, ([name, group]) => {
      const [first] = group;
      if (first?.steps.length === depth + 1) return [name, { ...first.field, required: false }];
      const field = fieldAt(declared, [name]);
      const members = membersOf(group, depth + 1, field.kind.members ?? {});
      return [name, optional(object(members), field.says)];
    }),
  );
}
