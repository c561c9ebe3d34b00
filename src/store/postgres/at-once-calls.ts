/** What a commit in one round trip sends of its changes and receipts. */
import { purgedAt } from '../receipt-room.ts';
import type { StoredRecord } from '../store.ts';
import { byPair, type Change } from './batch.ts';
import { atOnceFor, type Context, tableFor } from './context.ts';
import type { RecordReceipt } from './receipts.ts';
import { type Call, call } from './session.ts';
import type { LeftRow } from './statements/at-once.ts';
import { bytesArray, numberArray, textArray } from './values.ts';

/**
 * What is changed goes before what is made, as with those who look first, who
 * lock what there is before they make anything; and each in the order of its
 * pairs. All processes do so: none waits for another that waits for it.
 */
export function callsToWrite(
  context: Context,
  unsorted: readonly Change[],
  now: number,
): readonly Call<LeftRow>[] {
  const changes = unsorted.toSorted(byPair);
  const resourceOf = ({ shape }: Change): string => shape.resource;
  const changed = changes.filter(({ made }) => !made);
  const made = changes.filter((change) => change.made);
  return [
    ...inTurn(context, changed, resourceOf, (resource, some) =>
      callToChange(context, resource, some, now),
    ),
    ...inTurn(context, made, resourceOf, (resource, some) =>
      callToMake(context, resource, some, now),
    ),
  ];
}

/** To be sent behind the calls that write. */
export function callsToKeep(
  context: Context,
  changes: readonly Change[],
  receipts: readonly RecordReceipt[],
): readonly Call[] {
  if (receipts.length === 0) return [];
  const resources = new Map(
    changes.map(({ shape, record }) => [record.unique_identifier, shape.resource]),
  );
  const resourceOf = ({ record }: RecordReceipt) => resources.get(record.unique_identifier);
  return inTurn(context, receipts, resourceOf, (resource, some) => {
    const { keep, answer } = atOnceFor(context, resource);
    const accounts = new Numbers();
    const of = some.map(({ record }) => accounts.numberOf(record.account));
    const written = [
      textArray(accounts.names),
      numberArray(of),
      textArray(some.map(({ record }) => record.unique_identifier)),
    ];
    return [
      call(
        answer,
        ...written,
        numberArray(some.map(({ receipt }) => purgedAt(receipt.expires_at))),
      ),
      call(
        keep,
        ...written,
        textArray(some.map(({ receipt }) => receipt.owner)),
        textArray(some.map(({ receipt }) => receipt.idempotency_key)),
        bytesArray(some.map(({ receipt }) => receipt.fingerprint)),
        numberArray(some.map(({ receipt }) => receipt.expires_at)),
        numberArray(some.map((one) => sizeOf(context, one))),
      ),
    ];
  }).flat();
}

export function sizeOf({ rooms }: Context, { receipt, outcome, record }: RecordReceipt): number {
  return rooms.sizeOf(receipt, outcome, record);
}

/** A call for each resource that some of them are of, parents before children. */
function inTurn<One, Made>(
  { tables }: Context,
  all: readonly One[],
  resourceOf: (one: One) => string | undefined,
  make: (resource: string, some: readonly One[]) => Made,
): readonly Made[] {
  const resources = new Set(all.map(resourceOf));
  return [...tables.keys()].flatMap((resource) => {
    if (!resources.has(resource)) return [];
    const some = resources.size === 1 ? all : all.filter((one) => resourceOf(one) === resource);
    return [make(resource, some)];
  });
}

function callToChange(
  context: Context,
  resource: string,
  changes: readonly Change[],
  now: number,
): Call<LeftRow> {
  const accounts = new Numbers();
  const of = changes.map(({ record }) => accounts.numberOf(record.account));
  return call(
    atOnceFor(context, resource).change,
    textArray(accounts.names),
    now,
    numberArray(of),
    textArray(changes.map(({ record }) => record.unique_identifier)),
    numberArray(changes.map(({ record }) => record.version - 1)),
    ...contentOf(context, resource, changes),
  );
}

function callToMake(
  context: Context,
  resource: string,
  changes: readonly Change[],
  now: number,
): Call<LeftRow> {
  const places = new Numbers();
  const parents: StoredRecord[] = [];
  const under = changes.map(({ record }) => {
    // Records of one resource that have the same parent have the same account and anchor.
    const number = places.numberOf(record.parent as string);
    if (number > parents.length) parents.push(record);
    return number;
  });
  return call(
    atOnceFor(context, resource).make,
    textArray(parents.map(({ account }) => account)),
    textArray(parents.map(({ parent }) => parent)),
    textArray(parents.map(anchorOf)),
    now,
    numberArray(under),
    textArray(changes.map(({ record }) => record.unique_identifier)),
    textArray(changes.map(({ record }) => record.external_identifier)),
    ...contentOf(context, resource, changes),
  );
}

/** `null` where the record is its own. */
function anchorOf({ anchor, unique_identifier }: StoredRecord): string | null {
  return anchor === unique_identifier ? null : anchor;
}

/** The documents and the declared keys. */
function contentOf(
  context: Context,
  resource: string,
  changes: readonly Change[],
): readonly unknown[] {
  const { shape } = tableFor(context, resource);
  return [
    textArray(changes.map(({ record }) => record.document)),
    ...shape.keys.map((_, at) => textArray(changes.map(({ keys }) => keys[at] as string))),
  ];
}

/** Gives names numbers, from 1, so that each is sent once. */
class Numbers {
  readonly #numbers = new Map<string, number>();

  get names(): readonly string[] {
    return [...this.#numbers.keys()];
  }

  numberOf(name: string): number {
    const number = this.#numbers.get(name) ?? this.#numbers.size + 1;
    this.#numbers.set(name, number);
    return number;
  }
}
