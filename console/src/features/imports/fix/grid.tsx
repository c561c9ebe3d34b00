/** The rows of a kind: a cell is typed over, and judged again at once. */
import { imports as says } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import { Table } from '../../../parts/table.tsx';
import type { FileOptions } from '../service.ts';
import { type FixKind, type KindRow, type RefusedRow, sentenceOf } from './kinds.ts';

export interface GridProps {
  readonly kind: FixKind;
  readonly options: FileOptions;
  readonly refused: ReadonlyMap<number, RefusedRow>;
  /** Rows of the kind that are no longer of it. */
  readonly isMended: (row: KindRow) => boolean;
  readonly busy: boolean;
  readonly onCell: (row: number, column: string, text: string) => void;
}

export function placeOf(row: number, column: string): string {
  return `${row}:${column}`;
}

export function Grid({ kind, options, refused, isMended, busy, onCell }: GridProps): JSX.Element {
  const { columns, rows } = kind;
  const textAt = ({ row, cells }: KindRow, column: string): string =>
    options.cells?.[placeOf(row, column)] ?? cells[column] ?? '';
  const stateOf = (one: KindRow): JSX.Element | string => {
    const faults = refused.get(one.row)?.faults ?? [];
    const own = faults.filter(({ columns: of = [] }) => of.some((name) => columns.includes(name)));
    const why = [...new Set(own.map((fault) => sentenceOf(fault, fault.columns?.join(', '))))];
    if (why.length > 0) return <span class="fault">{why.join('\n')}</span>;
    return isMended(one) ? <span class="good">✓ {says.fix.taken}</span> : '';
  };
  return (
    <div class="import-grid" aria-busy={busy}>
      <Table
        caption={kind.title}
        columns={[
          { label: says.line, class: 'row-number', cell: ({ row }) => row },
          { label: says.fix.who, class: 'of', cell: ({ of }) => of || '–' },
          ...columns.map((column) => ({
            label: column,
            class: 'typed',
            cell: (one: KindRow) =>
              column in one.cells ? (
                <CellInput
                  label={says.fix.cell({ column, row: one.row })}
                  text={textAt(one, column)}
                  onType={(text) => onCell(one.row, column, text)}
                />
              ) : null,
          })),
          { label: says.fix.now, class: 'why', cell: stateOf },
        ]}
        rows={rows}
        keyOf={({ row }) => String(row)}
      />
    </div>
  );
}

/** What is typed stays while other rows are judged. */
function CellInput(props: {
  readonly label: string;
  readonly text: string;
  readonly onType: (text: string) => void;
}): JSX.Element {
  const { label, text, onType } = props;
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  return (
    <input
      aria-label={label}
      autocomplete="off"
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget: { value } }) => {
        if (value !== text) onType(value);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        nextOf(event.currentTarget)?.focus();
      }}
    />
  );
}

/** The next cell that can be typed over; at the end the input itself, so that what was typed counts. */
function nextOf(input: HTMLInputElement): HTMLInputElement | null {
  const grid = input.closest('.import-grid');
  const all = [...(grid?.querySelectorAll<HTMLInputElement>('input') ?? [])];
  const next = all[all.indexOf(input) + 1];
  if (next === undefined) input.blur();
  return next ?? input;
}
