/** Reads one record, as far as the key may see it. */

import type { Timing } from '../../core/observe/timing.ts';
import type { Resource } from '../../core/schema/define.ts';
import { stringify } from '../../core/schema/json/json.ts';
import { parseRead } from '../../core/schema/parse/parse-list.ts';
import { presentOne } from '../../core/schema/present/present.ts';
import { missingOrErased } from '../../store/promises/refusals.ts';
import type { AnsweredRecord, Store } from '../../store/promises/store.ts';
import type { RecordAt } from '../../store/records/versions.ts';
import type { Principal } from '../auth/principal.ts';
import type { History } from '../changes/history.ts';
import { authorizeExpand, expanderOf } from './expand.ts';
import type { ReadParams } from './list.ts';
import { type Expansion, shown } from './shown.ts';

export interface RecordResponse {
  readonly unique_identifier: string;
  readonly account: string;
  /** Distinguishes this text from every other at the same address. */
  readonly tag: string;
  /** The object, as JSON text. */
  readonly body: string;
}

/** Throws `resource_missing`, the same whether the record does not exist or the key may not see it. */
export function createFind(store: Store, history: Pick<History, 'at'>) {
  return async (
    principal: Principal,
    resource: Resource,
    unique_identifier: string,
    { query, unknown }: ReadParams,
    timing: Timing,
  ): Promise<RecordResponse> => {
    const { expand, version } = timing.measure('parse', () => parseRead(resource, query, unknown));
    authorizeExpand(principal, resource, expand);

    const resolving = performance.now();
    const record =
      version === undefined
        ? await store.find(resource.shape, unique_identifier, principal.scope)
        : recordAt(
            unique_identifier,
            version,
            await history.at(principal, resource, unique_identifier, version),
          );
    if (record === undefined)
      throw await missingOrErased(store, resource.shape, unique_identifier, principal.scope);
    const expansions = (await expanderOf(store, principal, resource, [record], expand))(record);
    timing.add('resolve', performance.now() - resolving);

    return {
      unique_identifier: record.unique_identifier,
      account: record.account,
      tag: tagOf(record, expansions),
      body: timing.measure('present', () => shown(presentOne(resource, record), expansions)),
    };
  };
}

/** The record's version, followed by those of its expansions, with which the response changes, too. */
function tagOf({ version }: AnsweredRecord, expansions: readonly Expansion[]): string {
  return [version, ...expansions.map(({ tag }) => tag)].join(';');
}

/** The record as it was at a version. */
function recordAt(
  unique_identifier: string,
  version: number,
  { document, updated_at, anchor, now }: RecordAt,
): AnsweredRecord {
  const { account, parent = null, external_identifier, inserted_at } = now;
  return {
    unique_identifier,
    account,
    anchor,
    parent,
    external_identifier,
    document: stringify(document),
    version,
    inserted_at,
    updated_at,
  };
}
