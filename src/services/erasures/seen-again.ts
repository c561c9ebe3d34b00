/**
 * Notices records that come under new identifiers with a phone number or an email address of a person who was erased,
 * and notes them on the erasure: a person decides. It follows the changes of accounts that keep such hashes, and of no
 * others; what was set back to an older state is looked at from the beginning.
 */
import type { ErasureMatch } from '../../core/objects/records/erasure.ts';
import { changeId, readChangeId } from '../../core/schema/change-id.ts';
import type { Resource } from '../../core/schema/define.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { ENDED_KEPT_MS } from '../../store/promises/erasing/book.ts';
import type {
  ContactKind,
  FollowedAccount,
  SeenMatch,
} from '../../store/promises/erasing/seen-again.ts';
import type { Store, StoredRecord } from '../../store/promises/store.ts';
import { type Details, knownOf } from './everywhere/mentions.ts';

/** What a piece reads: some milliseconds of work. */
const CHANGES = 100;
const RECORDS = 100;
const BYTES = 131_072;
/** Records that are noted on one erasure. */
const MAX_NOTED = 1_000;
/** Fewer digits are no phone number. */
const MIN_DIGITS = 7;
const DAY_MS = 86_400_000;

type Parts = Pick<Store, 'seenAgain' | 'erasures' | 'log' | 'list' | 'findAll'>;
type Found = readonly (readonly [Resource, StoredRecord])[];

/** A walk over all records of an account, the newest first. */
interface Walk {
  readonly from: FollowedAccount;
  /** Where to follow on. */
  readonly upto: string;
  /** The resource, and the record after which it goes on. */
  readonly at: number;
  readonly after?: string | undefined;
}

/** The phone numbers and email addresses among what is known of a person, in the form that is hashed. */
export function contactsOf({
  phones,
  texts,
}: Details): readonly (readonly [ContactKind, string])[] {
  return [
    ...phones
      .map((phone) => phone.replace(/\D/g, ''))
      .filter(({ length }) => length >= MIN_DIGITS)
      .map((digits) => ['phone_number', digits] as const),
    ...texts
      .filter((text) => text.includes('@'))
      .map((text) => ['email_address', text.toLowerCase()] as const),
  ];
}

/** Keeps the hashes by which a person is known again; before the records are erased that tell them. */
export async function keepContacts(
  { seenAgain, log }: Pick<Store, 'seenAgain' | 'log'>,
  {
    account,
    unique_identifier: erasure,
  }: { readonly account: string; readonly unique_identifier: string },
  known: Details,
  now: number,
): Promise<void> {
  const last = await log.last(account);
  const hashes = contactsOf(known).flatMap(([kind, text]) =>
    seenAgain.hashesOf(kind, text).slice(0, 1),
  );
  const kept = [...new Set(hashes)].map((hash) => ({ erasure, hash }));
  await seenAgain.keep(account, kept, { reached: last ? changeId(account, last) : '', at: now });
}

export class SeenAgain {
  readonly #store: Parts;
  readonly #resources: readonly Resource[];
  readonly #now: () => number;
  /** Positions up to which all is seen, by account. */
  readonly #done = new Map<string, number>();
  /** By account. */
  readonly #walks = new Map<string, Walk>();
  #begun = false;
  #purged = 0;

  constructor(store: Parts, resources: readonly Resource[], now: () => number) {
    this.#store = store;
    this.#resources = resources.filter(({ parent }) => parent !== undefined);
    this.#now = now;
  }

  /** A step in each account that is followed; returns whether there may be more. */
  async piece(): Promise<boolean> {
    const { seenAgain, log } = this.#store;
    if (!this.#begun) await seenAgain.refollow(this.#now());
    this.#begun = true;
    const followed = await seenAgain.followed();
    if (followed.length === 0) return false;
    const positions = await log.positions(followed.map(({ account }) => account));
    let more = false;
    for (const one of followed) {
      const { account, reached } = one;
      const position = positions.get(account);
      if (position === undefined || (reached !== '' && this.#done.get(account) === position))
        continue;
      if (await this.#step(one)) more = true;
      else this.#done.set(account, position);
    }
    return more;
  }

  /** Hashes are kept as long as erasures are. */
  async purge(): Promise<boolean> {
    const now = this.#now();
    if (now < this.#purged + DAY_MS) return false;
    await this.#store.seenAgain.purge(now - ENDED_KEPT_MS);
    this.#purged = now;
    return false;
  }

  async #step(one: FollowedAccount): Promise<boolean> {
    const { account, reached } = one;
    const after = readChangeId(account, reached);
    const query = { account, after, limit: CHANGES, bytes: BYTES };
    const read = after === undefined ? 'rewound' : await this.#store.log.read(query);
    if (typeof read === 'string') return this.#walkOn(one);
    const last = read.changes.at(-1);
    if (last === undefined) return false;
    const found: (readonly [Resource, StoredRecord])[] = [];
    for (const [name, some] of Map.groupBy(read.changes, (change) => change.resource)) {
      const resource = this.#resources.find(({ shape }) => shape.resource === name);
      if (resource === undefined) continue;
      const scope = { accounts: new Set([account]), anchors: undefined };
      const wanted = [...new Set(some.map(({ record }) => record))];
      const records = await this.#store.findAll(resource.shape, wanted, scope);
      found.push(...records.map((record) => [resource, record] as const));
    }
    await this.#move(one, changeId(account, last), found);
    return read.more;
  }

  async #walkOn(from: FollowedAccount): Promise<boolean> {
    const { account, reached } = from;
    const known = this.#walks.get(account);
    const walk = known?.from.reached === reached ? known : await this.#begin(from);
    const resource = walk && this.#resources[walk.at];
    if (walk === undefined || resource === undefined) return false;
    const { at, after, upto } = walk;
    const page = await this.#store.list({
      ...{ shape: resource.shape, order: 'newest', limit: RECORDS, bytes: BYTES },
      scope: { accounts: new Set([account]), anchors: undefined },
      ...(after === undefined ? {} : { cursor: { side: 'after', unique_identifier: after } }),
    });
    const last = page?.records.at(-1)?.unique_identifier;
    const goesOn = page === undefined || (page.more && last !== undefined);
    const isThrough = !goesOn && at === this.#resources.length - 1;
    const found = (page?.records ?? []).map((record) => [resource, record] as const);
    const isMoved = await this.#move(from, isThrough ? upto : reached, found);
    // Without the record where it goes on it begins the resource again.
    const next = goesOn ? { ...walk, after: last } : { ...walk, at: at + 1, after: undefined };
    if (isThrough || !isMoved) this.#walks.delete(account);
    else this.#walks.set(account, next);
    return true;
  }

  async #begin(from: FollowedAccount): Promise<Walk | undefined> {
    const last = await this.#store.log.last(from.account);
    return last && { from, upto: changeId(from.account, last), at: 0 };
  }

  async #move(from: FollowedAccount, reached: string, found: Found): Promise<boolean> {
    const seen = await this.#seenAmong(from.account, found);
    return this.#store.seenAgain.move(from, { reached, at: this.#now() }, seen);
  }

  async #seenAmong(account: string, found: Found): Promise<readonly SeenMatch[]> {
    const { seenAgain, erasures } = this.#store;
    const contacts = found.flatMap(([resource, record]) => {
      const document = parseStored(record.document) as JsonObject;
      return contactsOf(knownOf(resource, document, '')).flatMap(([reason, text]) =>
        seenAgain.hashesOf(reason, text).map((hash) => ({ resource, record, reason, hash })),
      );
    });
    const known = await seenAgain.known(account, [...new Set(contacts.map(({ hash }) => hash))]);
    if (known.length === 0) return [];
    const byHash = Map.groupBy(known, ({ hash }) => hash);
    const listed = new Map<string, ReadonlySet<string>>();
    const room = new Map<string, number>();
    for (const erasure of new Set(known.map((one) => one.erasure))) {
      const matches: readonly ErasureMatch[] = (await erasures.find(erasure))?.matches ?? [];
      listed.set(erasure, new Set(matches.map(({ record }) => record)));
      room.set(erasure, MAX_NOTED - (await seenAgain.noted(erasure)));
    }
    const seen: SeenMatch[] = [];
    for (const some of Map.groupBy(contacts, ({ record }) => record).values()) {
      const hits = some.filter(({ hash }) => byHash.has(hash));
      const [first] = hits;
      if (first === undefined) continue;
      const record = first.record.unique_identifier;
      const of = hits.flatMap(({ hash }) => byHash.get(hash) ?? []).map((one) => one.erasure);
      // Somebody has seen it among the matches, and has decided.
      if (of.some((erasure) => listed.get(erasure)?.has(record))) continue;
      const erasure = of.toSorted().at(-1) as string;
      const left = room.get(erasure) ?? 0;
      if (left <= 0) continue;
      room.set(erasure, left - 1);
      const reasons = [...new Set(hits.map(({ reason }) => reason))];
      const { resource } = first.resource.shape;
      seen.push({ erasure, record, resource, reasons, seen_at: this.#now() });
    }
    return seen;
  }
}
