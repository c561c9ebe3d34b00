/**
 * Cuts the increment in which a moment lies to the part that was committed by then. The state of each record follows
 * from the log of changes, by undoing later changes.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { stringify } from '../../../core/schema/json/json.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import type { AccountImage, Batches, TombstoneImage } from '../../../store/promises/snapshot.ts';
import type { StoredRecord } from '../../../store/promises/stored.ts';
import { parseDocument } from '../../../store/records/records.ts';
import { type DocumentVersion, versions } from '../../../store/records/versions.ts';
import type { Part } from '../parts.ts';
import type { RemovedImage } from './increment.ts';

/** The log has too little of the changes within the increment: only its end can be restored. */
export class Uncrossable extends Error {
  override readonly name = 'Uncrossable';
}

type Row = StoredRecord | TombstoneImage | RemovedImage;
type Mark = Pick<LoggedChange, 'account' | 'position' | 'token' | 'occurred_at'>;

export interface CrossingTarget {
  put(part: Part, row: object): void;
  /** The record was removed. */
  removed(record: string): void;
}

export class Crossing {
  readonly #at: number;
  readonly #setBackTo: number;
  readonly #target: CrossingTarget;
  readonly #note: StatementSync;
  readonly #changesOf: StatementSync;
  /** Whether the account's first commit after the moment was passed: all that follow are later, too. */
  readonly #passed = new Set<string>();
  /** By account: its last commit by then. */
  readonly #committed = new Map<string, number>();
  /** The number of changes of each commit by then that has removed something. */
  readonly #places = new Map<string, number>();
  /** Records that were gone by then, by the commit that removed them. */
  readonly #gone = new Map<string, Mark>();
  readonly #accounts = new Map<string, Partial<AccountImage>>();
  /** Their part. */
  #changes: Part | undefined;

  /** If the clock was set back before the moment: changes with a later time than `setBackTo` were done before that. */
  constructor(
    database: DatabaseSync,
    { at, setBackTo }: { readonly at: number; readonly setBackTo: number },
    target: CrossingTarget,
  ) {
    this.#at = at;
    this.#setBackTo = setBackTo;
    this.#target = target;
    database.exec(
      `CREATE TABLE crossing (record TEXT, nth INTEGER, later INTEGER, line TEXT, PRIMARY KEY (record, nth)) WITHOUT ROWID`,
    );
    this.#note = database.prepare(
      `INSERT INTO crossing VALUES (?1, (SELECT count(*) FROM crossing WHERE record = ?1), ?2, ?3)`,
    );
    this.#changesOf = database.prepare(
      'SELECT later, line FROM crossing WHERE record = ? ORDER BY nth DESC',
    );
  }

  /** Other data of the accounts that existed before. */
  get accounts(): ReadonlyMap<string, Partial<AccountImage>> {
    return this.#accounts;
  }

  async take(part: Part, rows: Batches<object>): Promise<void> {
    for await (const batch of rows) {
      for (const row of batch) {
        if (part.kind === 'changes') this.#change(part, row as LoggedChange);
        else if (part.kind === 'records') this.#record(part, row as Row);
        else if (part.isRoot) this.#account(part, row as AccountImage);
      }
    }
  }

  #change(part: Part, change: LoggedChange): void {
    const { account, record, outcome, occurred_at, position } = change;
    if (occurred_at > this.#at && occurred_at <= this.#setBackTo) this.#passed.add(account);
    const isLater = this.#passed.has(account);
    this.#note.run(record, isLater ? 1 : 0, JSON.stringify(change));
    if (isLater) return;
    this.#target.put(part, change);
    this.#changes = part;
    this.#committed.set(account, position);
    this.#places.set(commitOf(change), change.place + 1);
    if (outcome === 'deleted') this.#target.removed(record);
  }

  /** All changes of a record in the increment, the newest first. */
  #of(record: string): { readonly later: LoggedChange[]; readonly by: LoggedChange[] } {
    const later: LoggedChange[] = [];
    const by: LoggedChange[] = [];
    for (const row of this.#changesOf.iterate(record)) {
      (row.later === 1 ? later : by).push(JSON.parse(String(row.line)));
    }
    return { later, by };
  }

  #account(part: Part, image: AccountImage): void {
    const { unique_identifier, document, version, position, updated_at, closed_at } = image;
    const committed = this.#committed.get(unique_identifier);
    if (committed === undefined) return;
    const { later, by } = this.#of(unique_identifier);
    // The log does not have the state before an account was closed.
    if (later.length > 0 && by.length > 0) throw new Uncrossable();
    if (by.some(({ outcome }) => outcome === 'created')) {
      this.#target.put(part, { ...image, committed });
    } else {
      const changed = { document, version, position, updated_at, closed_at };
      this.#accounts.set(unique_identifier, { ...(by.length > 0 ? changed : {}), committed });
    }
  }

  #record(part: Part, row: Row): void {
    const { later, by } = this.#of(row.unique_identifier);
    const parent = 'removed' in row ? null : row.parent;
    const above = parent === null ? undefined : this.#gone.get(parent);
    const [last] = by;
    if (last?.outcome === 'deleted') this.#gone.set(row.unique_identifier, last);
    else if (above !== undefined) {
      this.#removeWith(part, row, above, later.at(-1));
      return;
    }
    if (last === undefined) return;
    this.#target.put(part, later.length === 0 ? row : asOf(row, last, later));
  }

  /** A store may remove records below a removed one a moment later: they go with it. */
  #removeWith(part: Part, row: Row, above: Mark, removal: LoggedChange | undefined): void {
    if (removal?.outcome !== 'deleted' || this.#changes === undefined) throw new Uncrossable();
    const { position, token, occurred_at } = above;
    const place = this.#places.get(commitOf(above)) ?? 0;
    this.#places.set(commitOf(above), place + 1);
    const change = { ...removal, position, place, token, occurred_at };
    this.#gone.set(row.unique_identifier, change);
    this.#target.put(this.#changes, change);
    this.#target.removed(row.unique_identifier);
    this.#target.put(part, goneFrom(row, position));
  }
}

function commitOf({ account, position }: Pick<LoggedChange, 'account' | 'position'>): string {
  return `${account} ${position}`;
}

/** The record after the change `last`, before the later changes, of which the newest is the first. */
function asOf(row: Row, last: LoggedChange, later: readonly LoggedChange[]): object {
  let content: DocumentVersion = 'document' in row ? parseDocument(row.document) : 'gone';
  for (const { before } of versions(later, content)) content = before;
  if (content === 'unknown' || (content === 'gone') !== (last.outcome === 'deleted')) {
    throw new Uncrossable();
  }
  const { position, version, anchor, occurred_at: updated_at } = last;
  if (content === 'gone') return 'removed' in row ? row : goneFrom(row, position);
  const { parent, external_identifier, inserted_at, created_by } = goneFrom(row, position);
  if (parent === null) throw new Uncrossable();
  const { unique_identifier, account } = row as StoredRecord | TombstoneImage;
  const document = stringify(content);
  return {
    ...{ unique_identifier, account, anchor, parent, external_identifier, document },
    // Who changed it before the later changes is not in the row.
    ...{ version, position, inserted_at, updated_at, created_by, changed_by: null },
  } satisfies StoredRecord;
}

function goneFrom(row: Row, position: number): TombstoneImage {
  if ('removed' in row) throw new Uncrossable();
  const { unique_identifier, account, parent, external_identifier, inserted_at } = row;
  if (external_identifier === null) throw new Uncrossable();
  const removal = 'removal' in row ? row.removal : position;
  const below = 'removal' in row ? row.below : null;
  return {
    ...{ unique_identifier, account, position, parent, external_identifier, inserted_at },
    ...{ removal, below, created_by: row.created_by },
  };
}
