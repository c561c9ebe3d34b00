/** The records of a resource: filtered as the address says, page by page. */
import { page as texts } from 'messages';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { dayBegan } from '../../clock.ts';
import { useAgain, useLoad } from '../../load.ts';
import { Button, Icon } from '../../parts/button.tsx';
import { later } from '../../parts/later.tsx';
import { Empty, Heading, Loading, Reload } from '../../parts/loading.tsx';
import { Table } from '../../parts/table.tsx';
import { useLocations } from '../../places/locations.ts';
import { anchor, type DescribedResource } from '../../records/description.ts';
import type { Shown } from '../../records/records.ts';
import { changed, hrefOf, query, useRestored } from '../../router.ts';
import { listed, type PageOf } from '../../service/api.ts';
import { follow } from '../../service/live.ts';
import { timesText } from '../../values/format.ts';
import { Add } from '../edit/add.tsx';
import { Chips } from './chips.tsx';
import { columnsOf } from './columns.tsx';
import { Order } from './order.tsx';
import { besideOf, CURSORS, filtersOf, isFiltered, PAGE, pageParams, queryOf } from './query.ts';
import { TakeAway } from './take-away.tsx';
import { walkThrough } from './walk.ts';

const Create = later((seldom) => seldom.Create, null);
const Cards = later((seldom) => seldom.Cards);
const FilterForm = later((seldom) => seldom.FilterForm);

export function ListScreen({ resource }: { readonly resource: DescribedResource }): JSX.Element {
  // Tomorrow, days that are counted from today are others.
  void dayBegan.value;
  const params = queryOf(resource, query.value);
  const isCards = resource.images !== undefined && query.value.get('view') === 'cards';
  const text = new URLSearchParams(params).toString();
  const { value, error, busy, reload } = useLoad(`${resource.path}?${text}`, (signal) =>
    listed(resource.path, pageParams(resource, query.value), signal),
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
  return (
    <>
      <Heading title={resource.plural} about={timesText()}>
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
        <Add resource={resource} form={Create} />
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

function Rows(props: {
  readonly resource: DescribedResource;
  readonly page: PageOf<Shown>;
  readonly busy: boolean;
}): JSX.Element {
  const { resource, page, busy } = props;
  const { value: locations } = useLocations();
  if (page.data.length === 0) {
    return isFiltered(resource, query.value) ? (
      <Empty title={texts.list.nothingMatches} hint={texts.list.nothingMatchesHint}>
        <a class="button" href={hrefOf(resource.path)}>
          {texts.list.clear}
        </a>
      </Empty>
    ) : (
      <Empty
        title={texts.list.nothingYet(resource.plural.toLowerCase())}
        hint={texts.list.nothingYetHint}
      />
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

interface FreshProps {
  readonly resource: DescribedResource;
  readonly params: Readonly<Record<string, string>>;
  readonly shown: readonly Shown[];
  readonly onShow: () => void;
}

/** More are not distinguished. */
const MAX_COUNTED = 100;

/** "12 new: show": records that have arrived since the list was loaded. Rows never move by themselves. */
function Fresh({ resource, params, shown, onShow }: FreshProps): JSX.Element | null {
  const [says, setSays] = useState<string>();
  const isFirst = !('starting_after' in params || 'ending_before' in params);
  const isNewest = !('order' in params) && !resource.orders.includes('name');
  const text = new URLSearchParams(params).toString();
  useEffect(() => {
    setSays(undefined);
    if (!isFirst || resource.parent === undefined) return;
    const list = async (more: object, signal: AbortSignal): Promise<readonly Shown[]> => {
      const { data } = await listed(resource.path, { ...params, ...more }, signal);
      return data;
    };
    const [first] = shown;
    const followed = { resources: [resource.name], outcomes: ['created', 'restored'] };
    return follow(followed, async (signal) => {
      if (isNewest) {
        const before = first === undefined ? {} : { ending_before: first.unique_identifier };
        const { length } = await list({ ...before, limit: MAX_COUNTED }, signal);
        if (!signal.aborted) setSays(length === 0 ? undefined : newText(resource, length));
      } else {
        // In another order, what is new may be anywhere.
        const now = await list({ limit: PAGE }, signal);
        if (!signal.aborted)
          setSays(namesOf(now) === namesOf(shown) ? undefined : texts.list.changed);
      }
    });
  }, [resource, text, shown, isFirst, isNewest]);
  if (says === undefined) return null;
  return (
    <p class="fresh" role="status">
      <Button
        label={says}
        onClick={() => {
          setSays(undefined);
          onShow();
        }}
      />
    </p>
  );
}

function newText(resource: DescribedResource, count: number): string {
  const shown = count >= MAX_COUNTED ? `${MAX_COUNTED}+` : String(count);
  return texts.list.fresh({
    count,
    shown,
    what: (count === 1 ? resource.singular : resource.plural).toLowerCase(),
  });
}

function namesOf(records: readonly Shown[]): string {
  return records.map(({ unique_identifier }) => unique_identifier).join();
}
