/** Reasons for which a store refuses a request on a record: the same errors from every store. */
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import { inThousands, inWords } from '../../core/schema/present/words.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { ErasingBook } from '../books/erasures.ts';
import { type Condition, MAX_REMOVED, type Scope, type StoredRecord } from './records.ts';

/** The error if a record, or its absence, does not meet a condition; `undefined` if it does. */
export function unmet(
  shape: RecordShape,
  { record, unique_identifier, versions }: Condition,
  stored: Pick<StoredRecord, 'unique_identifier' | 'version'> | undefined,
): ApiError | undefined {
  if (record === 'absent' && stored !== undefined)
    return recordExists(shape, stored.unique_identifier);
  if (unique_identifier !== undefined && stored?.unique_identifier !== unique_identifier) {
    return recordMissing(shape);
  }
  if (record === 'present' && stored === undefined) return pairMissing(shape);
  if (versions !== undefined && !versions.includes(stored?.version ?? 0)) {
    return recordChanged(shape, stored?.version);
  }
  return undefined;
}

/**
 * The error for a record that does not exist or that the key may not see, the same to the letter. `sent` is the
 * identifier in the request.
 */
export function recordMissing(shape: RecordShape, sent?: string): ApiError {
  return new ApiError('resource_missing', { message: noSuchAs(shape, sent) });
}

/** Says that a record is missing, or that it was erased, to those alone who could see it. */
export async function missingOrErased(
  { erasing }: { readonly erasing: Pick<ErasingBook, 'find'> },
  shape: RecordShape,
  sent: string,
  { accounts, anchors }: Scope,
): Promise<ApiError> {
  const [erased] = sent.startsWith(shape.prefix) ? await erasing.find([sent], [...accounts]) : [];
  const isSeen =
    erased?.resource === shape.resource &&
    (anchors === undefined || anchors.has(erased.anchor ?? ''));
  return isSeen ? new ApiError('record_erased') : recordMissing(shape, sent);
}

export function parentRemoved({ resource, parent }: RecordShape): ApiError {
  const above = inWords(parent?.resource ?? '');
  return new ApiError('resource_missing', {
    message: `The ${above} that this ${inWords(resource)} belongs to no longer exists: restore the ${above} first, or send it again.`,
  });
}

/** The error for a record that a parameter names. */
export function missingAt(param: string, shape: RecordShape, sent: string): ApiError {
  return new ApiError('resource_missing', { param, message: noSuchAs(shape, sent) });
}

/** One of our own objects, where its account is among these; otherwise throws as if there were none. */
export function foundIn<One extends { readonly account: string }>(
  { accounts }: Pick<Scope, 'accounts'>,
  name: string,
  one: One | undefined,
): One {
  if (one !== undefined && accounts.has(one.account)) return one;
  throw new ApiError('resource_missing', { message: noSuch(name) });
}

/** The accounts to list: the requested one, or else all that the caller has. */
export function accountsFor(
  { accounts }: Pick<Scope, 'accounts'>,
  root: RecordShape,
  account: string | undefined,
): readonly string[] {
  if (account === undefined) return [...accounts];
  if (!accounts.has(account)) throw missingAt('account', root, account);
  return [account];
}

/** The error for a page of a list that starts after something else than what it is to be. */
export function cursorUnknown(what: string, code: ErrorCode = 'value_invalid'): ApiError {
  return new ApiError(code, {
    param: 'starting_after',
    message: `starting_after is not the ${what}.`,
  });
}

/** The message for a record or a parent that does not exist or that the key may not see. */
export function noSuch(resource: string): string {
  return `There is no ${inWords(resource)} with this unique_identifier, or you may not see it.`;
}

/** Says that there is no such record, with the right prefix if the sent identifier has another one. */
export function noSuchAs({ resource, prefix, parent }: RecordShape, sent = prefix): string {
  const none = noSuch(resource);
  if (sent.startsWith(prefix)) return none;
  const begins = `${none} Those of ${inWords(resource)}s begin with ${prefix}`;
  const isOurs = parent === undefined || /^[a-z]{2,5}_[0-9A-Za-z]{22}$/.test(sent);
  return isOurs ? `${begins}.` : `${begins}; your own identifier goes into external_identifier.`;
}

/** The message for a parent that is named by the caller's identifier, and does not exist or may not be seen. */
export function noSuchBelow(parent: string, resource: string): string {
  return `This ${inWords(parent)} has no ${inWords(resource)} with this external_identifier, or you may not see it.`;
}

export function receiptsFull(): ApiError {
  return new ApiError('idempotency_keys_exhausted');
}

/** The error if the record has none of these versions, or does not exist. */
export function recordChanged({ resource }: RecordShape, version?: number): ApiError {
  const now = version === undefined ? '' : `, and is at version ${version} now`;
  return new ApiError('record_changed', {
    message: `The ${inWords(resource)} has changed since you read it${now}: read it again, and retry if you still want the change.`,
  });
}

export function hasChildren({ resource }: RecordShape): ApiError {
  return new ApiError('record_has_children', {
    message: `Other records belong to this ${inWords(resource)}: remove those first, or let the request remove them with it.`,
  });
}

/** The error for what a hold or a retention rule retains. */
export function recordHeld(hold: string, what: 'account' | 'record' = 'record'): ApiError {
  const keeps = `keeps this ${what}, or ${what === 'account' ? 'a record of it' : 'one that belongs to it'}`;
  return new ApiError('record_held', {
    message: hold.startsWith('ret_')
      ? `The retention rule ${hold} ${keeps}, until it is old enough: nothing is removed before.`
      : `The hold ${hold} ${keeps}: nothing is removed while the hold lasts.`,
  });
}

export function tooManyChildren({ resource }: RecordShape): ApiError {
  const most = inThousands(MAX_REMOVED);
  return new ApiError('children_too_many', {
    message: `More than ${most} records belong to this ${inWords(resource)}, directly or through others: remove some of them first.`,
  });
}

export function recordExists(
  { resource, parent }: RecordShape,
  unique_identifier?: string,
): ApiError {
  const which = unique_identifier === undefined ? '' : `, ${unique_identifier}`;
  return new ApiError('record_exists', {
    message: `This ${inWords(parent?.resource ?? '')} already has one ${inWords(resource)} with this external_identifier${which}: send another external_identifier, or allow the request to update the existing one.`,
  });
}

function pairMissing({ resource, parent }: RecordShape): ApiError {
  return new ApiError('resource_missing', {
    message: `This ${inWords(parent?.resource ?? '')} has no ${inWords(resource)} with this external_identifier: correct it, or allow the request to create one.`,
  });
}

export function noPin({ resource }: RecordShape, member: string): ApiError {
  return new ApiError('pin_missing', {
    param: 'member',
    message: `This ${inWords(resource)} has no pin of ${member}: GET its pins, and send the name of one of them. What it belongs to and its identifiers are never pinned.`,
  });
}

export function proposalDecided(): ApiError {
  return new ApiError('proposal_decided');
}

export function pinsFull(most: number): ApiError {
  return new ApiError('pins_too_many', {
    message: `A record has at most ${most} corrected members, whose earlier and proposed values come to 256 KB: let the source decide about some of them first.`,
  });
}
