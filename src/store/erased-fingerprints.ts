/**
 * Keyed hashes by which erased records are known again. Callers' identifiers are often names, and can be guessed: a
 * plain hash of one would tell who was erased.
 */
import { createHmac } from 'node:crypto';
import { PROBE_LENGTH, sealedBy, sealedProbe } from './promises/erasing/sealed.ts';
import { StoreUnavailable } from './promises/records.ts';

/** 48 bits in base64. */
const BEGINNING_LENGTH = 8;

/** A record by its resource and its external identifier. */
export type Link = readonly [resource: string, external_identifier: string];

export type ErasedFingerprints = ReturnType<typeof createErasedFingerprints>;

export function createErasedFingerprints(keys: readonly Uint8Array[]) {
  const byName = new Map(keys.map((key) => [hash(key, 'name').slice(0, 8), key]));
  const keyOf = (name: string): Uint8Array => {
    const key = byName.get(name);
    if (key === undefined) throw new TypeError('There is no such key.');
    return key;
  };
  /** Hashes a record alone: finds those that may be it, wherever they are. */
  const probe = (name: string, link: Link): string => hash(keyOf(name), JSON.stringify(link));
  /** The external identifier of a record that is redacted: by the former one, it is still found. */
  const sealed = (name: string, link: Link): string =>
    sealedProbe(link[1]) === undefined ? sealedBy(probe(name, link)) : link[1];
  const ofAll = (name: string, first: unknown, above: readonly Link[]): string =>
    hash(keyOf(name), JSON.stringify([first, ...above.map((one) => [one[0], sealed(name, one)])]));
  /** Begins the marks of all records of a resource that belong to the same. */
  const beginning = (name: string, resource: string, above: readonly Link[]): string =>
    ofAll(name, resource, above).slice(0, BEGINNING_LENGTH);
  return {
    /** The names of the keys, the newest first. */
    keys: [...byName.keys()] as readonly string[],
    probe,
    sealed,
    beginning,
    /**
     * Hashes a record and all that it belongs to, up to the account: it stays the same when a parent is removed and
     * created again, and when it is redacted.
     */
    fingerprint: (name: string, [own, ...above]: readonly Link[]): string => {
      const whole = beginning(name, own?.[0] ?? '', above) + ofAll(name, own, above);
      return whole.slice(0, PROBE_LENGTH);
    },
  };
}

function hash(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, PROBE_LENGTH);
}

/** Where records were erased, and the key is missing that tells whether these are among them. */
export function keyless(): StoreUnavailable {
  return new StoreUnavailable(
    'Records of this account were erased with a key that is not in SECRET_KEY_FILE, and only that key tells whether these are among them.',
  );
}
