/** The columns of a list, as the declarations have them. */
import { type DescribedResource, fieldOf } from '../../description.ts';
import type { Column } from '../../parts/table.tsx';
import { type Shown, titleOf } from '../../records.ts';
import { texts } from '../../texts.ts';
import { Time, Value } from '../../values/value.tsx';

/** The title first, which leads to the record; then the other columns as declared. */
export function columnsOf(resource: DescribedResource): readonly Column<Shown>[] {
  const [title] = resource.title;
  const label =
    (title === undefined ? undefined : fieldOf(resource, title)?.label) ?? resource.singular;
  return [
    { label, class: 'name', cell: (record) => titleOf(resource, record) },
    ...resource.columns
      .filter((column) => column !== title)
      .map((column) => columnOf(resource, column)),
  ];
}

/** Kinds whose values say nothing without the name of their column. */
const UNSAID = new Set(['boolean', 'only `true`', 'whole number']);

function columnOf(resource: DescribedResource, param: string): Column<Shown> {
  const field = fieldOf(resource, param);
  if (field !== undefined) {
    return {
      label: field.label,
      class: classOf(field.kind),
      folds: !UNSAID.has(field.kind),
      cell: (record) => <Value resource={resource} record={record} field={field} short />,
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
      return typeof time === 'string' ? <Time at={time} /> : null;
    },
  };
}

function classOf(kind: string): string {
  if (kind === 'date and time' || kind === 'date') return 'time';
  return kind === 'whole number' ? 'amount' : '';
}
