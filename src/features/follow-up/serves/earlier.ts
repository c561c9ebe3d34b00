/** Does for the cards that are there what somebody has said that a tick on them means. */
import { eachUnwatched } from '../../../core/each-account.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { readChangeId } from '../../../core/schema/id.ts';
import type { ServeParts } from '../../../services/served.ts';
import { type StoredRecord, wholeAccount } from '../../../store/promises/store.ts';
import { parseDocument } from '../../../store/records/records.ts';
import { announcerOf, registerOf } from '../../store.ts';
import { notifications, type Tick } from '../declares.ts';
import { createOpening } from './opening.ts';
import { contentOf, maySignal, SIGNALS } from './signals.ts';
import { foldedName, type Means, meansBy } from './ticks.ts';

const AT_ONCE = 100;
const PAGE = 200;
const BYTES = 1_048_576;

export function createEarlier(parts: ServeParts) {
  const { store, resources, each = eachUnwatched } = parts;
  const { followUp: book, log } = store;
  const announced = announcerOf(store).bind(undefined, notifications);
  const register = registerOf(store);
  const openedBy = createOpening(parts);
  const walking = each('earlier cards of ticks');
  const { shape, name } = resources.find(({ name }) => SIGNALS[name]?.unclear) as Resource;
  const { asks, refuses } = SIGNALS[name] ?? {};

  /** Whether the log is read up to when it was said: what was sent until then was read without it. */
  const isRead = async ({ account, walks_from }: Tick): Promise<boolean> => {
    const place = await book.reader(account);
    const next = await log.next(account, place && readChangeId(account, place.change));
    return typeof next !== 'object' || next.position > (walks_from ?? 0);
  };

  /** The change by which a card has its ticks, as far as the log has it. */
  const tickedBy = async ({ account, unique_identifier: record, position }: StoredRecord) => {
    for await (const changes of log.back({ account, record, position })) {
      const found = changes.find(maySignal);
      if (found) return found;
    }
    return undefined;
  };

  /** Enters in the register who refuses something on a card since that is said; gives the cards that ask for a call since. */
  const heard = async (one: Tick, cards: readonly StoredRecord[]) => {
    const ticks = await book.ticksOf(one.account);
    const means = meansBy(new Map(ticks.map(({ folded, meaning }) => [folded, meaning])));
    const others: Means = (name) => (foldedName(name) === one.folded ? undefined : means(name));
    const asking: StoredRecord[] = [];
    for (const card of cards) {
      const content = contentOf(parseDocument(card.document));
      const what = refuses?.(content, means);
      if (what !== undefined && what !== refuses?.(content, others)) {
        const channels = what === 'calls' ? (['calls'] as const) : null;
        await register.hear(shape, card, { by: one.said_by ?? 'operator', channels, known: null });
      }
      if (asks?.(content, means) === true && asks(content, others) !== true) asking.push(card);
    }
    return { means, asking };
  };

  /** Does a page of cards for one; returns whether there is more. */
  const goOn = async (one: Tick): Promise<boolean> => {
    const { account, walked } = one;
    const { records, more } = await store.list({
      ...{ shape, scope: wholeAccount(account), order: 'newest', limit: PAGE, bytes: BYTES },
      after: walked ? { unique_identifier: walked } : undefined,
    });
    const { means, asking } = await heard(one, records);
    const ids = asking.map(({ unique_identifier }) => unique_identifier);
    const there = new Set((await book.ofRecords(account, ids)).map(({ record }) => record));
    const made = [];
    for (const card of asking) {
      const change = there.has(card.unique_identifier) ? undefined : await tickedBy(card);
      const after = parseDocument(card.document);
      const opens = change && (await openedBy({ change, before: 'gone', after }, means));
      if (typeof opens === 'object') made.push(opens);
    }
    const notices = [];
    for (const one of made) notices.push(...(await announced(one, 'opened')));
    const guards = made.flatMap((one) => [book.standing(one), book.opening(one)]);
    const to = more ? (records.at(-1)?.unique_identifier ?? null) : null;
    // Else another process was first, or a card was erased, or somebody began one: it is looked at again.
    return !(await book.walking(one, to, { guards, more: notices })) || more;
  };

  /** One page of each account at a time, whatever others have; returns whether there may be more. */
  return async (): Promise<boolean> => {
    const later = new Set(walking.resting);
    for (let isMore = false; ; ) {
      const some = await book.walks(AT_ONCE, [...later]);
      const byAccount = Map.groupBy(some, ({ account }) => account);
      for (const account of byAccount.keys()) later.add(account);
      const goesOn = await walking.through(
        byAccount,
        ([account]) => account,
        async ([, [one, ...others]]) =>
          one && (await isRead(one)) && ((await goOn(one)) || others.length > 0),
      );
      isMore ||= goesOn;
      if (some.length < AT_ONCE) return isMore;
    }
  };
}
