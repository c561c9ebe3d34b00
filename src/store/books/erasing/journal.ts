/** The book of the journal of erasures, over the tables of a store. */
import { named } from '../../images.ts';
import type { ErasedRecord } from '../../promises/erasing/book.ts';
import { Book } from '../book.ts';
import { erasedStatements } from '../erasures.ts';
import { type BookWrite, statements } from '../tables.ts';

const LINES = 'SELECT line, text FROM erasure_journal';
const COLUMNS = [
  ...(['account', 'record', 'resource', 'anchor', 'parent'] as const),
  ...(['erasure', 'erased_at', 'key', 'probe', 'mark'] as const),
];
const TOMBSTONE = COLUMNS.join(', ');
const toLine = named<JournalLine>('line', 'text');
const toTombstone = named<ErasedTombstone>(...COLUMNS);

export const sql = statements({
  last: `${LINES} ORDER BY line DESC LIMIT 1`,
  after: ({ limit }) => `${LINES} WHERE line > $1 ORDER BY line LIMIT ${limit('$2')}`,
  unapplied: ({ limit }) => `${LINES} WHERE NOT applied ORDER BY line LIMIT ${limit('$1')}`,
  unlisted: ({ limit }) =>
    `SELECT ${TOMBSTONE} FROM erased WHERE line = 0 ORDER BY erased_at LIMIT ${limit('$1')}`,
  listedUpTo: 'SELECT min(line), max(line) FROM erased WHERE erasure = $1',
  add: `INSERT INTO erasure_journal (line, text, applied) VALUES ($1, $2, $3)
    ON CONFLICT (line) DO NOTHING`,
  list: 'UPDATE erased SET line = $1 WHERE account = $2 AND record = $3 AND erased_at = $4',
  applied: 'UPDATE erasure_journal SET applied = true WHERE line = $1 AND NOT applied',
  listed: 'UPDATE erased SET line = $1 WHERE account = $2 AND record = $3',
  remember: `INSERT INTO erased (${TOMBSTONE}, unforgotten, line)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11)
    ON CONFLICT (account, record) DO UPDATE SET line = excluded.line`,
});

export class JournalBook extends Book {
  readonly last = () => this.first(toLine, sql.last);

  /** Lists lines after that one, in order. */
  readonly after = (line: number, limit: number) => this.all(toLine, sql.after, line, limit);

  /** Lists lines of what is not done here yet, in order. */
  readonly unapplied = (limit: number) => this.all(toLine, sql.unapplied, limit);

  /** Erased records that no line lists yet, in the order of their times. */
  readonly unlisted = (limit: number) => this.all(toTombstone, sql.unlisted, limit);

  /** Up to which line all erased records of an erasure are listed; `undefined`: not all are. */
  async listedUpTo(erasure: string): Promise<number | undefined> {
    const [[least, most] = [null, null]] = await this.tables.rows<
      readonly [number | null, number | null]
    >(sql.listedUpTo, erasure);
    return least === 0 ? undefined : (most ?? 0);
  }

  /** One commit; the lines follow the last one. False, with nothing done, if another process has added lines meanwhile. */
  async append(lines: readonly NewLine[]): Promise<boolean> {
    const writes = [
      ...lines.map(({ line, text, unapplied }): BookWrite => [sql.add, line, text, !unapplied]),
      ...lines.flatMap(({ line, lists }): readonly BookWrite[] =>
        lists === undefined ? [] : [[sql.list, line, lists.account, lists.record, lists.erased_at]],
      ),
      ...lines.flatMap(({ lifts }): readonly BookWrite[] =>
        lifts === undefined ? [] : lifted(lifts),
      ),
    ];
    const [count] = await this.tables.write(writes, 1);
    return count === 1;
  }

  /** Notes that what a line says is done; remembers or lifts the record in the same commit. Once more does nothing. */
  async applied(line: number, done?: Done): Promise<void> {
    const does = done === undefined ? [] : doneBy(line, done);
    await this.tables.write([[sql.applied, line], ...does], 1);
  }
}

type Done =
  | { readonly erased: JournalName }
  | { readonly remembers: ErasedTombstone }
  | { readonly lifts: JournalName };

function doneBy(line: number, done: Done): readonly BookWrite[] {
  if ('erased' in done) return [[sql.listed, line, done.erased.account, done.erased.record]];
  if ('lifts' in done) return lifted(done.lifts);
  return [[sql.remember, ...COLUMNS.map((name) => done.remembers[name]), line]];
}

function lifted({ account, record }: NonNullable<NewLine['lifts']>): readonly BookWrite[] {
  return [[erasedStatements.lift, account, record]];
}

/** The remains of an erased record, with the keyed hashes by which it is recognized, and the name of their key. */
export interface ErasedTombstone extends ErasedRecord {
  readonly key: string;
  readonly probe: string;
  readonly mark: string;
}

export interface JournalLine {
  readonly line: number;
  readonly text: string;
}

type JournalName = Pick<ErasedRecord, 'account' | 'record'>;

/** A line, and what the store notes or does in the same commit. */
export interface NewLine extends JournalLine {
  /** Whether the line is still to be applied here. */
  readonly unapplied?: true;
  /** The erased record that it lists. */
  readonly lists?: Pick<ErasedTombstone, 'account' | 'record' | 'erased_at'>;
  /** The erased record that may be made again. */
  readonly lifts?: JournalName;
}
