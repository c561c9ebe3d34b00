/** The history of one record, even of a removed one, as far as the log of changes goes back. */
import { ApiError } from '../../core/errors.ts';
import { createPageReads } from '../../core/fair/page-reads.ts';
import type { Resource } from '../../core/schema/define.ts';
import { changeId, readChangeId } from '../../core/schema/id.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import type { parseHistory } from '../../core/schema/parse/parse-queries.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { sealedProbe } from '../../store/promises/erasing/sealed.ts';
import type { LoggedChange, Tombstone } from '../../store/promises/log.ts';
import { cursorUnknown, missingOrErased, recordMissing } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';
import {
  type DocumentVersion,
  type RecordAt,
  type VersionStep,
  versions,
} from '../../store/records/versions.ts';
import { walk } from '../../store/records/walk.ts';
import type { Principal } from '../auth/principal.ts';
import { damagedError } from './feed.ts';
import { presentHistoryEntry, whoOf } from './view.ts';

/** Characters of values after which a page ends. */
const MAX_LENGTH = 2_097_152;

export type History = ReturnType<typeof createHistory>;

export function createHistory(store: Store, reads = createPageReads()) {
  /** The record, existing or removed, and a walk through its changes, the newest first. */
  const find = async (principal: Principal, { shape }: Resource, unique_identifier: string) => {
    const { scope, key } = principal;
    // No store can save a NUL, and not every one can search for it.
    if (unique_identifier.includes('\0')) throw recordMissing(shape);
    const record = await store.find(shape, unique_identifier, scope);
    const accounts = [...scope.accounts];
    const gone = record
      ? undefined
      : await store.log.gone(shape.resource, unique_identifier, accounts);
    const found = record ?? gone;
    if (found === undefined) throw await missingOrErased(store, shape, unique_identifier, scope);
    const { account, position } = found;
    const isSealed = sealedProbe(found.external_identifier ?? '') !== undefined;
    if (isSealed && (await store.erasing.find([unique_identifier], [account])).length > 0)
      throw new ApiError('record_erased');

    const steps = async function* (): AsyncGenerator<VersionStep> {
      let after: DocumentVersion =
        record === undefined ? 'gone' : (parseStored(record.document) as JsonObject);
      let first = true;
      const from = { account, record: unique_identifier, position };
      for await (const change of walk(store.log, from, (read) => reads.run(key, read))) {
        const { anchor } = change;
        if (first && anchor !== null && scope.anchors?.has(anchor) === false)
          throw recordMissing(shape);
        first = false;
        for (const step of versions([change], after)) {
          after = step.before;
          yield step;
        }
      }
    };
    return { record, gone, account, steps };
  };

  return {
    /** Throws `resource_missing`, and `position_unknown` for an identifier that is not in the history. */
    async page(
      principal: Principal,
      resource: Resource,
      unique_identifier: string,
      { limit, starting_after }: ReturnType<typeof parseHistory>,
    ) {
      const { account, record, gone, steps } = await find(principal, resource, unique_identifier);
      const keepers = await store.keepers(account);
      let anchor = record?.anchor ?? null;
      const paged = (more: boolean) => {
        const { parent } = record ?? gone ?? {};
        /** The hold that keeps it. */
        const held_by = keepers.over({ account, unique_identifier, anchor, parent });
        return { account, entries, more, held_by };
      };
      const from = starting_after === undefined ? undefined : readChangeId(account, starting_after);
      if (starting_after !== undefined && from === undefined) throw unknown();
      const entries: string[] = [];
      let passed = from === undefined;
      let length = 0;
      for await (const step of steps()) {
        const { change } = step;
        anchor ??= change.anchor;
        if (!passed) {
          passed = change.position === from?.position && change.place === from.place;
          continue;
        }
        if (change.damaged && entries.length === 0) throw damagedError(change);
        if (change.damaged || entries.length === limit || length > MAX_LENGTH) return paged(true);
        const who = await whoOf(store, principal, account, [change]);
        const entry = presentHistoryEntry(changeId(account, change), step, who);
        length += entry.length;
        entries.push(entry);
      }
      if (!passed) throw unknown();
      return paged(false);
    },

    /** Throws `resource_missing`, and `version_missing`. */
    async at(
      principal: Principal,
      resource: Resource,
      unique_identifier: string,
      version: number,
    ): Promise<RecordAt> {
      const { account, record, gone, steps } = await find(principal, resource, unique_identifier);
      let newest: number | undefined;
      let damaged: LoggedChange | undefined;
      for await (const { change, after } of steps()) {
        newest ??= change.version;
        if (change.damaged) damaged = change;
        if (change.version < version) break;
        if (change.version > version || typeof after === 'string') continue;
        const { anchor, occurred_at: updated_at } = change;
        const now = record ?? { ...(gone as Tombstone), version: newest };
        return { document: after, updated_at, anchor, now };
      }
      if (damaged !== undefined)
        throw new ApiError('change_damaged', {
          param: 'version',
          message: `The record's content at that version is unknown: the change ${changeId(account, damaged)} is damaged in the store. Its history lists the versions that are kept.`,
        });
      throw new ApiError('version_missing', {
        param: 'version',
        message: `Version ${version} of this record does not exist or is no longer kept. Its history lists the versions that are kept.`,
      });
    },
  };
}

const unknown = () =>
  cursorUnknown('unique_identifier of a change of this record', 'position_unknown');
