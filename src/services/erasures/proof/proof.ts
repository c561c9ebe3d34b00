/**
 * Stores the details in records, sealed, before they are erased, so that a process that is killed midway can still look
 * for them when it reads every place again.
 */
import type { StoredErasure } from '../../../core/objects/records/erasure.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { parseStored } from '../../../core/schema/json/json.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { ChangeErasure } from '../changing.ts';
import { documentsOf } from '../documents.ts';
import { type Details, joined, knownOf, NO_DETAILS, opened } from '../everywhere/mentions.ts';
import { imageHostsOf } from './image-hosts.ts';

/** The number of newest changes of a record that are searched for images. */
const CHANGES = 200;
const BYTES = 131_072;

export interface TracesParts {
  readonly resources: readonly Resource[];
  readonly sealer: Sealer | undefined;
  readonly change: ChangeErasure;
}

/** Stores the details in these records; returns those of all records the erasure has taken. */
export async function keepTraces(
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
    const name = sealedOf(unique_identifier);
    const before = opened(sealer, now.traces, name) ?? NO_DETAILS;
    all = merged([before, ...known]);
    const image_hosts = [...new Set([...now.image_hosts, ...hosts])];
    const text = JSON.stringify(all);
    // Another process, or this one before a restart, has already stored them.
    if (text === JSON.stringify(before) && image_hosts.length === now.image_hosts.length)
      return now;
    return { ...now, image_hosts, traces: sealer?.seal(text, name) ?? null };
  });
  return all;
}

function merged(some: readonly Details[]): Details {
  const { names, phones, texts } = joined(some);
  return { names: [...new Set(names)], phones: [...new Set(phones)], texts: [...new Set(texts)] };
}

function sealedOf(erasure: string): string {
  return `what the records of ${erasure} held`;
}
