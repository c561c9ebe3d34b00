/** The record as a request left it once, from the log of changes: it answers whoever repeats the request. */
import { ApiError } from '../../../core/errors.ts';
import { createPageReads } from '../../../core/fair/page-reads.ts';
import { parseStored, stringify } from '../../../core/schema/json/json.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { sealedProbe } from '../../../store/promises/erasing/sealed.ts';
import type { AnsweredRecord, Store, StoredWrite } from '../../../store/promises/store.ts';
import { asAnswered } from '../../../store/records/records.ts';
import { type DocumentVersion, versions } from '../../../store/records/versions.ts';
import { walk } from '../../../store/records/walk.ts';

export type Replay = ReturnType<typeof createReplay>;

/**
 * Finds what a receipt proves, for the owner of a key: `undefined` where the record was removed since. Where the log
 * does not have the content of that version any more, or never had, it is the record as it is now. Throws
 * `record_erased`.
 */
export function createReplay({ log, erasing }: Pick<Store, 'log' | 'erasing'>) {
  const reads = createPageReads();

  return async (
    key: string,
    { record, version }: Pick<StoredWrite, 'record' | 'version'>,
  ): Promise<AnsweredRecord | undefined> => {
    if (record === undefined || record.version === version) return record && asAnswered(record);
    const { account, unique_identifier, position, external_identifier } = record;
    const mayBeErased = sealedProbe(external_identifier ?? '') !== undefined;
    if (mayBeErased && (await erasing.find([unique_identifier], [account])).length > 0)
      throw new ApiError('record_erased');
    let now: DocumentVersion = parseStored(record.document) as JsonObject;
    const from = { account, record: unique_identifier, position };
    for await (const change of walk(log, from, (read) => reads.run(key, read))) {
      for (const { before, after } of versions([change], now)) {
        if (change.version === version && typeof after !== 'string') {
          const updated_at = Math.max(change.occurred_at, record.inserted_at);
          return { ...asAnswered(record), document: stringify(after), version, updated_at };
        }
        now = before;
      }
      if (change.version <= version) break;
    }
    return asAnswered(record);
  };
}
