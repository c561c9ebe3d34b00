/**
 * Changes as the log has them: some of one commit in each row, since a row for each change would cost every upsert what
 * a row costs. A change is a line of `changes`, in which what it shares with the line before is left out; what it keeps
 * is the same line of `contents`. Neither identifiers nor JSON as it is stored hold a tab or the end of a line.
 */
import type { SQLInputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import {
  asDamaged,
  type LogEntry,
  type LoggedChange,
  type TimedCursor,
} from '../../promises/log.ts';

/** A row is full at this many changes or bytes: reading one change reads its whole row. */
const MAX_CHANGES = 64;
const FULL = 32_768;

const BETWEEN = '\t';
const END = '\n';
/** No value; an empty one stands for that of the previous line. */
const NOTHING = '-';

/** A row as it is read; `place` is that of its first change. */
export type LogRow = readonly [
  ...[position: number, place: number, token: number, occurred_at: number, changes: string],
  ...[contents: string | null, count: number, sum: number],
];

/** Such a row, as the statements below this folder read it. */
export const ROW_COLUMNS = 'position, place, token, occurred_at, changes, contents, count, sum';

/** Leaves nothing of what was changed in a row but that it was, as SQL. */
export const WITHOUT_CONTENTS = `contents = NULL,
  sum = change_sum(${ROW_COLUMNS.replace('contents', 'NULL').replace(', sum', '')})`;

/** Sums a row but for its sum: detects what a disk or memory changes in it. */
export function sumOf(row: readonly SQLInputValue[]): number {
  return crc32(row.join(END));
}

/** A row that is being filled. */
export class FillingRow {
  count = 0;
  #changes = '';
  #contents = '';
  #someContent = false;
  #resource = '';
  #anchor = '';
  #by = '';

  get full(): boolean {
    return this.count === MAX_CHANGES || this.#changes.length + this.#contents.length >= FULL;
  }

  get contents(): string | null {
    return this.#someContent ? this.#contents : null;
  }

  /** The row as it is stored, beginning at that mark. */
  at({ position, place, token, occurred_at }: TimedCursor): LogRow {
    const { contents, count } = this;
    const row = [position, place, token, occurred_at, this.#changes, contents, count] as const;
    return [...row, sumOf(row)];
  }

  add({ resource, record, anchor, outcome, version, before, by, content }: LogEntry): void {
    const anchored = anchor ?? NOTHING;
    const bearer = by ?? NOTHING;
    const end = this.count++ === 0 ? '' : END;
    const of = resource === this.#resource ? '' : resource;
    const within = anchored === this.#anchor ? '' : anchored;
    const from = bearer === this.#by ? '' : bearer;
    this.#changes += `${end}${of}\t${record}\t${within}\t${outcome}\t${version}\t${before}\t${from}`;
    this.#contents += end + (content ?? '');
    this.#someContent ||= content !== null;
    this.#resource = resource;
    this.#anchor = anchored;
    this.#by = bearer;
  }
}

/**
 * The changes of a row of the account, in the order in which they were done. Where
 * the row is damaged all of them are, and where it has lost some the last one stands for all.
 */
export function changesOf(account: string, row: LogRow): LoggedChange[] {
  const all = split(account, row);
  if (row.at(-1) === sumOf(row.slice(0, -1))) return all;
  const count = row[COUNT];
  const last = { ...(all[0] as LoggedChange), place: row[PLACE] + count - 1, record: '' };
  return (all.length === count ? all : [last]).map(asDamaged);
}

/** The contents of a row with those changes alone that are kept, and its sum then; of a damaged row the sum stays. */
export function withContents(
  [position, place, token, occurred_at, text, , count, sum]: LogRow,
  changes: readonly LoggedChange[],
  keeps: (change: LoggedChange) => boolean,
): readonly [contents: string | null, sum: number] {
  const some = changes.map((one) => (keeps(one) ? (one.content ?? '') : ''));
  const contents = some.some((one) => one !== '') ? some.join(END) : null;
  const isWhole = !changes.some(({ damaged }) => damaged);
  const row = [position, place, token, occurred_at, text, contents, count];
  return [contents, isWhole ? sumOf(row) : sum];
}

const PLACE = 1;
const COUNT = 6;

function split(account: string, [position, first, token, occurred_at, changes, contents]: LogRow) {
  const contentLines = contents?.split(END);
  let [ofResource, ofAnchor, ofBy] = ['', '', ''];
  return changes.split(END).map((line, at) => {
    const [resource, record = '', anchor, outcome, version, before, by] = line.split(BETWEEN);
    ofResource = resource || ofResource;
    ofAnchor = anchor || ofAnchor;
    ofBy = by || ofBy;
    return {
      account,
      position,
      place: first + at,
      token,
      resource: ofResource,
      record,
      anchor: ofAnchor === NOTHING ? null : ofAnchor,
      outcome: outcome as LogEntry['outcome'],
      version: Number(version),
      before: Number(before),
      by: ofBy === NOTHING ? null : ofBy,
      occurred_at,
      content: contentLines?.[at] || null,
    };
  });
}
