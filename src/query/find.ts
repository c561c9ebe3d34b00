/** Reads one record, as far as the key may see it. */
import type { Principal } from '../auth/principal.ts';
import type { Timing } from '../observe/timing.ts';
import type { Resource } from '../schema/define.ts';
import { parseRead } from '../schema/parse-list.ts';
import { presentOne } from '../schema/present.ts';
import { recordMissing } from '../store/refusals.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { authorizeExpand, type Expansion, expanderOf } from './expand.ts';
import type { ReadParams } from './list.ts';
import { shown } from './shown.ts';

export interface FoundRecord {
  readonly unique_identifier: string;
  /** Tells this text from every other that the same address ever answers. */
  readonly tag: string;
  /** The object, as JSON text. */
  readonly body: string;
}

/** Throws `resource_missing`, the same whether there is no such record or the key may not see it. */
export type FindRecord = (
  principal: Principal,
  resource: Resource,
  unique_identifier: string,
  asked: ReadParams,
  timing: Timing,
) => Promise<FoundRecord>;

export function createFind(store: Store): FindRecord {
  return async (principal, resource, unique_identifier, { query, unknown }, timing) => {
    const expand = timing.measure('parse', () => parseRead(resource, query, unknown));
    authorizeExpand(principal, resource, expand);

    const resolving = performance.now();
    // No store could hold a NUL, and not every one can look for it.
    const record = unique_identifier.includes('\0')
      ? undefined
      : await store.find(resource.shape, unique_identifier, principal.scope);
    if (record === undefined) throw recordMissing(resource.shape);
    const expansions = (await expanderOf(store, principal, resource, [record], expand))(record);
    timing.add('resolve', performance.now() - resolving);

    return {
      unique_identifier: record.unique_identifier,
      tag: tagOf(record, expansions),
      body: timing.measure('present', () => shown(presentOne(resource, record), expansions)),
    };
  };
}

/** The version of the record; after it those of what was put into the answer, which changes with them too. */
function tagOf({ version }: StoredRecord, expansions: readonly Expansion[]): string {
  return [version, ...expansions.map(({ tag }) => tag)].join(';');
}
