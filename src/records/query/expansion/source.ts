/** The sources of records: what `expand[]=source` shows, and which records a list by source has. */

import { createHash } from 'node:crypto';
import { ApiError } from '../../../core/errors.ts';
import { type StoredSource, sharedWriterOf } from '../../../core/objects/source.ts';
import { SOURCE } from '../../../core/schema/ancestors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { parseStored } from '../../../core/schema/json/json.ts';
import { isPinned, memberOf, pinsIn } from '../../../core/schema/pins.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import type { SourceBook } from '../../../store/books/feeds/sources.ts';
import type { AnsweredRecord, Filter, Store, StoredRecord } from '../../../store/promises/store.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Expansion } from './identifiers.ts';

/** Stands for the sources of the caller. */
const ME = 'me';

type Made = Pick<StoredRecord, 'created_by' | 'changed_by'>;

/** Who made each record, and who changed it last; `null`: unknown. */
export async function sourceExpansion(
  store: Pick<Store, 'findAll' | 'sources'>,
  { shape }: Resource,
  records: readonly (AnsweredRecord & Partial<Made>)[],
  scope: Principal['scope'],
): Promise<(record: AnsweredRecord) => Expansion> {
  const all = await store.sources.list([...new Set(records.map(({ account }) => account))]);
  const byNumber = new Map(all.map((one) => [one.number, one]));
  // What was read from a receipt or from the log does not say it.
  const unsaid = records.filter(({ created_by }) => created_by === undefined);
  const ids = unsaid.map(({ unique_identifier }) => unique_identifier);
  const found = ids.length === 0 ? [] : await store.findAll(shape, ids, scope);
  const made = new Map<string, Partial<Made>>(
    [...records, ...found].map((one) => [one.unique_identifier, one]),
  );
  const shown = (number: number | null | undefined) => {
    const one = byNumber.get(number ?? 0);
    const root = byNumber.get(one?.merged_into ?? 0) ?? one;
    return root === undefined
      ? null
      : { unique_identifier: root.unique_identifier, name: root.name };
  };
  return ({ unique_identifier, document }) => {
    const { created_by, changed_by } = made.get(unique_identifier) ?? {};
    const text = JSON.stringify({
      created_by: shown(created_by),
      changed_by: shown(changed_by),
      pinned: isPinned(document) ? pinsIn(parseStored(document) as JsonObject).map(memberOf) : [],
    });
    return {
      name: SOURCE,
      // Names are in the answer, and change.
      tag: `${SOURCE}=${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`,
      bytes: text.length,
      text: () => text,
    };
  };
}

/** The filter of a list by source: an identifier, or `me`. Throws `resource_missing` for one that is not there. */
export async function fromSource(
  { sources }: { readonly sources: SourceBook },
  { scope, key }: Principal,
  source: string | undefined,
): Promise<readonly Filter[]> {
  if (source === undefined) return [];
  const accounts = [...scope.accounts];
  const all = await sources.list(accounts);
  const wanted =
    source === ME
      ? await writtenAs(sources, accounts, key)
      : all.flatMap((one) => (one.unique_identifier === source ? one.number : []));
  const message = 'source is not the unique_identifier of a source that you may see, nor "me".';
  if (wanted.length === 0 && source !== ME)
    throw new ApiError('resource_missing', { param: SOURCE, message });
  const roots = new Set(all.filter(({ number }) => wanted.includes(number)).map(rootOf));
  const numbers = all.filter((one) => roots.has(rootOf(one))).map(({ number }) => number);
  return [{ by: 'created_by', is: '=', value: numbers.join() }];
}

async function writtenAs(sources: SourceBook, accounts: readonly string[], by: string) {
  const writers = await sources.writers(accounts);
  const names = new Set([by, sharedWriterOf(by)]);
  return writers.flatMap(({ writer, source }) => (names.has(writer) ? source : []));
}

function rootOf({ number, merged_into }: StoredSource): number {
  return merged_into ?? number;
}
