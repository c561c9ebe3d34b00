/** The order of a list, where there is a choice: next to its title, and at the heads of its columns. */
import { page as texts } from 'messages';
import { type Option, Select } from '../../parts/select.tsx';
import type { Column } from '../../parts/table.tsx';
import { type DescribedResource, fieldOf } from '../../records/description.ts';
import { changed, hrefOf, query, setQuery } from '../../router.ts';
import { CURSORS, NEWEST, orderOf, usualOrder } from './query.ts';

export function Order({ resource }: { readonly resource: DescribedResource }): JSX.Element | null {
  const choices = choicesOf(resource);
  if (choices.length < 2) return null;
  return (
    <label class="order">
      <span class="unseen">{texts.list.order}</span>
      <Select
        value={orderOf(resource, query.value)}
        options={choices}
        onChoose={(order) => setQuery({ ...CURSORS, order: orderParam(resource, order) })}
      />
    </label>
  );
}

/** `undefined` where the service has no order by that field. */
export function sortingBy(resource: DescribedResource, param: string): Column<never>['sorting'] {
  const [title] = resource.title;
  const order = param === title && resource.orders.includes('name') ? 'name' : param;
  if (!resource.orders.includes(order)) return undefined;
  // Order by name is the default.
  const up = order === 'name' ? '' : order;
  const is = orderOf(resource, query.value);
  const now = is === up ? 'ascending' : is === `-${order}` ? 'descending' : undefined;
  const next = orderParam(resource, now === 'ascending' ? `-${order}` : up);
  return { now, href: hrefOf(resource.path, changed({ ...CURSORS, order: next })) };
}

/** How the address says it. */
function orderParam(resource: DescribedResource, order: string): string | undefined {
  if (order === usualOrder(resource)) return undefined;
  return order === '' ? NEWEST : order;
}

function choicesOf(resource: DescribedResource): readonly Option[] {
  if (resource.orders.includes('name'))
    return [
      ['', texts.list.aToZ],
      ['-name', texts.list.zToA],
    ];
  return [
    ...resource.orders.flatMap((order): readonly Option[] => {
      const label = fieldOf(resource, order)?.label ?? order;
      return [
        [`-${order}`, texts.list.latest(label)],
        [order, texts.list.earliest(label)],
      ];
    }),
    ['', texts.list.newest],
  ];
}
