/**
 * Proves that nothing of erased records is left. Their details are stored, sealed, before they are erased, so that a
 * process that is killed midway can still look for them; afterwards every place is read again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredErasure } from '../../core/objects/records/erasure.ts';
import type { ErasurePlace } from '../../core/objects/records/erasure-audience.ts';
import type { Resource } from '../../core/schema/define.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import { isObject, type JsonObject } from '../../core/schema/values.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { ErasedTrace } from '../../store/promises/erasing/book.ts';
import { sealedProbe } from '../../store/promises/erasing/sealed.ts';
import { type Store, StoreUnavailable, wholeAccount } from '../../store/promises/store.ts';
import type { FilesKept } from '../served.ts';
import { type Details, joined, knownOf, NO_DETAILS, opened } from './everywhere/mentions.ts';
import { documentsOf } from './look.ts';
import type { ChangeErasure } from './steps.ts';

const AT_ONCE = 50;
/** Changes of a record that are read at once, and of which images are found. */
const CHANGES = 200;
const BYTES = 131_072;
/** How long a request waits at most for the search index, which lags behind the log. */
const INDEXED_MS = 3_000;
const INDEX_LOOK_MS = 50;

export interface TracesParts {
  readonly resources: readonly Resource[];
  readonly sealer: Sealer | undefined;
  readonly change: ChangeErasure;
}

/** Stores the details in these records, sealed; returns those of all records the erasure has taken. */
export async function sealTraces(
  store: Pick<Store, 'findAll' | 'log'>,
  { resources, sealer, change }: TracesParts,
  { unique_identifier, account }: Pick<StoredErasure, 'unique_identifier' | 'account'>,
  wanted: readonly { readonly resource: string; readonly record: string }[],
): Promise<Details> {
  const known: Details[] = [];
  const hosts = new Set<string>();
  for await (const one of documentsOf(store, resources, account, wanted)) {
    const { resource, record, document, external_identifier, position } = one;
    known.push(knownOf(resource, document, external_identifier));
    const query = { account, record, position, limit: CHANGES, bytes: BYTES };
    for (const { content } of await store.log.of(query)) {
      const changed = content === null ? {} : (parseStored(content) as JsonObject);
      for (const host of imageHostsOf(resource, changed)) hosts.add(host);
    }
    for (const host of imageHostsOf(resource, document)) hosts.add(host);
  }
  let all = NO_DETAILS;
  await change(unique_identifier, (now) => {
    const name = `what the records of ${unique_identifier} held`;
    const before = opened(sealer, now.traces, name) ?? NO_DETAILS;
    const { names, phones, texts } = joined([before, ...known]);
    all = { names: unique(names), phones: unique(phones), texts: unique(texts) };
    const image_hosts = unique([...now.image_hosts, ...hosts]);
    const text = JSON.stringify(all);
    // Another process, or this one before a restart, has already stored them.
    if (text === JSON.stringify(before) && image_hosts.length === now.image_hosts.length)
      return now;
    return { ...now, image_hosts, traces: sealer?.seal(text, name) ?? null };
  });
  return all;
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

function imageHostsOf({ fields, public_data }: Resource, document: JsonObject): readonly string[] {
  const members = { ...fields, ...public_data };
  return [document, document.public_data ?? null].flatMap((part) =>
    Object.entries(isObject(part) ? part : {}).flatMap(([name, value]) => {
      const isImage = members[name]?.kind.name.endsWith('JPG URL') === true;
      if (!isImage) return [];
      return [value].flat().flatMap((url) => URL.parse(String(url))?.host ?? []);
    }),
  );
}

const PLACES = ['records', 'log', 'removed_records', 'notes', 'search', 'refused_rows'] as const;

interface ReadParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly files?: readonly FilesKept[];
}

export async function readAgain(
  { store, resources, files = [] }: ReadParts,
  { unique_identifier, account }: Pick<StoredErasure, 'unique_identifier' | 'account'>,
  mentions: (text: string) => boolean,
): Promise<readonly ErasurePlace[]> {
  const places = PLACES.map((place) => ({ place, checked: 0, found: 0 }));
  const add = (place: (typeof PLACES)[number], checked: number, found: number): void => {
    const at = PLACES.indexOf(place);
    const before = places[at] ?? { checked: 0, found: 0 };
    places[at] = { place, checked: before.checked + checked, found: before.found + found };
  };
  /** Counts records that still have content, or of which there are copies, and lists the records that do not remain as redacted. */
  const storedOf = async (some: readonly ErasedTrace[]) => {
    const redacted = new Set<string>();
    let stored = some.filter(({ copies }) => copies > 0).length;
    for (const [name, own] of Map.groupBy(some, ({ resource }) => resource)) {
      const shape = resources.find((one) => one.shape.resource === name)?.shape;
      if (shape === undefined) continue;
      const ids = own.map(({ record }) => record);
      const found = await store.findAll(shape, ids, wholeAccount(account));
      for (const { unique_identifier, external_identifier } of found)
        if (sealedProbe(external_identifier ?? '') === undefined) stored += 1;
        else redacted.add(unique_identifier);
    }
    const all = some.map(({ record }) => record);
    return { stored, whole: all.filter((record) => !redacted.has(record)) };
  };
  const lookInLog = async ({ record, position }: ErasedTrace): Promise<void> => {
    for await (const changes of store.log.back({ account, record, position }))
      add('log', changes.length, changes.filter(({ content }) => content !== null).length);
  };
  const indexed = performance.now() + INDEXED_MS;
  /** Counts the records still in the index once it has caught up; all of them if it cannot be read. */
  const inIndex = async (records: readonly string[]): Promise<number> => {
    if (records.length === 0) return 0;
    try {
      for (;;) {
        const found = await store.search.has(account, records);
        if (found === 0 || performance.now() > indexed) return found;
        if (!(await store.search.feed())) await pause(INDEX_LOOK_MS);
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return records.length;
    }
  };
  for (let after = ''; ; ) {
    const some = await store.erasing.traces(account, unique_identifier, after, AT_ONCE);
    const { stored, whole } = await storedOf(some);
    const gone = await Promise.all(
      some.map(({ resource, record }) => store.log.gone(resource, record, [account])),
    );
    add('records', some.length, stored);
    add('removed_records', some.length, gone.filter((one) => one !== undefined).length);
    const records = some.map(({ record }) => record);
    add('notes', some.length, await store.countAbout(account, records));
    add('search', whole.length, await inIndex(whole));
    for (const one of some) await lookInLog(one);
    const last = some.at(-1);
    if (last === undefined || some.length < AT_ONCE) break;
    after = last.record;
  }
  for (const one of files) {
    const kept = await one.rows(account, mentions, { cuts: false });
    add('refused_rows', kept.files, kept.rows);
  }
  return places;
}
