/** Reads the log of the accounts that use follow-ups, and opens what their records ask for; each change in one process. */
import { changeId, readChangeId } from '../../../core/schema/id.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { zonesOver } from '../../../records/query/zones.ts';
import type { ServeParts } from '../../../services/served.ts';
import type { BookWrite } from '../../../store/books/tables.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import { type StoredRecord, wholeAccount } from '../../../store/promises/store.ts';
import { parseDocument } from '../../../store/records/records.ts';
import { versions } from '../../../store/records/versions.ts';
import { announcerOf } from '../../store.ts';
import { type FollowUp, type FollowUpReader, notifications } from '../declares.ts';
import { opened } from './acts.ts';
import { dueAt } from './due.ts';
import { contentOf, SIGNALS } from './signals.ts';

/** One read of an account's log. Reads are a second apart: others that write wait for none of it. */
const READ = { limit: 1_000, bytes: 1_048_576 };
const REMOVED_AT_ONCE = 1_000;
/** The age of changes that open nothing. */
const OLD_MS = 14 * 86_400_000;
const IMPORT = 'imp_';

/** Reads a piece of each log that has grown; returns whether there may be more. */
export function createFollower({ store, resources, now: clock }: ServeParts) {
  const announced = announcerOf(store).bind(undefined, notifications);
  const { followUp: book, log } = store;
  const byName = new Map(resources.map((one) => [one.name, one]));
  const zones = zonesOver(store);

  /** The content before and after a change, as far as the log still has it. */
  const stepOf = async (change: LoggedChange, now: StoredRecord | undefined) => {
    const { account, record, resource, position, place, outcome } = change;
    if (outcome === 'created' && now?.version === 1)
      return { before: 'gone' as const, after: parseDocument(now.document) };
    const gone = now ? undefined : await log.gone(resource, record, [account]);
    const last = now?.position ?? gone?.position;
    if (last === undefined) return undefined;
    const changes = await log.of({ account, record, position: last, ...READ });
    const steps = versions(changes, now ? parseDocument(now.document) : 'gone');
    return steps.find((one) => one.change.position === position && one.change.place === place);
  };

  /** Whether it was sent in the first sync of its source there: that has been so for long. */
  const isFirstNight = async ({ account, anchor, resource, by, occurred_at }: LoggedChange) => {
    const source = (await store.sources.of(account, [by])).get(by ?? '')?.number;
    const wanted = { accounts: [account], locations: undefined, resources: [resource] };
    const syncs = await store.syncs.list({ ...wanted, before: undefined, limit: 100 });
    const first = syncs.findLast(
      (one) => one.source === source && (one.location === null || one.location === anchor),
    );
    if (first === undefined) return false;
    const { inserted_at, finished_at } = first;
    return inserted_at <= occurred_at && occurred_at <= (finished_at ?? occurred_at);
  };

  /** Makes what a change opens, or says why it opens nothing although it asks for something. */
  const openedBy = async (
    change: LoggedChange,
    now: StoredRecord | undefined,
  ): Promise<FollowUp | 'import' | 'sync' | 'old' | undefined> => {
    const { account, anchor, record, resource: name, by, occurred_at, position } = change;
    const [signal, resource] = [SIGNALS[name], byName.get(name)];
    if (!signal || !resource || anchor === null) return undefined;
    const { before, after } = (await stepOf(change, now)) ?? {};
    const signals = (document: JsonObject) => signal.is(contentOf(document));
    if (typeof after !== 'object' || !signals(after)) return undefined;
    if (typeof before === 'object' && signals(before)) return undefined;
    if (by?.startsWith(IMPORT)) return 'import';
    if (occurred_at < clock() - OLD_MS) return 'old';
    if (await isFirstNight(change)) return 'sync';
    const as = { account, unique_identifier: record, document: JSON.stringify(after) };
    if ((await book.stopped(resource.shape, [as])).size > 0) return undefined;
    const zone = (await zones([{ account, anchor }]))({ account, anchor });
    const { reason } = signal;
    return opened(clock(), {
      ...{ unique_identifier: book.newIdentifier(), account, location: anchor, resource: name },
      ...{ record, reason, position, due_at: dueAt(reason, occurred_at, zone) },
    });
  };

  /** The records of changes that may open something, as they are now. */
  const recordsOf = async (account: string, changes: readonly LoggedChange[]) => {
    const found = new Map<string, StoredRecord>();
    for (const [name, some] of Map.groupBy(changes, ({ resource }) => resource)) {
      const shape = SIGNALS[name] && byName.get(name)?.shape;
      const ids = [...new Set(some.map(({ record }) => record))];
      const all = shape ? await store.findAll(shape, ids, wholeAccount(account)) : [];
      for (const one of all) found.set(one.unique_identifier, one);
    }
    return found;
  };

  /** The record and all that went with it. */
  const removedWith = async ({ account, resource, record, position }: LoggedChange) => {
    const records = [record];
    for (const name of SIGNALS[resource] ? [] : Object.keys(SIGNALS)) {
      for (let after: string | undefined, isMore = true; isMore; ) {
        const query = { account, removal: position, resource: name, limit: REMOVED_AT_ONCE, after };
        const found = await log.removed(query);
        records.push(...found.map((one) => one.record));
        after = found.at(-1)?.record;
        isMore = found.length === REMOVED_AT_ONCE;
      }
    }
    return records;
  };

  const followed = async (reader: FollowUpReader): Promise<boolean> => {
    const { account } = reader;
    let read = await log.read({ account, after: readChangeId(account, reader.change), ...READ });
    // A log that begins later, or was put back, is read from its beginning.
    if (typeof read === 'string') read = await log.read({ account, ...READ });
    const last = typeof read === 'string' ? undefined : read.changes.at(-1);
    if (typeof read === 'string' || last === undefined) return false;
    const { changes, more } = read;
    let known = await book.ofRecords(account, [...new Set(changes.map(({ record }) => record))]);
    const asking = changes.filter((change) => isAsking(change, known));
    const records = await recordsOf(account, asking);
    const writes: BookWrite[] = [];
    const left_out: Record<string, number> = { ...reader.left_out };
    for (const change of changes) {
      const { damaged, record, outcome, occurred_at } = change;
      // Nothing that it says is sure.
      if (damaged) continue;
      const isSame = (one: FollowUp) => one.record === record;
      if (outcome === 'deleted')
        writes.push(book.leaving(account, await removedWith(change), occurred_at));
      if (outcome === 'restored') writes.push(book.comingBack(account, [record]));
      if (outcome === 'erased') {
        writes.push(...book.forgetting(account, [record]));
        known = known.filter((one) => !isSame(one));
      }
      if (!asking.includes(change) || known.some((one) => isSame(one) && wasOpen(one, change)))
        continue;
      const made = await openedBy(change, records.get(record));
      if (typeof made === 'string') left_out[made] = (left_out[made] ?? 0) + 1;
      if (typeof made !== 'object') continue;
      known = [...known, made];
      writes.push(book.opening(made), ...(await announced(made, 'opened')));
    }
    await book.read(reader, { account, change: changeId(account, last), left_out }, writes);
    return more;
  };

  return async (): Promise<boolean> => {
    const readers = await book.readers();
    if (readers.length === 0) return false;
    const positions = await log.positions(readers.map(({ account }) => account));
    let isMore = false;
    for (const reader of readers) {
      const { account, change } = reader;
      const reached = readChangeId(account, change)?.position ?? 0;
      if ((positions.get(account) ?? 0) > reached) isMore = (await followed(reader)) || isMore;
    }
    return isMore;
  };
}

/** Whether a change may open something: none that has opened one, when the log is read again. */
function isAsking({ outcome, record, position }: LoggedChange, known: readonly FollowUp[]) {
  if (outcome !== 'created' && outcome !== 'updated') return false;
  return !known.some((one) => one.record === record && one.position === position);
}

/** Whether it was open when the record was changed, whatever became of it since. */
function wasOpen({ position, inserted_at, closed_at }: FollowUp, change: LoggedChange): boolean {
  const isEarlier =
    position === null ? inserted_at <= change.occurred_at : position < change.position;
  return isEarlier && (closed_at === null || closed_at > change.occurred_at);
}
