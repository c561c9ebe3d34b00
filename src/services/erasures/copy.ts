/** Streams a person's records as lines: each record, what was noted about it, then its changes. An erased record has none. */
import { ApiError } from '../../core/errors.ts';
import type { ErasureMatch } from '../../core/objects/records/erasure.ts';
import type { Timing } from '../../core/observe/timing.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { Query } from '../../records/query/query.ts';

const ENTRIES = 100;

interface CopyParts {
  readonly resources: readonly Resource[];
  readonly query: Pick<Query, 'find' | 'history'>;
  /** Finds our own objects about a record. */
  readonly about: (record: string) => Promise<readonly JsonObject[]>;
  readonly timing: Timing;
  /** Called before each match, so that a caller who loses access gets nothing further. */
  readonly caller: () => Promise<Principal>;
}

export async function* copyLines(
  { resources, query, about, timing, caller: known }: CopyParts,
  matches: readonly ErasureMatch[],
): AsyncGenerator<readonly string[]> {
  for (const match of matches) {
    const resource = resources.find(({ name }) => name === match.resource);
    if (resource === undefined) continue;
    const caller = await known();
    const named = JSON.stringify({ object: 'erasure_copy', ...match }).slice(0, -1);
    const params = { query: '', unknown: 'refuse' } as const;
    const found = await orMissing(query.find(caller, resource, match.record, params, timing));
    yield [`${named},"data":${found?.body ?? null}}`];
    let isTold = false;
    for (let starting_after: string | undefined; ; ) {
      const wanted = { limit: ENTRIES, starting_after };
      const page = await orMissing(query.history.page(caller, resource, match.record, wanted));
      if (page === undefined) break;
      // A caller who may not see the record sees neither its history nor anything about it.
      if (!isTold) {
        const all = await about(match.record);
        yield all.map((one) => `${named},"about":${JSON.stringify(one)}}`);
        isTold = true;
      }
      yield page.entries.map((entry) => `${named},"change":${entry}}`);
      if (!page.more || page.entries.length === 0) break;
      starting_after = JSON.parse(page.entries.at(-1) as string).unique_identifier;
    }
  }
}

/** Returns `undefined` if the record no longer exists. */
async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && [404, 410].includes(error.status)) return undefined;
    throw error;
  }
}
