/** Columns that many tables have. */
import { page as texts } from 'messages';
import { Status } from './fact.tsx';
import type { Column } from './table.tsx';

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
