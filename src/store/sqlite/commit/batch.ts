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
  StoredRecord,
  Written,
} from '../../promises/store.ts';
import { batchReceipt } from '../../receipt-room.ts';
import type { TextedDraft } from '../../records/content.ts';
import {
  type Change,
  entryOf,
  judge,
  judgeEach,
  parentMissing,
  withheld,
} from '../../records/judge.ts';
import type { Context } from '../context.ts';
import type { Erasing, OwnerNumbers } from '../erasing.ts';
import { indexedValues, recordSum } from '../schema/tables.ts';
import type { DraftStatements, IdentityRow } from '../statements/records.ts';
import { createEntries } from './entries.ts';
import type { Receipts } from './receipts.ts';

/**
 * Writes the drafts of a commit, within its transaction: `keep` says whether to commit it or to roll it back. `taken` is
 * the room that its receipts take.
 */
export function writeBatch(
  context: Context,
  { receipts, erasing }: { readonly receipts: Receipts; readonly erasing: Erasing },
  drafts: readonly TextedDraft[],
  options: CommitOptions,
) {
  const entries = createEntries(context);
  const made = receipts.begin();
  /** The first number for created records. */
  let firstNumber: number | undefined;
  let created = 0;
  const createdOf = new Set<string>();
  /** The numbers of records known to exist; they cannot change before the commit. */
  const existing = new Map<string, number>();
  /** Whether something of an account was erased. */
  const accountsWithErasures = new Map<string, boolean>();
  /** By resource and parent: whether something there was erased. */
  const parentsWithErasures = new Map<string, boolean>();

  function apply(draft: TextedDraft): Outcome {
    const { shape, account, receipt } = draft;
    const outcome = receipt && receipts.repeatedOrFull(receipt, [account], context.now());
    if (outcome !== undefined) return outcome;
    const owners = ownersOf(draft);
    if (owners === undefined) return { outcome: 'refused', error: parentMissing(shape) };
    return write(draft, owners);
  }

  /** The numbers of the record's account and parent, if both exist. */
  function ownersOf({ shape, account: owner, parent: above }: Draft): OwnerNumbers | undefined {
    const { root, openAccount, table } = context;
    const account = numberOf(root.resource, owner, owner, () => openAccount(owner));
    if (account === undefined || shape.parent === undefined) return undefined;
    if (shape.parent.resource === root.resource) {
      return above === owner ? { account, parent: account } : undefined;
    }
    const { resource } = shape.parent;
    const parent = numberOf(resource, owner, above, () => {
      return table(resource).records.stands.get(account, above)?.[0];
    });
    return parent === undefined ? undefined : { account, parent };
  }

  function numberOf(
    resource: string,
    account: string,
    unique_identifier: string,
    look: () => number | undefined,
  ): number | undefined {
    // No text that gets here holds a NUL.
    const name = `${resource}\0${account}\0${unique_identifier}`;
    const known = existing.get(name);
    if (known !== undefined) return known;
    const found = look();
    if (found !== undefined) existing.set(name, found);
    return found;
  }

  function write(draft: TextedDraft, owners: OwnerNumbers): Written | Refused | Erased {
    const { shape, external_identifier, receipt } = draft;
    const statements = context.drafts(shape.resource);
    const row = statements.findIdentity.get(owners.account, owners.parent, external_identifier);
    const before = row === undefined ? undefined : toStored(draft, row);
    const isSealed = sealedProbe(external_identifier) !== undefined;
    if ((row === undefined || isSealed) && isErased(draft, owners)) return { outcome: 'erased' };
    const had = goneNumber(draft, owners);
    if (had === undefined && draft.restores?.gone !== undefined && before === undefined) {
      return { outcome: 'refused', error: recordChanged(shape) };
    }
    const { outcome, change } = judge(draft, before, {
      now: entries.now,
      identify: () => identify(shape),
      position: () => entries.positionIn(owners.account),
    });
    if (!('record' in outcome)) return outcome;
    const number = row?.[0] ?? had ?? nextNumber();
    if (change !== undefined) {
      if (row === undefined) insert(statements, number, owners, change);
      else update(number, keysIn(row), change);
      if (had !== undefined) {
        context.changes.bringBack.run(owners.account, change.record.unique_identifier);
      }
      entries.log(owners.account, entryOf(change, context.keepsContent));
    }
    const numbers = { account: owners.account, record: number };
    if (receipt !== undefined) receipts.keepWrite(made, receipt, outcome, numbers, shape.resource);
    return outcome;
  }

  function isErased(draft: TextedDraft, owners: OwnerNumbers): boolean {
    const { shape, account, external_identifier } = draft;
    const ofAccount = () => erasing.someOf(account);
    if (!accountsWithErasures.getOrInsertComputed(account, ofAccount)) return false;
    const isNear =
      sealedProbe(external_identifier) !== undefined ||
      parentsWithErasures.getOrInsertComputed(`${shape.resource} ${owners.parent}`, () =>
        erasing.someBeside(draft, owners),
      );
    return isNear && erasing.erasureOf(draft, owners) !== undefined;
  }

  /** `keysBefore` are the values in the columns of its declared keys. */
  function update(
    number: number,
    keysBefore: readonly string[],
    { shape, before, record, keys }: Change,
  ): void {
    const { records } = context.table(shape.resource);
    const { document, version, position, updated_at, changed_by } = record;
    const sum = recordSum(record);
    const values = [document, version, position, updated_at, changed_by, sum] as const;
    const indexed = indexedValues(record, keys);
    const indexedBefore = before && indexedValues(before, keysBefore);
    if (indexed.every((value, at) => value === indexedBefore?.[at])) {
      records.updateUnindexed.run(...values, number);
    } else {
      records.update.run(...values, ...indexed, number);
    }
  }

  function insert(
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
  function goneNumber({ restores }: Draft, { account }: OwnerNumbers): number | undefined {
    if (restores?.gone === undefined) return undefined;
    const { unique_identifier, position } = restores.gone;
    return context.changes.goneNumber.get(account, unique_identifier, position)?.[0];
  }

  function nextNumber(): number {
    firstNumber ??= context.setAside(drafts.length);
    return firstNumber + created++;
  }

  /** Ordered like the numbers, even if another process with another clock gave the previous one. */
  function identify({ resource, prefix }: RecordShape): string {
    const { identify, latestIn } = context;
    // Each is greater than the previous one. Only the first can follow one from another process.
    if (createdOf.has(resource)) return identify(prefix);
    createdOf.add(resource);
    return identify(prefix, latestIn(resource));
  }

  function keepBatchReceipt(receipt: Receipt, outcomes: readonly Outcome[]): void {
    const batch = batchReceipt(drafts, outcomes);
    const account = batch && context.openAccount(batch.account);
    if (account !== undefined) receipts.keepBatch(made, receipt, account, batch?.drafts ?? '');
  }

  const { atomic = false, receipt } = options;
  if (receipt !== undefined) {
    const accounts = drafts.map(({ account }) => account);
    const outcome = receipts.repeatedOrFull(receipt, accounts, context.now());
    if (outcome !== undefined)
      return { outcomes: drafts.map(() => outcome), taken: [], keep: false };
  }
  const outcomes = judgeEach(drafts, options, apply);
  if (atomic && outcomes.some(({ outcome }) => outcome === 'refused')) {
    return { outcomes: outcomes.map(withheld), taken: [], keep: false };
  }
  if (receipt !== undefined) keepBatchReceipt(receipt, outcomes);
  entries.end();
  return { outcomes, taken: made.taken, keep: true };
}

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
