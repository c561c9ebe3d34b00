/** The requests of people to be forgotten: those to do by the day on which they are due, then those that are finished. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Erasure } from '../../../../client/src/generated/operations.ts';
import { useLoad } from '../../load.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { go, hrefOf, query, restore, setQuery } from '../../router.ts';
import { api } from '../../service/api.ts';
import { texts } from '../../texts.ts';
import { agoText, dayText } from '../../values/format.ts';
import { Begin } from './begin.tsx';
import { isOpen, isOverdue, nameOf } from './shown.ts';
import { says } from './texts.ts';

const PAGE = 50;

export function Requests({ path }: { readonly path: string }): JSX.Element {
  /** A record from which a person was led here. */
  const record = query.value.get('record') ?? undefined;
  const [beginning, setBeginning] = useState(record !== undefined);
  const starting_after = query.value.get('starting_after') ?? undefined;
  const { value, error, busy, reload } = useLoad(`erasures ${starting_after}`, (signal) =>
    api.erasures
      .list(
        { limit: PAGE, ...(starting_after === undefined ? {} : { starting_after }) },
        { signal },
      )
      .page(),
  );
  useEffect(() => {
    if (value !== undefined) restore();
  }, [value]);
  const all = value?.data ?? [];
  const open = all.filter(isOpen).sort((one, other) => (one.due_at < other.due_at ? -1 : 1));
  const ended = all.filter((one) => !isOpen(one));
  const begin = (
    <button type="button" class="main" onClick={() => setBeginning(true)}>
      {says.begin}
    </button>
  );
  const tableOf = (
    caption: string,
    rows: readonly Erasure[],
    columns: readonly Column<Erasure>[],
  ): JSX.Element => (
    <Table
      caption={caption}
      columns={columns}
      rows={rows}
      keyOf={({ unique_identifier }) => unique_identifier}
      hrefOf={({ unique_identifier }) => hrefOf(`${path}/${unique_identifier}`)}
      busy={busy}
    />
  );
  return (
    <>
      <Heading title={texts.nav.privacy} about={says.about}>
        <button type="button" class="plain square" aria-label={texts.list.refresh} onClick={reload}>
          <Icon name="again" />
        </button>
        {all.length > 0 && begin}
      </Heading>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {value === undefined && error === undefined && <Skeleton />}
      {value !== undefined && all.length === 0 && (
        <Empty title={says.none} hint={says.noneHint}>
          {begin}
        </Empty>
      )}
      {open.length > 0 && (
        <section class="asked">
          <h2>{says.open}</h2>
          {tableOf(says.open, open, COLUMNS)}
        </section>
      )}
      {ended.length > 0 && (
        <section class="asked">
          <h2>{says.ended}</h2>
          {tableOf(says.ended, ended, ENDED)}
        </section>
      )}
      {value?.has_more === true && (
        <nav class="pages" aria-label={texts.nav.privacy}>
          <a
            class="button"
            rel="next"
            href={hrefOf(path, { starting_after: all.at(-1)?.unique_identifier ?? '' })}
          >
            {says.more}
            <Icon name="right" />
          </a>
        </nav>
      )}
      {beginning && (
        <Begin
          record={record}
          onClose={() => {
            setBeginning(false);
            setQuery({ record: undefined }, { instead: true });
          }}
          onBegun={({ unique_identifier }) => go(hrefOf(`${path}/${unique_identifier}`))}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Erasure>[] = [
  {
    label: says.request,
    class: 'name',
    cell: (one) => (
      <>
        {nameOf(one)}
        {one.seen_again_count > 0 && (
          <span class="tag">{says.seen.count(one.seen_again_count)}</span>
        )}
      </>
    ),
  },
  {
    label: texts.status,
    folds: true,
    cell: ({ status }) => <span class={`status ${status}`}>{says.statuses[status] ?? status}</span>,
  },
  {
    label: says.due,
    folds: (one) => <Due of={one} />,
    cell: (one) => <Due of={one} isNamed />,
  },
  {
    label: says.received,
    class: 'time',
    folds: 'named',
    cell: ({ received_at }) => dayText(new Date(received_at)),
  },
  { label: says.found, class: 'amount', folds: 'named', cell: ({ matches }) => matches.length },
  { label: says.erased, class: 'amount', folds: 'named', cell: ({ erased }) => erased },
];

const ENDED = COLUMNS.filter(({ label }) => label !== says.due);

/** By when it is to be done; nothing more once it is. */
export function Due({
  of,
  isNamed = false,
}: {
  readonly of: Erasure;
  /** Whether it stands below a label. */
  readonly isNamed?: boolean;
}): JSX.Element | null {
  const ago = agoText(of.due_at);
  if (!isOpen(of)) return null;
  const day = dayText(new Date(of.due_at));
  if (isOverdue(of)) return <span class="status overdue">{says.overdue(day)}</span>;
  return <>{isNamed ? says.dueIn(day, ago) : says.dueBy(day, ago)}</>;
}
