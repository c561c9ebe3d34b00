/** The filters of a list, as the declarations have them: what is set can be taken away, what is not can be set. */
import { page as texts } from 'messages';
import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useRecord } from '../../load.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Menu } from '../../parts/menu.tsx';
import { chooseLocation, useLocations } from '../../places/locations.ts';
import { isMixed, regions } from '../../places/zones.ts';
import { anchor, type DescribedFilter, resourceNamed } from '../../records/description.ts';
import { type OfRecord, titleOf } from '../../records/records.ts';
import { query, setQuery } from '../../router.ts';
import { clockName, dayText, labelled } from '../../values/format.ts';
import type { FilterFormProps } from './filter-form.tsx';
import { presetOf } from './presets.ts';
import { CURSORS, paramsOf, zoneOfQuery } from './query.ts';

interface ChipsProps extends Pick<OfRecord, 'resource'> {
  /** `FilterForm`, or what loads it. */
  readonly Form: ComponentType<FilterFormProps>;
}

export function Chips({ resource, Form }: ChipsProps): JSX.Element {
  const set = resource.filters.filter((filter) => isSet(filter));
  const unset = resource.filters.filter((filter) => !isSet(filter) && canBeTyped(filter));
  const apply = (filter: DescribedFilter, values: Readonly<Record<string, string>>): void =>
    setQuery({ ...CURSORS, ...without(filter), ...values });
  return (
    <div class="chips">
      {set.map((filter) => (
        <Chip
          key={filter.param}
          filter={filter}
          Form={Form}
          onApply={(values) => apply(filter, values)}
        />
      ))}
      {unset
        .filter(isFirst)
        .toSorted(byRank)
        .map((filter) =>
          filter.by === 'true' ? (
            <Button
              key={filter.param}
              class="chip off"
              label={filter.label}
              onClick={() => apply(filter, { [filter.param]: 'true' })}
            />
          ) : (
            <Menu
              key={filter.param}
              class="chip off"
              name={texts.list.filterBy(filter.label)}
              label={filter.label}
            >
              <Form filter={filter} onApply={(values) => apply(filter, values)} />
            </Menu>
          ),
        )}
      <More filters={unset.filter((filter) => !isFirst(filter))} Form={Form} onApply={apply} />
      {set.length > 1 && (
        <Button
          class="plain"
          label={texts.list.clear}
          onClick={() => {
            chooseLocation(undefined);
            setQuery(Object.assign({ ...CURSORS }, ...set.map(without)));
          }}
        />
      )}
    </div>
  );
}

/** What few look for, behind one button: first which, then for what. */
function More(
  props: Omit<ChipsProps, 'resource'> & {
    readonly filters: readonly DescribedFilter[];
    readonly onApply: (filter: DescribedFilter, values: Readonly<Record<string, string>>) => void;
  },
): JSX.Element | null {
  const { filters, Form, onApply } = props;
  const [chosen, setChosen] = useState<DescribedFilter>();
  const place = useRef<HTMLDivElement>(null);
  const filter = filters.find(({ param }) => param === chosen?.param);
  // The button that had the focus is gone: elsewhere, the focus would close the menu.
  useLayoutEffect(() => {
    const first = place.current?.querySelector<HTMLElement>('input, select, button');
    (first ?? place.current)?.focus();
  }, [filter?.param]);
  if (filters.length === 0) return null;
  return (
    <Menu class="chip off" name={texts.more} label={texts.more}>
      {filter === undefined ? (
        <ul>
          {filters.map((one) => (
            <li key={one.param}>
              <Button class="plain item stays" label={one.label} onClick={() => setChosen(one)} />
            </li>
          ))}
        </ul>
      ) : (
        <div ref={place} tabIndex={-1}>
          <Form
            filter={filter}
            onApply={(values) => {
              setChosen(undefined);
              onApply(filter, values);
            }}
          />
        </div>
      )}
    </Menu>
  );
}

function Chip(
  props: Omit<ChipsProps, 'resource'> & {
    readonly filter: DescribedFilter;
    readonly onApply: (values: Readonly<Record<string, string>>) => void;
  },
): JSX.Element {
  const { filter, Form, onApply } = props;
  const said = useSaid(filter);
  const label = filter.by === 'true' ? filter.label : labelled(filter.label, said);
  return (
    <span class="chip on">
      {filter.by === 'true' || filter.by === 'record' ? (
        <span class="said">{label}</span>
      ) : (
        <Menu label={label} icon={false} name={labelled(texts.list.filterBy(filter.label), said)}>
          <Form filter={filter} onApply={onApply} />
        </Menu>
      )}
      <IconButton
        class="plain"
        icon="close"
        label={texts.list.without(filter.label)}
        onClick={() => {
          if (filter.resource === anchor?.name) chooseLocation(undefined);
          onApply({});
        }}
      />
    </span>
  );
}

function useSaid(filter: DescribedFilter): string {
  const { value: locations } = useLocations();
  const [name = ''] = paramsOf(filter).filter((param) => query.value.has(param));
  const value = query.value.get(name) ?? '';
  const resource = filter.by === 'record' ? resourceNamed(filter.resource ?? '') : undefined;
  const isLocation = resource !== undefined && resource.name === anchor?.name;
  const { value: record } = useRecord(resource, isLocation ? undefined : value);
  if (resource !== undefined) {
    const found = isLocation
      ? locations?.data.find((one) => one.unique_identifier === value)
      : record;
    return found === undefined ? resource.singular : titleOf(resource, found);
  }
  if (filter.by !== 'range') return value;
  const preset = presetOf(filter, query.value);
  // Elsewhere today may be another day.
  if (preset !== undefined)
    return isMixed.value ? `${preset} (${clockName(zoneOfQuery(query.value))})` : preset;
  const from = query.value.get(`${filter.param}[gte]`) ?? query.value.get(`${filter.param}[gt]`);
  const until = query.value.get(`${filter.param}[lt]`) ?? query.value.get(`${filter.param}[lte]`);
  const zone = zoneOfQuery(query.value);
  const first = from === null ? undefined : dayText(new Date(from), zone);
  // The end of a range is the first moment that is not in it.
  const last = until === null ? undefined : dayText(new Date(new Date(until).getTime() - 1), zone);
  if (first === undefined || last === undefined)
    return first === undefined ? texts.list.before(last ?? '') : texts.list.since(first);
  return first === last ? first : `${first} – ${last}`;
}

function isSet(filter: DescribedFilter): boolean {
  return paramsOf(filter).some((name) => query.value.has(name));
}

/** The location is chosen in the frame; regions are chosen where there are any. */
function canBeTyped({ resource, kind }: DescribedFilter): boolean {
  if (kind === 'region') return regions.value.length > 0;
  return resource === undefined || resource !== anchor?.name;
}

/** The filters that people use first: whether, of what, and when. */
function isFirst({ by, param, kind }: DescribedFilter): boolean {
  return (by !== 'value' || kind === 'region') && param !== 'updated_at';
}

/** A whether of its own before of what and when, and what only some days ask last. */
function byRank(one: DescribedFilter, other: DescribedFilter): number {
  const rank = ({ by, param }: DescribedFilter): number =>
    by !== 'true' ? 1 : param === 'proposed' ? 2 : 0;
  return rank(one) - rank(other);
}

function without(filter: DescribedFilter): Record<string, undefined> {
  return Object.fromEntries(paramsOf(filter).map((name) => [name, undefined]));
}
