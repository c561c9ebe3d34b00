/** Finds what prevents undo from removing a record: records that belong to it and stay. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Resource } from '../../core/schema/define.ts';
import { inWords } from '../../core/schema/present/words.ts';
import { pagesOf } from '../../store/pages.ts';
import type { Scope, Store, StoredRecord } from '../../store/promises/store.ts';

const PAGE = 200;
const BYTES = 2_097_152;
/** Records after which a process that serves the store gets to do something else. */
const PACED = 32;
const PAUSE_MS = 5;
const IMPORT = 'imp_';

export interface UndoContext {
  readonly store: Store;
  readonly resources: readonly Resource[];
  /** Whether the undo removes a record, too, before its parent. */
  readonly goes: (record: StoredRecord) => Promise<boolean>;
}

/** Why a record must stay, in a sentence that says what to do first; `undefined` if it can be removed. */
export async function blockerOf(
  { store, resources, goes }: UndoContext,
  resource: Resource,
  record: string,
  scope: Scope,
): Promise<string | undefined> {
  let seen = 0;
  for (const child of resources.filter(({ parent }) => parent === resource)) {
    const where = [{ by: 'parent', is: '=', value: record }] as const;
    const query = { scope, order: 'newest', where, limit: PAGE, bytes: BYTES } as const;
    for await (const { records } of pagesOf(store, { ...query, shape: child.shape })) {
      for (const own of records) {
        if (!(await goes(own))) return sentence(child, own, await lastBy(store, own));
        seen += 1;
        if (seen % PACED === 0) await pause(PAUSE_MS);
      }
    }
  }
  return undefined;
}

async function lastBy(
  store: Store,
  { account, unique_identifier: record, position }: StoredRecord,
): Promise<string | undefined> {
  const [last] = await store.log.of({ account, record, position, limit: 1, bytes: 1 });
  return last?.by ?? undefined;
}

function sentence({ name }: Resource, { unique_identifier }: StoredRecord, by: string | undefined) {
  const what = `The ${inWords(name)} ${unique_identifier} belongs to it`;
  return by?.startsWith(IMPORT)
    ? `${what}, which the import ${by} created or changed: undo that one first.`
    : `${what}, which this import did not create or someone has changed since: remove that first.`;
}
