/** Follows the log of the accounts that use follow-ups, and opens what their records ask for. */
import type { JsonObject } from '../../../core/schema/values.ts';
import { zonesOver } from '../../../records/query/zones.ts';
import type { Follower } from '../../../services/followers.ts';
import type { ServeParts } from '../../../services/served.ts';
import { numbersOf } from '../../../services/syncs/walk.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import type { FollowedChange } from '../../../store/steps.ts';
import { announcerOf, registerOf } from '../../store.ts';
import { type FollowUp, notifications } from '../declares.ts';
import { opened } from './acts.ts';
import { dueAt } from './due.ts';
import { contentOf, maySignal, SIGNALS } from './signals.ts';

const REMOVED_AT_ONCE = 1_000;
/** The age of changes that open nothing. */
const OLD_MS = 14 * 86_400_000;
const IMPORT = 'imp_';
const STAFF = 'stf_';

export function createFollower({ store, resources, now: clock }: ServeParts): Follower {
  const announced = announcerOf(store).bind(undefined, notifications);
  const { followUp: book, log } = store;
  const register = registerOf(store);
  const byName = new Map(resources.map((one) => [one.name, one]));
  const zones = zonesOver(store);

  /** Whether it was sent in the first sync of its source there: that has been so for long. */
  const isFirstNight = async ({ account, anchor, resource, by, occurred_at }: LoggedChange) => {
    const source = (await store.sources.of(account, [by])).get(by ?? '')?.number;
    if (source === undefined || anchor === null) return false;
    const sources = await numbersOf(store.sources, { account, source });
    const sent = { account, resource, location: anchor, sources, at: occurred_at };
    return store.syncs.isFirst(sent);
  };

  /** Makes what a change opens, or says why it opens nothing although it asks for something. */
  const openedBy = async ({
    change,
    before,
    after,
  }: FollowedChange): Promise<
    FollowUp | 'import' | 'staff' | 'sync' | 'old' | 'unclear' | undefined
  > => {
    const { account, anchor, record, resource: name, by, occurred_at, position } = change;
    const [signal, resource] = [SIGNALS[name], byName.get(name)];
    if (!signal || !resource || anchor === null) return undefined;
    const asks = (document: JsonObject) => signal.asks(contentOf(document));
    const what = typeof after === 'object' && asks(after);
    if (typeof after !== 'object' || what === false) return undefined;
    if (typeof before === 'object' && [what, true].includes(asks(before))) return undefined;
    if (by?.startsWith(IMPORT)) return 'import';
    // Staff who add a record are speaking with the person. A card that they read for the first time was there already.
    if (change.outcome === 'created' && by?.startsWith(STAFF)) return 'staff';
    if (occurred_at < clock() - OLD_MS) return 'old';
    if (await isFirstNight(change)) return 'sync';
    const as = { account, unique_identifier: record, document: JSON.stringify(after) };
    if ((await register.said(resource.shape, [as])).size > 0) return undefined;
    if (what === 'unclear') return what;
    const zone = (await zones([{ account, anchor }]))({ account, anchor });
    const { reason } = signal;
    return opened(clock(), {
      ...{ unique_identifier: book.newIdentifier(), account, location: anchor, resource: name },
      ...{ record, reason, position, due_at: dueAt(reason, occurred_at, zone) },
    });
  };

  /** Adds people to the register who refuse calls on their own card. It does not matter who sent the card, or when. */
  const hearRefusal = async ({ change, before, after }: FollowedChange): Promise<void> => {
    const { account, record: unique_identifier, resource: name, by, version } = change;
    const [{ refuses }, resource] = [SIGNALS[name] ?? {}, byName.get(name)];
    if (!refuses || !resource || typeof after !== 'object') return;
    const what = refuses(contentOf(after));
    if (what === undefined) return;
    const was = typeof before === 'object' && refuses(contentOf(before)) === what ? before : null;
    const record = { account, unique_identifier, version, document: JSON.stringify(after) };
    const channels = what === 'calls' ? (['calls'] as const) : null;
    const known = was && JSON.stringify(was);
    await register.hear(resource.shape, record, { by: by ?? 'operator', channels, known });
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

  const look: Follower['look'] = async (account, changes) => {
    let known = await book.ofRecords(account, [...new Set(changes.map(({ record }) => record))]);
    const asking = new Set(changes.filter((change) => isAsking(change, known)));
    return {
      asks: (change) => asking.has(change),
      async take(followed, leaveOut) {
        const { change } = followed;
        const { record, outcome, occurred_at } = change;
        const isSame = (one: FollowUp) => one.record === record;
        if (outcome === 'deleted')
          return [book.leaving(account, await removedWith(change), occurred_at)];
        if (outcome === 'restored') return [book.comingBack(account, [record])];
        if (outcome === 'erased') {
          known = known.filter((one) => !isSame(one));
          return book.forgetting(account, [record]);
        }
        if (!asking.has(change)) return [];
        await hearRefusal(followed);
        if (known.some((one) => isSame(one) && wasOpen(one, change))) return [];
        const made = await openedBy(followed);
        if (typeof made === 'string') leaveOut(made);
        if (typeof made !== 'object') return [];
        known = [...known, made];
        return [book.opening(made), ...(await announced(made, 'opened'))];
      },
    };
  };
  return { name: 'follow-ups', book, from: 'first', look };
}

/** Whether a change may open something: none that has opened one, when the log is read again. */
function isAsking(change: LoggedChange, known: readonly FollowUp[]) {
  const { record, position } = change;
  if (!maySignal(change)) return false;
  return !known.some((one) => one.record === record && one.position === position);
}

/** Whether it was open when the record was changed, whatever became of it since. */
function wasOpen({ position, inserted_at, closed_at }: FollowUp, change: LoggedChange): boolean {
  const isEarlier =
    position === null ? inserted_at <= change.occurred_at : position < change.position;
  return isEarlier && (closed_at === null || closed_at > change.occurred_at);
}
