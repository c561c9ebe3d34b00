/** Reads the stored documents of records, including removed ones. */
import type { Resource } from '../../core/schema/define.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { type Store, wholeAccount } from '../../store/promises/store.ts';

const AT_ONCE = 50;

export interface FoundDocument {
  readonly resource: Resource;
  readonly record: string;
  readonly external_identifier: string;
  readonly document: JsonObject;
  /** The unique identifier of the parent record. */
  readonly parent: string | undefined;
  /** The position of its last change. */
  readonly position: number;
  readonly removed: boolean;
}

/** Reads the documents of these records; leaves out records without one. */
export async function* documentsOf(
  store: Pick<Store, 'findAll' | 'log'>,
  resources: readonly Resource[],
  account: string,
  wanted: readonly { readonly resource: string; readonly record: string }[],
): AsyncGenerator<FoundDocument> {
  for (const resource of resources) {
    const { shape } = resource;
    const own = wanted.filter((one) => one.resource === shape.resource).map(({ record }) => record);
    for (let at = 0; at < own.length; at += AT_ONCE) {
      const some = own.slice(at, at + AT_ONCE);
      const found = await store.findAll(shape, some, wholeAccount(account));
      for (const { unique_identifier: record, external_identifier, document, ...one } of found)
        yield {
          resource,
          record,
          external_identifier: external_identifier ?? '',
          parent: one.parent ?? undefined,
          document: parseStored(document) as JsonObject,
          removed: false,
          position: one.position,
        };
      const there = new Set(found.map(({ unique_identifier }) => unique_identifier));
      for (const record of some.filter((one) => !there.has(one))) {
        const gone = await store.log.gone(shape.resource, record, [account]);
        if (gone === undefined) continue;
        const { position, external_identifier, parent } = gone;
        const [last] = await store.log.of({ account, record, position, limit: 1, bytes: 1 });
        const document = parseStored(last?.content ?? '{}') as JsonObject;
        const found = { resource, record, external_identifier, document, parent, position };
        yield { ...found, removed: true };
      }
    }
  }
}
