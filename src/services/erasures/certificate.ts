/**
 * Issues and seals certificates of erasures, and checks them offline. Each member has its own keyed hash, so that a
 * check can name what was changed; one more hash over all members binds them together.
 */
import { createHmac } from 'node:crypto';
import { ApiError } from '../../core/errors.ts';
import { present } from '../../core/objects/own-object.ts';
import type { ErasureView } from '../../core/objects/records/erasure.ts';
import {
  type CertificateContent,
  erasureCertificate,
  type Seal,
} from '../../core/objects/records/erasure-certificate.ts';
import { beyondOf } from '../../core/objects/records/out-of-reach.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { isObject, type Json, type JsonObject } from '../../core/schema/values.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { Store } from '../../store/promises/store.ts';
import type { ErasureJournal } from './journal.ts';
import { isSame } from './journal-lines.ts';

/** The purpose that the keys of seals are derived for. */
export const CERTIFICATES = 'erasure certificates';

/** The length of 128 bits in base64, and of the prefix that names a key. */
const LENGTH = 22;
const NAME_LENGTH = 8;

const DAY_MS = 86_400_000;
/** Full backups are taken daily, and an old one is deleted when the next is taken. */
const BACKUP_DAYS = 2;
/** The name under which the service registers its own folder. */
const SERVICE = 'service';

export interface Certifying {
  readonly store: Pick<Store, 'erasing' | 'backups' | 'audit' | 'file' | 'rewrittenTime'>;
  readonly sealer: Sealer | undefined;
  readonly journal: Pick<ErasureJournal, 'isOutside' | 'position'>;
  readonly now: () => number;
  /** How long the service retains its continuous backup; `undefined` if it has none. */
  readonly backupKeepMs?: number | undefined;
}

/** Issues the certificate of an erasure as of now, sealed by the newest key. Throws `erasure_keyless`. */
export async function issued(
  { store, sealer, journal, now, backupKeepMs }: Certifying,
  erasure: ErasureView,
): Promise<JsonObject> {
  const [key] = sealer?.derived(CERTIFICATES) ?? [];
  if (key === undefined) throw new ApiError('erasure_keyless');
  const { unique_identifier, account, records } = erasure;
  const found = await store.erasing.find(records, [account]);
  const erased = found.filter((one) => one.erasure === unique_identifier);
  const beyond = beyondOf(store.file !== undefined, journal.isOutside);
  const last = Math.max(0, ...erased.map(({ erased_at }) => erased_at));
  const [folders, file, heads, rewritten] = await Promise.all([
    store.backups.followed(),
    store.backups.last(),
    store.audit.heads(now() - DAY_MS),
    store.rewrittenTime(),
  ]);
  const backups: CertificateContent['backups'][number][] = folders
    .filter(({ name }) => name !== SERVICE)
    .map(() => ({ what: 'continuous', until: null }));
  if (backupKeepMs !== undefined) {
    const until = presentTime(last + backupKeepMs + BACKUP_DAYS * DAY_MS);
    backups.unshift({ what: 'continuous', until });
  }
  if (file !== undefined && file.taken_at <= last) backups.push({ what: 'file', until: null });
  const content: CertificateContent = {
    ...erasure,
    erasure: unique_identifier,
    issued_at: now(),
    files: store.file === undefined ? 'postgresql' : 'overwritten',
    rewritten_at: store.file === undefined ? null : (rewritten ?? null),
    out_of_reach: beyond.map(({ says }) => says),
    out_of_reach_codes: beyond.map(({ what }) => what),
    records: [...Map.groupBy(erased, ({ resource }) => resource)].map(([resource, some]) => {
      const times = some.map(({ erased_at }) => erased_at);
      const [first, last] = [Math.min(...times), Math.max(...times)];
      const span = { first_at: presentTime(first), last_at: presentTime(last) };
      return { resource, count: some.length, ...span };
    }),
    journal: (await journal.position()) ?? null,
    backups: erased.length === 0 ? [] : backups,
    audit_head: heads.map(({ chain, number, mac }) => ({ chain, number, mac })),
    seal: null,
  };
  const { seal: _, ...members } = present(erasureCertificate, content, 'api', 0);
  const each = Object.entries(members).map(([name, value]) => [name, hash(key, [name, value])]);
  const seal = { key: nameOf(key), members: Object.fromEntries(each) };
  return { ...members, seal: { ...seal, whole: hash(key, ['', members]) } };
}

/** Finds the faults of a certificate, one sentence each; none if it is unchanged since it was issued. */
export function faultsOf(certificate: Json, keys: readonly Uint8Array[]): readonly string[] {
  if (!isObject(certificate) || certificate.object !== 'erasure_certificate')
    return ['This is no certificate of an erasure.'];
  const { seal, ...members } = certificate;
  if (!isSeal(seal)) return ['The seal is missing or damaged.'];
  const key = keys.find((one) => nameOf(one) === seal.key);
  if (key === undefined) {
    return [
      `No key in SECRET_KEY_FILE is the one that sealed this certificate, ${JSON.stringify(seal.key)}. Keys that were replaced stay in the file, each on a line of its own after the new one.`,
    ];
  }
  const faults = [
    ...Object.entries(members).flatMap(([name, value]) => {
      const known = Object.hasOwn(seal.members, name) ? seal.members[name] : undefined;
      if (known === undefined) return [`${JSON.stringify(name)} was added.`];
      return isSame(known, hash(key, [name, value]))
        ? []
        : [`${JSON.stringify(name)} was changed.`];
    }),
    ...Object.keys(seal.members)
      .filter((name) => !Object.hasOwn(members, name))
      .map((name) => `${JSON.stringify(name)} is missing.`),
  ];
  if (faults.length > 0) return faults;
  return isSame(seal.whole, hash(key, ['', members]))
    ? []
    : ['Its members are not of one certificate, or the seal was changed.'];
}

function isSeal(value: Json | undefined): value is JsonObject & Seal {
  return (
    isObject(value) &&
    typeof value.key === 'string' &&
    typeof value.whole === 'string' &&
    isObject(value.members) &&
    Object.values(value.members).every((one) => typeof one === 'string')
  );
}

function nameOf(key: Uint8Array): string {
  return hash(key, ['name']).slice(0, NAME_LENGTH);
}

function hash(key: Uint8Array, value: Json): string {
  const text = JSON.stringify(inOrder(value));
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, LENGTH);
}

/** Sorts the members of objects by name, since programs that store JSON may reorder them. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, one]) => [name, inOrder(one)]));
}
