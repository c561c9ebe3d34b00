/** The columns of a list, as the declarations have them. */
import { page as texts } from 'messages';
import type { Column } from '../../parts/table.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { type DescribedResource, fieldOf, resourceNamed } from '../../records/description.ts';
import { caseOf, parentOf, type Shown, titleOf, valueIn } from '../../records/records.ts';
import { said } from '../../records/said.tsx';
import { hrefOf } from '../../router.ts';
import { Time, Value } from '../../values/value.tsx';
import { sortingBy } from './order.tsx';

/**
 * The title first, which leads to the record; then the other columns as declared. In a list of their own they can be
 * sorted, and `beside` them stands what the records belong to.
 */
export function columnsOf(
  resource: DescribedResource,
  beside?: readonly string[],
): readonly Column<Shown>[] {
  const [title = ''] = resource.title;
  const label = fieldOf(resource, title)?.label ?? resource.singular;
  const sorted = (param: string, column: Column<Shown>): Column<Shown> =>
    beside === undefined ? column : { ...column, sorting: sortingBy(resource, param) };
  const [second, ...others] = resource.columns
    .filter((param) => param !== title)
    .map((param) => sorted(param, columnOf(resource, param)));
  return [
    sorted(title, {
      label,
      class: 'name',
      cell: (record) => [titleOf(resource, record), ' ', said({ resource, record })],
    }),
    ...(second === undefined ? [] : [second]),
    ...(resource.identifier === undefined
      ? []
      : [
          {
            label: resource.identifier,
            class: 'case',
            folds: true,
            cell: (record: Shown) => caseOf(resource, record) ?? null,
          },
        ]),
    ...(beside ?? []).map(parentColumn),
    ...others,
  ];
}

/** What the record belongs to, by name, and the way there. */
function parentColumn(name: string): Column<Shown> {
  const resource = resourceNamed(name);
  return {
    label: resource?.singular ?? name,
    folds: true,
    cell: (record) => {
      const above = parentOf(record, name);
      if (resource === undefined || above === undefined) return null;
      return (
        <a href={hrefOf(`${resource.path}/${above.unique_identifier}`)}>
          {titleOf(resource, above)}
        </a>
      );
    },
  };
}

/** Kinds that only say whether: below a title, their name says that they do. */
const FLAGS = /^(boolean|only)/;

function columnOf(resource: DescribedResource, param: string): Column<Shown> {
  const field = fieldOf(resource, param);
  if (field !== undefined) {
    const has = (record: Shown): boolean => {
      const value = valueIn(resource, record, field);
      return value === 0 || Boolean(value);
    };
    return {
      label: field.label,
      class: classOf(field.kind),
      folds: FLAGS.test(field.kind)
        ? (record) => (has(record) ? <span class="tag">{field.label}</span> : null)
        : !isNumber(field.kind),
      cell: (record) =>
        has(record) ? <Value resource={resource} record={record} field={field} short /> : null,
    };
  }
  if (param === 'external_identifier')
    return {
      label: texts.record.identifier,
      class: 'code',
      folds: true,
      cell: (record) => record.external_identifier,
    };
  const label = param === 'inserted_at' ? texts.record.created : texts.record.changed;
  return {
    label,
    class: 'time',
    folds: true,
    cell: (record) => {
      const time = record[param];
      return typeof time === 'string' ? (
        <Time at={time} listed zone={zoneOfRecord(record)} />
      ) : null;
    },
  };
}

function classOf(kind: string): string {
  if (kind === 'date and time' || kind === 'date') return 'time';
  return isNumber(kind) ? 'amount' : '';
}

function isNumber(kind: string): boolean {
  return kind === 'whole number' || kind === 'money in cents';
}
