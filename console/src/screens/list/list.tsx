/** The records of a resource: filtered as the address says, page by page. */

import { page as texts } from 'messages';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { toJson } from '../../../../client/src/json.ts';
import { dayBegan } from '../../clock.ts';
import { useAgain, useLoad } from '../../load.ts';
import { Icon } from '../../parts/button.tsx';
import { later } from '../../parts/later.tsx';
import { Empty, Heading, Loading, Reload } from '../../parts/loading.tsx';
import { Table } from '../../parts/table.tsx';
import { useLocations } from '../../places/locations.ts';
import { anchor, type DescribedResource } from '../../records/description.ts';
import type { Shown } from '../../records/records.ts';
import { changed, hrefOf, query, useRestored } from '../../router.ts';
import { listed, type PageOf } from '../../service/api.ts';
import { timesText } from '../../values/format.ts';
import { Add } from '../edit/add.tsx';
import { Chips } from './chips.tsx';
import { columnsOf } from './columns.tsx';
import { Order } from './order.tsx';
import { besideOf, CURSORS, filtersOf, isFiltered, pageParams, queryOf } from './query.ts';
import { walkThrough } from './walk.ts';

const Create = later((seldom) => seldom.Create, null);
const TakeAway = later((seldom) => seldom.TakeAway, null);
const Cards = later((seldom) => seldom.Cards);
const NextStep = later((seldom) => seldom.NextStep, null);
const FilterForm = later((seldom) => seldom.FilterForm);
const Fresh = later((seldom) => seldom.Fresh, null);

export function ListScreen({ resource }: { readonly resource: DescribedResource }): JSX.Element {
  // Tomorrow, days that are counted from today are others.
  void dayBegan.value;
  const params = queryOf(resource, query.value);
  const isCards = resource.images !== undefined && query.value.get('view') === 'cards';
  const text = new URLSearchParams(params).toString();
  // With the days that are meant, which are others where the zones are.
  const asked = pageParams(resource, query.value);
  const { value, error, busy, reload } = useLoad(
    `${resource.path}?${text} ${toJson(asked)}`,
    // As the days are by then.
    (signal) => listed(resource.path, pageParams(resource, query.value), signal),
  );
  const [paper, setPaper] = useState<readonly Shown[]>();
  useLayoutEffect(() => {
    if (paper === undefined) return;
    print();
    setPaper(undefined);
  }, [paper]);
  useEffect(() => {
    if (value !== undefined) walkThrough(resource.path, value.data);
  }, [value, resource.path]);
  useRestored(value);
  // Where there is none, that is the next step.
  const isNone = value?.data.length === 0 && !isFiltered(resource, query.value);
  return (
    <>
      <Heading title={resource.plural} part={partOf(resource)} about={timesText()}>
        <Order resource={resource} />
        {resource.images !== undefined && (
          <a
            class="button"
            href={hrefOf(
              resource.path,
              changed({ view: isCards ? undefined : 'cards', card: undefined }),
            )}
          >
            <Icon name={isCards ? 'requests' : 'image'} />
            {isCards ? texts.list.table : texts.list.cards}
          </a>
        )}
        {!isNone && <Add resource={resource} form={Create} />}
        <TakeAway resource={resource} params={params} onPrint={setPaper} />
        <Reload onReload={reload} />
      </Heading>
      <Chips resource={resource} Form={FilterForm} />
      <Loading of={{ value, error, reload }} rows={12} />
      {value !== undefined && (
        <>
          <Fresh resource={resource} params={params} shown={value.data} onShow={reload} />
          {isCards && paper === undefined && value.data.length > 0 ? (
            <Cards resource={resource} page={value} />
          ) : (
            <Rows
              resource={resource}
              page={paper === undefined ? value : { data: paper, has_more: false }}
              busy={busy}
            />
          )}
          {value.data.length > 0 && <Pages resource={resource} page={value} />}
        </>
      )}
    </>
  );
}

/** What makes this part of the list differ from others: its filters, and that it is not where the list begins. */
function partOf(resource: DescribedResource): string {
  const set = resource.filters.filter(({ param }) =>
    [...query.value.keys()].some((name) => name.split('[')[0] === param),
  );
  const isBehind = Object.keys(CURSORS).some((name) => query.value.has(name));
  return [...set.map(({ label }) => label), ...(isBehind ? [texts.list.next] : [])].join(', ');
}

function Rows(props: {
  readonly resource: DescribedResource;
  readonly page: PageOf<Shown>;
  readonly busy: boolean;
}): JSX.Element {
  const { resource, page, busy } = props;
  const { value: locations } = useLocations();
  if (page.data.length === 0) {
    // What was on an image is what there is to read.
    const isDone = resource.images !== undefined && query.value.has('incomplete');
    return isFiltered(resource, query.value) ? (
      <Empty
        title={isDone ? texts.list.allRead : texts.list.nothingMatches}
        hint={isDone ? undefined : texts.list.nothingMatchesHint}
      >
        <a class="button" href={hrefOf(resource.path)}>
          {texts.list.clear}
        </a>
      </Empty>
    ) : (
      <Empty
        title={texts.list.nothingYet(resource.plural.toLowerCase())}
        hint={texts.list.nothingYetHint}
      >
        <NextStep resource={resource} />
      </Empty>
    );
  }
  // One location says nothing.
  const isOne = (locations?.data.length ?? 2) < 2;
  const beside = besideOf(resource, query.value).filter((name) => !isOne || name !== anchor?.name);
  return (
    <Table
      caption={resource.plural}
      columns={columnsOf(resource, beside)}
      rows={page.data}
      hrefOf={(record) => hrefOf(`${resource.path}/${record.unique_identifier}`)}
      busy={busy}
    />
  );
}

function Pages(props: {
  readonly resource: DescribedResource;
  readonly page: PageOf<Shown>;
}): JSX.Element {
  const { resource, page } = props;
  const { data, has_more } = page;
  const first = data[0]?.unique_identifier;
  const last = data.at(-1)?.unique_identifier;
  const back = query.value.has('ending_before');
  const hasBefore = back ? has_more : query.value.has('starting_after');
  const hasAfter = back ? true : has_more;
  const isByAge = !('order' in queryOf(resource, query.value)) && !resource.orders.includes('name');
  const words = !isByAge
    ? [texts.list.previous, texts.list.next]
    : [texts.list.newer, texts.list.older];
  const total = useTotal(resource, page, hasBefore || hasAfter);
  const to = (cursor: Readonly<Record<string, string>>): string =>
    hrefOf(resource.path, changed({ ...CURSORS, ...cursor }));
  return (
    <nav class="pages" aria-label={texts.nav.records}>
      <span>{shownText(data.length, hasAfter && !back, total)}</span>
      {hasBefore && first !== undefined && (
        <a class="button" rel="prev" href={to({ ending_before: first })}>
          <Icon name="left" />
          {words[0]}
        </a>
      )}
      {hasAfter && last !== undefined && (
        <a class="button" rel="next" href={to({ starting_after: last })}>
          {words[1]}
          <Icon name="right" />
        </a>
      )}
    </nav>
  );
}

/** Counted in parallel with the page, which need not wait for it, and again with each page that is loaded. */
function useTotal(resource: DescribedResource, page: PageOf<Shown>, hasOthers: boolean) {
  const filters = filtersOf(resource, query.value);
  const key = `total ${resource.path}?${new URLSearchParams(filters)}`;
  const { value, reload } = useLoad(hasOthers ? key : undefined, async (signal) => {
    const params = { ...filters, limit: 1, include: ['total'] };
    const { total } = await listed(resource.path, params, signal);
    return { key, total };
  });
  useAgain(page, reload);
  return value?.key === key ? value.total : undefined;
}

function shownText(count: number, more: boolean, total: PageOf<Shown>['total']): string {
  if (total !== undefined)
    return texts.list.shownOf({ count, more: total.more, total: total.count });
  return more ? texts.list.shownMore(count) : texts.list.shown(count);
}
