/** Processes the drafts of one commit, one at a time, within its transaction. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { sealedProbe } from '../../promises/erasing/sealed.ts';
import { recordChanged } from '../../promises/refusals.ts';
import type {
  CommitOptions,
  Draft,
  Erased,
  Outcome,
  Receipt,
  Refused,
  Repeated,
  StoredRecord,
  Written,
} from '../../promises/store.ts';
import { batchReceipt, type Taking } from '../../receipt-room.ts';
import type { TextedDraft } from '../../records/content.ts';
import { type Change, entryOf, judge, parentMissing } from '../../records/judge.ts';
import { judgeEach, withheld } from '../../records/outcomes.ts';
import type { Context } from '../context.ts';
import type { Erasing, OwnerNumbers } from '../erasing.ts';
import { indexedValues, recordSum } from '../schema/tables.ts';
import type { DraftStatements, IdentityRow } from '../statements/records.ts';
import type { NewReceipts, Receipts } from './receipts.ts';
import { Turn } from './turn.ts';

/** The result of a commit. */
export interface BatchResult {
  readonly outcomes: readonly Outcome[];
  /** The room that its receipts take. */
  readonly taken: readonly Taking[];
  /** Whether to commit what was done, or to roll it back. */
  readonly keep: boolean;
}

export interface BatchParts {
  readonly receipts: Receipts;
  readonly erasing: Erasing;
}

/** Writes the drafts of a commit, within its transaction. */
export function writeBatch(
  context: Context,
  parts: BatchParts,
  drafts: readonly TextedDraft[],
  options: CommitOptions,
): BatchResult {
  const { atomic = false, receipt } = options;
  const batch = new Batch(context, parts, drafts.length);
  if (receipt !== undefined) {
    const outcome = batch.repeatedOrFull(receipt, drafts);
    if (outcome !== undefined)
      return { outcomes: drafts.map(() => outcome), taken: [], keep: false };
  }
  const outcomes = judgeEach(drafts, options, (draft) => batch.apply(draft));
  if (atomic && outcomes.some(({ outcome }) => outcome === 'refused')) {
    return { outcomes: outcomes.map(withheld), taken: [], keep: false };
  }
  if (receipt !== undefined) batch.keepBatchReceipt(receipt, drafts, outcomes);
  return { outcomes, taken: batch.finish(), keep: true };
}

class Batch {
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #erasing: Erasing;
  readonly #turn: Turn;
  /** The most records that may be created. */
  readonly #most: number;
  /** The first number for created records. */
  #firstNumber: number | undefined;
  /** The number of records created so far. */
  #created = 0;
  /** The resources with created records. */
  readonly #createdOf = new Set<string>();
  /** Begun with the first receipt. */
  #made: NewReceipts | undefined;
  /** The numbers of records known to exist; they cannot change before the commit. */
  readonly #existing = new Map<string, number>();
  /** Whether something of an account was erased. */
  readonly #accountsWithErasures = new Map<string, boolean>();
  /** By resource and parent: whether something there was erased. */
  readonly #parentsWithErasures = new Map<string, boolean>();

  constructor(context: Context, { receipts, erasing }: BatchParts, most: number) {
    this.#context = context;
    this.#receipts = receipts;
    this.#erasing = erasing;
    this.#turn = new Turn(context);
    this.#most = most;
  }

  apply(draft: TextedDraft): Outcome {
    const { shape, receipt } = draft;
    const outcome = receipt && this.repeatedOrFull(receipt, [draft]);
    if (outcome !== undefined) return outcome;
    const owners = this.#ownersOf(draft);
    if (owners === undefined) return { outcome: 'refused', error: parentMissing(shape) };
    return this.#write(draft, owners);
  }

  /** Checks a receipt before anything is written: whether it exists already, or there is no space for it. */
  repeatedOrFull(receipt: Receipt, drafts: readonly Draft[]): Repeated | Refused | undefined {
    const accounts = drafts.map(({ account }) => account);
    return this.#receipts.repeatedOrFull(receipt, accounts, this.#turn.now);
  }

  /** Stores the receipt of the whole batch. */
  keepBatchReceipt(receipt: Receipt, drafts: readonly Draft[], outcomes: readonly Outcome[]): void {
    const batch = batchReceipt(drafts, outcomes);
    const account = batch && this.#context.openAccount(batch.account);
    if (account === undefined) return;
    this.#made ??= this.#receipts.begin();
    this.#receipts.keepBatch(this.#made, receipt, account, batch?.drafts ?? '');
  }

  /** Called when everything is written; returns the room that receipts take. */
  finish(): readonly Taking[] {
    this.#turn.end();
    return this.#made?.taken ?? [];
  }

  /** The numbers of the record's account and parent, if both exist. */
  #ownersOf({ shape, account: owner, parent: above }: Draft): OwnerNumbers | undefined {
    const { root, openAccount, table } = this.#context;
    const account = this.#numberOf(root.resource, owner, owner, () => openAccount(owner));
    if (account === undefined || shape.parent === undefined) return undefined;
    if (shape.parent.resource === root.resource) {
      return above === owner ? { account, parent: account } : undefined;
    }
    const { resource } = shape.parent;
    const parent = this.#numberOf(resource, owner, above, () => {
      return table(resource).records.stands.get(account, above)?.[0];
    });
    return parent === undefined ? undefined : { account, parent };
  }

  #numberOf(
    resource: string,
    account: string,
    unique_identifier: string,
    look: () => number | undefined,
  ): number | undefined {
    // No text that gets here holds a NUL.
    const name = `${resource}\0${account}\0${unique_identifier}`;
    const known = this.#existing.get(name);
    if (known !== undefined) return known;
    const found = look();
    if (found !== undefined) this.#existing.set(name, found);
    return found;
  }

  #write(draft: TextedDraft, owners: OwnerNumbers): Written | Refused | Erased {
    const { shape, external_identifier } = draft;
    const { drafts } = this.#context.table(shape.resource);
    if (drafts === undefined) throw new TypeError(`No draft writes to ${shape.resource}.`);
    const row = drafts.findIdentity.get(owners.account, owners.parent, external_identifier);
    const before = row === undefined ? undefined : toStored(draft, row);
    const isSealed = sealedProbe(external_identifier) !== undefined;
    if ((row === undefined || isSealed) && this.#isErased(draft, owners))
      return { outcome: 'erased' };
    const had = this.#goneNumber(draft, owners);
    if (had === undefined && draft.restores?.gone !== undefined && before === undefined) {
      return { outcome: 'refused', error: recordChanged(shape) };
    }
    const { outcome, change } = judge(draft, before, {
      now: this.#turn.now,
      identify: () => this.#identify(shape),
      position: () => this.#turn.positionIn(owners.account),
    });
    if (!('record' in outcome)) return outcome;
    const number = row?.[0] ?? had ?? this.#nextNumber();
    if (change !== undefined) {
      if (row === undefined) this.#insert(drafts, number, owners, change);
      else this.#update(number, keysIn(row), change);
      if (had !== undefined) {
        this.#context.changes.bringBack.run(owners.account, change.record.unique_identifier);
      }
      this.#turn.log(owners.account, entryOf(change, this.#context.keepsContent));
    }
    return this.#keepReceipt(draft, owners, number, outcome);
  }

  #isErased(draft: TextedDraft, owners: OwnerNumbers): boolean {
    const { shape, account, external_identifier } = draft;
    const ofAccount = () => this.#erasing.someOf(account);
    if (!this.#accountsWithErasures.getOrInsertComputed(account, ofAccount)) return false;
    const isNear =
      sealedProbe(external_identifier) !== undefined ||
      this.#parentsWithErasures.getOrInsertComputed(`${shape.resource} ${owners.parent}`, () =>
        this.#erasing.someBeside(draft, owners),
      );
    return isNear && this.#erasing.erasureOf(draft, owners) !== undefined;
  }

  /** Stores the receipt of a write, if the request has one. */
  #keepReceipt(
    { shape, receipt }: Draft,
    { account }: OwnerNumbers,
    record: number,
    written: Written,
  ): Written {
    if (receipt !== undefined) {
      this.#made ??= this.#receipts.begin();
      this.#receipts.keepWrite(this.#made, receipt, written, { account, record }, shape.resource);
    }
    return written;
  }

  /** `keysBefore` are the values in the columns of its declared keys. */
  #update(
    number: number,
    keysBefore: readonly string[],
    { shape, before, record, keys }: Change,
  ): void {
    const { records } = this.#context.table(shape.resource);
    const { document, version, position, updated_at, changed_by } = record;
    const values = [
      document,
      version,
      position,
      updated_at,
      changed_by,
      recordSum(record),
    ] as const;
    const indexed = indexedValues(record, keys);
    const indexedBefore = before && indexedValues(before, keysBefore);
    if (indexed.every((value, at) => value === indexedBefore?.[at])) {
      records.updateUnindexed.run(...values, number);
    } else {
      records.update.run(...values, ...indexed, number);
    }
  }

  #insert(
    statements: DraftStatements,
    number: number,
    owners: OwnerNumbers,
    { record, keys }: Change,
  ): void {
    statements.insert.run(
      number,
      owners.account,
      owners.parent,
      record.unique_identifier,
      record.anchor,
      record.external_identifier,
      record.document,
      record.version,
      record.position,
      record.inserted_at,
      record.updated_at,
      record.created_by,
      record.changed_by,
      recordSum(record),
      ...indexedValues(record, keys),
    );
  }

  /** The number that a restored record had. */
  #goneNumber({ restores }: Draft, { account }: OwnerNumbers): number | undefined {
    if (restores?.gone === undefined) return undefined;
    const { unique_identifier, position } = restores.gone;
    return this.#context.changes.goneNumber.get(account, unique_identifier, position)?.[0];
  }

  /** The number of the next created record. */
  #nextNumber(): number {
    this.#firstNumber ??= this.#context.setAside(this.#most);
    return this.#firstNumber + this.#created++;
  }

  /** Ordered like the numbers, even if another process with another clock gave the previous one. */
  #identify({ resource, prefix }: RecordShape): string {
    const { identify, latestIn } = this.#context;
    // Each is greater than the previous one. Only the first can follow one from another process.
    if (this.#createdOf.has(resource)) return identify(prefix);
    this.#createdOf.add(resource);
    return identify(prefix, latestIn(resource));
  }
}

/** The columns of its declared keys. */
function keysIn([, , , , , , , , , , ...keys]: IdentityRow): readonly string[] {
  return keys;
}

/** The stored record that a draft writes to. */
function toStored({ account, parent, external_identifier }: Draft, row: IdentityRow): StoredRecord {
  const [, unique_identifier, anchor, document, version, position, ...rest] = row;
  const [inserted_at, updated_at, created_by, changed_by] = rest;
  return {
    unique_identifier,
    account,
    anchor,
    parent,
    external_identifier,
    document,
    version,
    position,
    inserted_at,
    updated_at,
    created_by,
    changed_by,
  };
}
