/**
 * How a record is removed, within a transaction. One small commit takes the
 * record away and hides all that is below it; the rows below are swept away
 * after that, some in each transaction, so that no other write waits for long
 * (`docs/decisions/0009`).
 */
import { performance } from 'node:perf_hooks';
import {
  hasChildren,
  receiptsFull,
  recordChanged,
  recordHeld,
  recordMissing,
  tooManyChildren,
} from '../../promises/refusals.ts';
import {
  MAX_REMOVED,
  type Refused,
  type Removal,
  type Removed,
  type Repeated,
  type StoredRecord,
} from '../../promises/store.ts';
import { isFrom, toRecord } from '../../records/records.ts';
import type { Context } from '../context.ts';
import {
  NUMBER,
  type RemovalStatements,
  type RemovedRow,
  removalStatements,
} from '../statements/records.ts';
import { removedParentStatements } from '../statements/removed-parents.ts';
import type { Holding } from './holding.ts';
import type { Receipts } from './receipts.ts';
import type { Retaining } from './retaining.ts';
import { Turn } from './turn.ts';

/** How long one transaction sweeps: no longer than a commit of drafts takes. */
const SWEEP_MS = 4;
/** Rows between two looks at the clock. */
const ROWS_AT_ONCE = 20;

/** What keeps records from being removed. */
export interface Keeping {
  readonly holding: Holding;
  readonly retaining: Retaining;
}

export class Removals {
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #holding: Holding;
  readonly #retaining: Retaining;
  readonly #parents: ReturnType<typeof removedParentStatements>;
  readonly #statements: ReadonlyMap<string, RemovalStatements>;
  /** The resources below a resource. */
  readonly #children: ReadonlyMap<string, readonly string[]>;

  constructor(context: Context, receipts: Receipts, { holding, retaining }: Keeping) {
    const { database } = context.connection;
    const tables = [...context.tables.values()];
    const shapes = tables.map(({ shape }) => shape);
    this.#context = context;
    this.#receipts = receipts;
    this.#holding = holding;
    this.#retaining = retaining;
    this.#parents = removedParentStatements(database);
    this.#statements = new Map(
      tables.flatMap(({ shape, parents }) =>
        parents === undefined
          ? []
          : [[shape.resource, removalStatements(database, shape, parents)]],
      ),
    );
    this.#children = new Map(
      shapes.map(({ resource }) => [
        resource,
        shapes.filter(({ parent }) => parent?.resource === resource).map((each) => each.resource),
      ]),
    );
  }

  /** Commit it only if the outcome is `deleted`. */
  remove(removal: Removal): Removed | Refused | Repeated {
    const { shape, account, unique_identifier, receipt, by = null } = removal;
    const { openAccount } = this.#context;
    const turn = new Turn(this.#context);
    const room = receipt && this.#receipts.room();
    if (receipt !== undefined) {
      const existing = this.#receipts.find(receipt, turn.now);
      if (existing !== undefined) return { outcome: 'repeated', receipt: existing };
      if (room?.isFull(receipt.owner)) return { outcome: 'refused', error: receiptsFull() };
    }
    const statements = this.#of(shape.resource);
    const owner = openAccount(account);
    const row = owner === undefined ? undefined : statements.find.get(owner, unique_identifier);
    if (row === undefined || owner === undefined) {
      return { outcome: 'refused', error: recordMissing(shape) };
    }
    const number = row[NUMBER];
    const record = toRecord(row);
    if (removal.versions !== undefined && !removal.versions.includes(record.version)) {
      return { outcome: 'refused', error: recordChanged(shape, record.version) };
    }
    if (!isFrom(record, removal.sources)) {
      return { outcome: 'refused', error: recordChanged(shape, record.version) };
    }
    const { resource } = shape;
    const held =
      this.#holding.over(record, true) ??
      this.#retaining.keeps(account, { of: 'number', number, resource }, turn.now);
    if (held !== undefined) return { outcome: 'refused', error: recordHeld(held) };
    const parent = this.#childrenOf(shape.resource).some(
      (child) => this.#of(child).someUnder.get(owner, number) !== undefined,
    );
    if (parent && !removal.cascade) return { outcome: 'refused', error: hasChildren(shape) };
    let below = 0;
    if (parent) {
      this.#parents.note.run(number, owner, shape.resource, by, turn.positionIn(owner));
      below = this.#hide(number, shape.resource, MAX_REMOVED);
      if (below > MAX_REMOVED) return { outcome: 'refused', error: tooManyChildren(shape) };
      const kept = this.#retaining.keeps(account, { of: 'removal', number }, turn.now);
      if (kept !== undefined) return { outcome: 'refused', error: recordHeld(kept) };
      if (
        removal.sources !== undefined &&
        this.#othersBelow(number, shape.resource, JSON.stringify(removal.sources))
      ) {
        return { outcome: 'refused', error: hasChildren(shape) };
      }
    }
    const within = { by, position: turn.positionIn(owner), below };
    this.#log(turn, owner, shape.resource, within, { ...record, number });
    turn.end();
    statements.remove.run(number);
    this.#receipts.forgetRecord(number);
    const removed: Removed = { outcome: 'deleted', record, below };
    if (receipt !== undefined && room !== undefined) {
      this.#receipts.keepRemoval(room, receipt, removed, owner);
      room.settle();
    }
    return removed;
  }

  /** Whether anything is left to sweep. */
  get unswept(): boolean {
    return this.#parents.next.get() !== undefined;
  }

  /** Sweeps for some milliseconds. */
  sweep(): void {
    const until = performance.now() + SWEEP_MS;
    const turn = new Turn(this.#context);
    do {
      const next = this.#parents.next.get();
      if (next === undefined) break;
      const [number, account, resource, by, position] = next;
      let left = ROWS_AT_ONCE;
      for (const child of this.#childrenOf(resource)) {
        if (left === 0) break;
        const { forgetSwept, swept, sweep } = this.#of(child);
        const rows = swept.all(account, number, left);
        if (rows.length === 0) continue;
        forgetSwept.run(account, number, left);
        for (const row of rows) {
          this.#log(turn, account, child, { by, position, below: null }, toSwept(row));
        }
        left -= Number(sweep.run(account, number, left).changes);
      }
      if (left > 0) this.#parents.forget.run(number);
    } while (performance.now() < until);
    turn.end();
  }

  /** Logs that a record is removed, and keeps where its changes are, if the log keeps content. */
  #log(turn: Turn, account: number, resource: string, removal: Within, record: Swept): void {
    const { keepsContent } = this.#context;
    turn.log(account, {
      resource,
      record: record.unique_identifier,
      anchor: record.anchor,
      outcome: 'deleted',
      version: record.version + 1,
      before: record.position,
      by: removal.by ?? undefined,
      content: keepsContent ? record.document : null,
    });
    if (!keepsContent) return;
    const position = turn.positionIn(account);
    this.#of(resource).keep.run(position, record.number, removal.position, removal.below);
  }

  /**
   * Hides what is below the removed parents of a resource, at every depth, and
   * counts it; more than `most` is not counted any further.
   */
  #hide(removal: number, resource: string, most: number): number {
    let below = 0;
    for (const child of this.#childrenOf(resource)) {
      const { countBelow, noteBelow } = this.#of(child);
      below += countBelow.get(removal, resource, most - below + 1)?.[0] ?? 0;
      if (below > most) return below;
      if (this.#childrenOf(child).length === 0) continue;
      noteBelow.run(removal, resource, child);
      below += this.#hide(removal, child, most - below);
      if (below > most) return below;
    }
    return below;
  }

  /** Whether anything below the removed parents of a resource, at any depth, is from other sources. */
  #othersBelow(removal: number, resource: string, sources: string): boolean {
    return this.#childrenOf(resource).some(
      (child) =>
        this.#of(child).someOthers.get(removal, resource, sources) !== undefined ||
        (this.#childrenOf(child).length > 0 && this.#othersBelow(removal, child, sources)),
    );
  }

  #childrenOf(resource: string): readonly string[] {
    return this.#children.get(resource) ?? [];
  }

  #of(resource: string): RemovalStatements {
    const statements = this.#statements.get(resource);
    if (statements === undefined) throw new TypeError(`No ${resource} can be removed.`);
    return statements;
  }
}

/** The removal that a record goes with. */
interface Within {
  readonly by: string | null;
  /** Of its commit. */
  readonly position: number;
  /** How many records go with this one; `null`: it goes with another one. */
  readonly below: number | null;
}

/** The parts of a removed record that the log needs. */
type Swept = Pick<
  StoredRecord,
  'unique_identifier' | 'anchor' | 'version' | 'position' | 'document'
> & { readonly number: number };

function toSwept(row: RemovedRow): Swept {
  const [number, unique_identifier, anchor, version, position, document] = row;
  return { number, unique_identifier, anchor, version, position, document };
}
