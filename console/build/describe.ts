/** The description that drives the console: all resources with their labels, fields, columns and filters, as plain data. */
import { anchorOf, type Resource, saysOf } from '../../src/core/schema/define.ts';
import type { Field } from '../../src/core/schema/fields/kind.ts';
import { isRange } from '../../src/core/schema/fields/kinds/range.ts';
import { type Filterable, filtersOf, ordersOf } from '../../src/core/schema/filters.ts';
import { type DisplayField, fieldsIn, placeOf } from '../../src/core/schema/present/display.ts';
import { imagesOf } from '../../src/core/schema/present/images.ts';

export interface DescribedResource {
  readonly name: string;
  readonly path: string;
  readonly prefix: string;
  readonly singular: string;
  readonly plural: string;
  /** The resource that it belongs to, and the parameter that names it. */
  readonly parent?: { readonly resource: string; readonly param: string };
  /** Whether people can be limited to single records of it. */
  readonly anchor?: true;
  /** The members of a record's title: those that it has, joined; its `external_identifier` if it has none. */
  readonly title: readonly string[];
  readonly columns: readonly string[];
  /** The name of its identifier, where people speak of such records by it. */
  readonly identifier?: string;
  readonly groups: readonly { readonly heading?: string; readonly fields: readonly string[] }[];
  readonly fields: readonly DescribedField[];
  readonly filters: readonly DescribedFilter[];
  /** The orders of lists, in addition to their usual one. */
  readonly orders: readonly string[];
  /** Names that only entries of lists use, and the members that they stand for. */
  readonly entry?: { readonly [shown: string]: string };
  /** The field that holds addresses of images. */
  readonly images?: string;
  /** What features say of a record, by `true` or `false`: members that are requested, and what is shown where it is true. */
  readonly says: readonly { readonly name: string; readonly label: string }[];
}

export interface DescribedField {
  /** As requests name it, with dots. */
  readonly param: string;
  /** Where a record has it. */
  readonly at: readonly string[];
  readonly label: string;
  /** The name of its kind, as the reference has it. */
  readonly kind: string;
  /** Every record has it. */
  readonly required?: true;
  /** Whenever that object is there, it is. */
  readonly required_within?: string;
  /** Whenever that field has a value, it has one. */
  readonly needed_by?: string;
  /** The field that names the currency, of money in cents. */
  readonly currency?: string;
  readonly choices?: readonly unknown[];
}

export interface DescribedFilter {
  /** As a query has it: `respondent_person[email_address]`. */
  readonly param: string;
  readonly label: string;
  /** `range`: with `[gte]`, `[gt]`, `[lte]`, `[lt]`. `true`: only those in which it is. `record`: the unique identifier of one. */
  readonly by: 'value' | 'range' | 'true' | 'record';
  readonly kind: string;
  /** The resource of the record. */
  readonly resource?: string;
}

const COMMON_LABELS: { readonly [name: string]: string } = {
  external_identifier: 'Identifier',
  inserted_at: 'Created',
  updated_at: 'Changed',
  proposed: 'Source disagrees',
};

export function describe(resources: readonly Resource[]): {
  readonly resources: readonly DescribedResource[];
} {
  return { resources: resources.map(describeOne) };
}

function describeOne(resource: Resource): DescribedResource {
  const { name, path, prefix, parent, parentParam, anchor, display, list } = resource;
  const fields = fieldsIn({ ...resource.fields, ...resource.public_data });
  const images = imagesOf(resource)?.param;
  return {
    name,
    path,
    prefix,
    singular: display.singular,
    plural: display.plural,
    ...(parent === undefined || parentParam === undefined
      ? {}
      : { parent: { resource: parent.name, param: parentParam } }),
    ...(anchor ? { anchor: true as const } : {}),
    title: display.title,
    columns: display.columns,
    ...(display.identifier === undefined ? {} : { identifier: display.identifier }),
    groups: display.groups.map(({ heading, fields: paths }) => ({
      ...(heading === undefined ? {} : { heading }),
      fields: paths,
    })),
    fields: fields.map((found) => describeField(resource, found, fields)),
    filters: [
      ...filtersOf(resource).map((filter) => describeFilter(resource, filter)),
      ...(anchorOf(resource) === undefined ? [] : [REGION]),
    ],
    orders: ordersOf(resource).map((key) => key.name),
    ...(list.entry === undefined ? {} : { entry: list.entry }),
    ...(images === undefined ? {} : { images }),
    says: saysOf(resource).map(({ name, label }) => ({ name, label })),
  };
}

/** Set of locations, and part of no record. */
const REGION: DescribedFilter = { param: 'region', label: 'Region', by: 'value', kind: 'region' };

function describeField(
  resource: Resource,
  { path, field, within }: DisplayField,
  all: readonly DisplayField[],
): DescribedField {
  const { kind, required } = field;
  const besides = (name: string): string => (within === undefined ? name : `${within}.${name}`);
  const neededBy = all.find(
    ({ within: other, field: { kind: one } }) =>
      other === within && one.currency !== undefined && besides(one.currency) === path,
  );
  const choices = kind.schema.const === undefined ? kind.schema.enum : [kind.schema.const];
  return {
    param: path,
    at: placeOf(resource, path),
    label: resource.display.labels.get(path) ?? path,
    kind: kind.name,
    ...(required && within === undefined ? { required: true as const } : {}),
    ...(required && within !== undefined ? { required_within: within } : {}),
    ...(neededBy === undefined ? {} : { needed_by: neededBy.path }),
    ...(kind.currency === undefined ? {} : { currency: besides(kind.currency) }),
    ...(Array.isArray(choices) ? { choices } : {}),
  };
}

function describeFilter(
  resource: Resource,
  { steps, by, field, above }: Filterable,
): DescribedFilter {
  const [first = '', ...inside] = steps;
  const param = first + inside.map((step) => `[${step}]`).join('');
  const label =
    above?.display.singular ??
    resource.display.labels.get(steps.join('.')) ??
    resource.display.filters[first] ??
    COMMON_LABELS[first] ??
    first;
  const { kind } = field;
  const single = isRange(kind) ? kind.single : kind;
  return {
    param,
    label,
    by: above === undefined ? howFiltered(by, kind) : 'record',
    kind: single.name,
    ...(above === undefined ? {} : { resource: above.name }),
  };
}

function howFiltered(by: Filterable['by'], kind: Field['kind']): DescribedFilter['by'] {
  if (isRange(kind)) return 'range';
  return typeof by === 'object' && by.as === 'true' ? 'true' : 'value';
}
