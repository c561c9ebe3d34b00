/** The frame of a screen that lists: its head, the rows or why there are none, and the way to older ones; and columns that many tables have. */
import { page as texts } from 'messages';
import type { ComponentChildren } from 'preact';
import type { Loaded } from '../load.ts';
import { changed, hrefOf, path, useRestored } from '../router.ts';
import type { PageOf } from '../service/api.ts';
import { Button, Icon } from './button.tsx';
import { Status } from './fact.tsx';
import { Empty, type EmptyProps, Heading, Loading, Reload } from './loading.tsx';
import { type Column, type Identified, idOf, Table, type TableProps } from './table.tsx';

/** Rows of a page. */
export const PAGE = 50;

interface ListedProps<Row> {
  readonly title: string;
  readonly about: ComponentChildren;
  readonly of: Loaded<PageOf<Row>>;
  readonly none: EmptyProps;
  /** The button that adds a row: in the head, and where there is none below the reason. */
  readonly add?: readonly [label: string, onClick: () => void];
  readonly acts?: ComponentChildren;
  /** Between the head and the rows, such as filters. */
  readonly above?: ComponentChildren;
  /** After what the next page begins, if not after the identifier of the last row. */
  readonly after?: (last: Row) => string | null;
  /** The columns of the rows and where the first leads, or how else they are shown. */
  readonly columns?: readonly Column<Row>[];
  readonly hrefOf?: (row: Row) => string | undefined;
  readonly children?: (rows: readonly Row[]) => ComponentChildren;
}

export function Listed<Row>(props: ListedProps<Row>): JSX.Element {
  const { title, about, of, none, add, acts, above, columns, children } = props;
  const { after = (row) => idOf(row as Row & Identified) } = props;
  const { value, busy, reload } = of;
  useRestored(value);
  const rows = value?.data ?? [];
  const button = add && <Button class="main" label={add[0]} onClick={add[1]} />;
  const last = rows.at(-1);
  const next = value?.has_more === true && last !== undefined ? after(last) : null;
  return (
    <>
      <Heading title={title} about={about}>
        {acts}
        {rows.length > 0 && button}
        <Reload onReload={reload} />
      </Heading>
      {above}
      <Loading of={of} rows={8}>
        {() => rows.length === 0 && <Empty {...none}>{button}</Empty>}
      </Loading>
      {rows.length > 0 && children?.(rows)}
      {rows.length > 0 && columns && (
        <Table caption={title} columns={columns} rows={rows} hrefOf={props.hrefOf} busy={busy} />
      )}
      {next !== null && (
        <nav class="pages" aria-label={title}>
          <span>{texts.list.shownMore(rows.length)}</span>
          <a class="button" rel="next" href={hrefOf(path.value, changed({ starting_after: next }))}>
            {texts.list.older}
            <Icon name="right" />
          </a>
        </nav>
      )}
    </>
  );
}

interface TitledProps<Row> extends TableProps<Row> {
  readonly beside?: ComponentChildren;
  readonly hint?: ComponentChildren;
}

/** Rows below a heading of their own, where there are any. */
export function Titled<Row>(props: TitledProps<Row>): JSX.Element | null {
  const { beside, hint, ...table } = props;
  if (table.rows.length === 0) return null;
  return (
    <section class="children">
      <header>
        <h2>{table.caption}</h2>
        {beside}
      </header>
      {hint && <p class="hint">{hint}</p>}
      <Table {...table} />
    </section>
  );
}

/** A column that may stand below the first cell, as it says by itself what it is. */
export function folded<Row>(label: string, cell: Column<Row>['cell']): Column<Row> {
  return { label, folds: true, cell };
}

/** A column that may stand below the first cell, after its label. */
export function named<Row>(label: string, cell: Column<Row>['cell']): Column<Row> {
  return { label, folds: 'named', cell };
}

/** A column of numbers, which say what they are only below its label. */
export function amounts<Row>(label: string, cell: Column<Row>['cell']): Column<Row> {
  return { label, class: 'amount', folds: 'named', cell };
}

/** A column of times, of which only the label says what they are. */
export function times<Row>(label: string, cell: Column<Row>['cell']): Column<Row> {
  return { label, class: 'time', folds: 'named', cell };
}

/** The state of each row; `words`: what states are called. */
export function statuses<Row extends { readonly status: string }>(
  words: Readonly<Record<string, string>>,
): Column<Row> {
  return {
    label: texts.status,
    folds: true,
    cell: ({ status }) => <Status of={status} words={words} />,
  };
}

/** What can be done with a row. */
export function acts<Row>(cell: Column<Row>['cell'], label = texts.more): Column<Row> {
  return { label, class: 'acts', cell };
}
