/** Follows the log of the accounts that use follow-ups, and opens what their records ask for. */
import type { Follower } from '../../../services/followers.ts';
import type { ServeParts } from '../../../services/served.ts';
import type { BookWrite } from '../../../store/books/tables.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import type { FollowedChange } from '../../../store/steps.ts';
import { announcerOf, registerOf } from '../../store.ts';
import { type FollowUp, notifications } from '../declares.ts';
import { createOpening } from './opening.ts';
import { contentOf, maySignal, SIGNALS } from './signals.ts';
import { type Means, meansBy, type Ticks } from './ticks.ts';

const REMOVED_AT_ONCE = 1_000;
/** The ticks of an account of which it is asked what they mean. */
const MAX_TICKS = 500;

export function createFollower(parts: ServeParts): Follower {
  const { store, resources } = parts;
  const announced = announcerOf(store).bind(undefined, notifications);
  const { followUp: book, log } = store;
  const register = registerOf(store);
  const byName = new Map(resources.map((one) => [one.name, one]));
  const openedBy = createOpening(parts);

  /** Adds people to the register who refuse calls on their own card. It does not matter who sent the card, or when. */
  const hearRefusal = async (
    { change, before, after }: FollowedChange,
    means: Means,
  ): Promise<void> => {
    const { account, record: unique_identifier, resource: name, by, version } = change;
    const [{ refuses }, resource] = [SIGNALS[name] ?? {}, byName.get(name)];
    if (!refuses || !resource || typeof after !== 'object') return;
    const what = refuses(contentOf(after), means);
    if (what === undefined) return;
    const was =
      typeof before === 'object' && refuses(contentOf(before), means) === what ? before : null;
    const record = { account, unique_identifier, version, document: JSON.stringify(after) };
    const channels = what === 'calls' ? (['calls'] as const) : null;
    const known = was && JSON.stringify(was);
    await register.hear(resource.shape, record, { by: by ?? 'operator', channels, known });
  };

  /** Notes the ticks with which a card came whose words do not tell what they mean. */
  const notesOf = (
    { change, before, after }: FollowedChange,
    known: Ticks,
    leaveOut: (why: string) => void,
  ): readonly BookWrite[] => {
    const { account, record, resource, occurred_at, position: counted } = change;
    const unclear = SIGNALS[resource]?.unclear;
    if (unclear === undefined || typeof after !== 'object') return [];
    const had = typeof before === 'object' ? unclear(contentOf(before)) : new Map();
    return [...unclear(contentOf(after))].flatMap(([folded, name]) => {
      if (had.has(folded)) return [];
      const isKnown = known.has(folded);
      if (!isKnown && known.size >= MAX_TICKS) leaveOut('unclear');
      if (!isKnown && known.size >= MAX_TICKS) return [];
      if (!isKnown) known.set(folded, null);
      return [book.noting({ account, name, folded, record, counted }, occurred_at)];
    });
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
    // Also of one that has opened something already, when somebody said what its tick means.
    const cards = new Set(
      changes.filter((change) => SIGNALS[change.resource]?.unclear && maySignal(change)),
    );
    // What is said from now on is done for cards that are there by then.
    const ticks: Ticks = new Map(
      (cards.size > 0 ? await book.ticksOf(account) : []).map(({ folded, meaning }) => [
        folded,
        meaning,
      ]),
    );
    const means = meansBy(ticks);
    return {
      asks: (change) => asking.has(change) || cards.has(change),
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
        const notes = cards.has(change) ? notesOf(followed, ticks, leaveOut) : [];
        if (!asking.has(change)) return notes;
        await hearRefusal(followed, means);
        if (known.some((one) => isSame(one) && wasOpen(one, change))) return notes;
        const made = await openedBy(followed, means);
        if (typeof made === 'string') leaveOut(made);
        if (typeof made !== 'object') return notes;
        known = [...known, made];
        return [...notes, book.opening(made), ...(await announced(made, 'opened'))];
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
