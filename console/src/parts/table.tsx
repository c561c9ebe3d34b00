/** A table whose first cell leads to what the row is about. `j` and `k` go from row to row. */
import type { ComponentChildren } from 'preact';
import { labelled } from '../values/format.ts';
import { useFolded } from './folded.ts';

export interface Column<Row> {
  readonly label: string;
  readonly class?: string;
  readonly cell: (row: Row) => ComponentChildren;
  /**
   * It may stand below the first cell where room is short: `true` if it says by itself what it is. Others fold first,
   * and on phones always: `named` after their label, or as what says so there.
   */
  readonly folds?: boolean | 'named' | ((row: Row) => ComponentChildren);
  /** How the rows are ordered by it now, and what orders them by it, or the other way round. */
  readonly sorting?:
    | { readonly now: 'ascending' | 'descending' | undefined; readonly href: string }
    | undefined;
}

export interface TableProps<Row> {
  /** What the table is, for those who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Names a row; left out where rows have unique identifiers. */
  readonly keyOf?: (row: Row) => string;
  /** Where the first cell leads. */
  readonly hrefOf?: ((row: Row) => string | undefined) | undefined;
  readonly busy?: boolean;
}

export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const { caption, columns, rows, hrefOf, busy = false } = props;
  const { keyOf = (row) => idOf(row as Row & Identified) } = props;
  const late = ({ folds }: Column<Row>): number => (folds === true ? 1 : 0);
  const foldable = columns
    .filter(({ folds }, index) => folds && index > 0)
    .sort((one, other) => late(one) - late(other));
  const least = foldable.filter((one) => !late(one)).length;
  const { place, count } = useFolded(rows, foldable.length + 1, least);
  const isStacked = count > foldable.length;
  // Where room is short, a column in which no row has anything takes none.
  const isBelow = (column: Column<Row>): boolean => {
    if (!foldable.includes(column) || count === 0 || isStacked) return false;
    return foldable.indexOf(column) < count || rows.every((row) => column.cell(row) === null);
  };
  const folded = columns.filter(isBelow);
  const shown = columns.filter((column) => !folded.includes(column));
  return (
    <section
      ref={place}
      class={`rows ${isStacked ? 'stacked' : ''}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: people scroll it sideways with the keyboard
      tabIndex={0}
      aria-label={caption}
      aria-busy={busy}
    >
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {shown.map(({ label, class: own, sorting }) => (
              <th key={label} scope="col" class={own} aria-sort={sorting?.now}>
                {own === 'acts' ? (
                  <span class="unseen">{label}</span>
                ) : sorting === undefined ? (
                  label
                ) : (
                  <a href={sorting.href}>{label}</a>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {shown.map((column, index) => (
                <Cell
                  key={column.label}
                  href={index === 0 ? hrefOf?.(row) : undefined}
                  column={column}
                  row={row}
                  first={index === 0}
                  below={index === 0 ? folded : []}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell<Row>(props: {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly href: string | undefined;
  readonly first: boolean;
  readonly below: readonly Column<Row>[];
}): JSX.Element {
  const { column, row, href, first, below } = props;
  const content = href === undefined ? column.cell(row) : <a href={href}>{column.cell(row)}</a>;
  return first ? (
    <th scope="row" class={column.class}>
      {content}
      {below.length > 0 && (
        <span class="folded">
          {below.map((one) => (
            <span key={one.label} class={one.class}>
              {foldedCell(one, row)}
            </span>
          ))}
        </span>
      )}
    </th>
  ) : (
    <td class={column.class} data-label={column.label && labelled(column.label)}>
      {content}
    </td>
  );
}

function foldedCell<Row>({ label, cell, folds }: Column<Row>, row: Row): ComponentChildren {
  if (typeof folds === 'function') return folds(row);
  const content = cell(row);
  return folds === 'named' && content !== null ? [labelled(label), content] : content;
}

export interface Identified {
  readonly unique_identifier: string;
}

export function idOf({ unique_identifier }: Identified): string {
  return unique_identifier;
}

/** Moves the focus by rows; `false` without rows. */
export function moveByRow(by: 1 | -1): boolean {
  const links = [
    ...document.querySelectorAll<HTMLElement>('main tbody th > a[href], main [data-row] > a[href]'),
  ];
  if (links.length === 0) return false;
  const now = links.indexOf(document.activeElement as HTMLElement);
  const next = now < 0 ? (by > 0 ? 0 : links.length - 1) : now + by;
  const link = links[Math.min(Math.max(next, 0), links.length - 1)];
  link?.focus();
  link?.scrollIntoView({ block: 'nearest' });
  return true;
}
