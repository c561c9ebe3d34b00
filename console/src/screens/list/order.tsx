/** The order of a list, where there is a choice. */
import type { JSX } from 'preact';
import { type DescribedResource, fieldOf } from '../../description.ts';
import { query, setQuery } from '../../router.ts';
import { texts } from '../../texts.ts';
import { CURSORS } from './query.ts';

export function Order({ resource }: { readonly resource: DescribedResource }): JSX.Element | null {
  const choices = choicesOf(resource);
  if (choices.length < 2) return null;
  return (
    <label class="order">
      <span class="unseen">{texts.list.order}</span>
      <select
        value={query.value.get('order') ?? ''}
        onChange={({ currentTarget }) =>
          setQuery({
            ...CURSORS,
            order: currentTarget.value === '' ? undefined : currentTarget.value,
          })
        }
      >
        {choices.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function choicesOf(resource: DescribedResource): readonly (readonly [string, string])[] {
  // What is ordered by name is so without being asked.
  if (resource.orders.includes('name'))
    return [
      ['', texts.list.aToZ],
      ['-name', texts.list.zToA],
    ];
  return [
    ['', texts.list.newest],
    ...resource.orders.flatMap((order): readonly (readonly [string, string])[] => {
      const label = fieldOf(resource, order)?.label ?? order;
      return [
        [order, texts.list.earliest(label)],
        [`-${order}`, texts.list.latest(label)],
      ];
    }),
  ];
}
