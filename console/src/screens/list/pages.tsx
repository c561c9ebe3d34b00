/** Below a list: how many records there are, and the pages before and after this one. */
import { page as texts } from 'messages';
import { useAgain, useLoad } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import type { DescribedResource } from '../../records/description.ts';
import type { Shown } from '../../records/records.ts';
import { changed, hrefOf, query } from '../../router.ts';
import { type PageOf, recordsOf } from '../../service/api.ts';
import { CURSORS, filtersOf, orderOf } from './query.ts';

export function Pages(props: {
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
  const isByAge = orderOf(resource, query.value) === '' && !resource.orders.includes('name');
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
function useTotal(
  resource: DescribedResource,
  page: PageOf<Shown>,
  hasOthers: boolean,
): PageOf<Shown>['total'] {
  const filters = filtersOf(resource, query.value);
  const key = `total ${resource.path}?${new URLSearchParams(filters)}`;
  const { value, reload } = useLoad(hasOthers ? key : undefined, async (signal) => {
    const params = { ...filters, limit: 1, include: ['total'] };
    const { total } = await recordsOf(resource.path).list(params, { signal }).page();
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
