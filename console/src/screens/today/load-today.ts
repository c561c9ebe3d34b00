/** Loads the first screen: all of its lists at once, each short. */
import type { Shown } from '../../records/records.ts';
import { api, listed, type PageOf } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { listsOf, type ShortList } from './lists.ts';

/** How many there are, as far as they are counted, and how that is shown: `50+`. */
interface Counted {
  readonly count: number;
  readonly shown: string;
}

export type Today = Awaited<ReturnType<typeof loadToday>>;

export async function loadToday(location: string | undefined, signal: AbortSignal) {
  const load = ([path, params]: ShortList): Promise<PageOf<Shown>> => listed(path, params, signal);
  const lists = listsOf(location);
  const some = { location, limit: MAX_COUNTED };
  const [proposed, silent, services, replies, arrangements, interested] = await Promise.all([
    api.proposals.list(some, { signal }).page(),
    session.value?.allow.includes('requests')
      ? api.expectations.list({ ...some, state: 'silent' }, { signal }).page()
      : undefined,
    load(lists[0]),
    load(lists[1]),
    load(lists[2]),
    load(lists[3]),
  ]);
  const counts = { silent: countOf(silent), proposals: countOf(proposed) };
  return { services, replies, arrangements, interested, ...counts };
}

function countOf(page: PageOf<object> | undefined): Counted {
  const count = page?.data.length ?? 0;
  return { count, shown: page?.has_more ? `${count}+` : String(count) };
}

/** Proposals, and silent systems, that are counted. */
const MAX_COUNTED = 50;

const MAX_VISITORS = 100;
const MAX_KIN = 2;

/** Who belongs to a service, and how many have checked in. */
export async function peopleOf(event: string, signal: AbortSignal) {
  const load = (path: string, limit: number): Promise<PageOf<Shown>> =>
    listed(path, { event_unique_identifier: event, limit }, signal);
  const [kin, visitors] = await Promise.all([
    load('event_administrators', MAX_KIN),
    load('event_check_in_records', MAX_VISITORS),
  ]);
  return { kin: kin.data, visitors: countOf(visitors) };
}
