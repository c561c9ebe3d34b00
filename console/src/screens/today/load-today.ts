/** Loads the first screen: all of its lists at once, each short. */
import type { Shown } from '../../records/records.ts';
import { api, type PageOf, recordsOf } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { listsOf, type ShortList } from './lists.ts';

/** How many there are, as far as they are counted, and how that is shown: `50+`. */
interface Counted {
  readonly count: number;
  readonly shown: string;
}

export interface Today {
  readonly services: PageOf<Shown>;
  readonly replies: PageOf<Shown>;
  readonly arrangements: PageOf<Shown>;
  readonly interested: PageOf<Shown>;
  /** How many systems are silent, each at one location. */
  readonly silent: Counted;
  /** How many proposals wait for a decision. */
  readonly proposals: Counted;
}

export async function loadToday(location: string | undefined, signal: AbortSignal): Promise<Today> {
  const load = ([path, params]: ShortList): Promise<PageOf<Shown>> =>
    recordsOf(path).list(params, { signal }).page();
  const [services, replies, arrangements, interested] = listsOf(location);
  const some = { location, limit: MAX_COUNTED };
  const [proposed, silent, ...pages] = await Promise.all([
    api.proposals.list(some, { signal }).page(),
    session.value?.allow.includes('requests')
      ? api.expectations.list({ ...some, state: 'silent' }, { signal }).page()
      : undefined,
    load(services),
    load(replies),
    load(arrangements),
    load(interested),
  ]);
  return {
    services: pages[0],
    replies: pages[1],
    arrangements: pages[2],
    interested: pages[3],
    silent: countOf(silent),
    proposals: countOf(proposed),
  };
}

function countOf(page: PageOf<object> | undefined): Counted {
  const count = page?.data.length ?? 0;
  return { count, shown: page?.has_more ? `${count}+` : String(count) };
}

/** Proposals, and silent systems, that are counted. */
const MAX_COUNTED = 50;

/** Who belongs to a service. */
export interface People {
  readonly kin: readonly Shown[];
  /** How many have checked in, as far as they are distinguished. */
  readonly visitors: Counted;
}

const MAX_VISITORS = 100;
const MAX_KIN = 2;

export async function peopleOf(event: string, signal: AbortSignal): Promise<People> {
  const load = (path: string, limit: number): Promise<PageOf<Shown>> =>
    recordsOf(path).list({ event_unique_identifier: event, limit }, { signal }).page();
  const [kin, visitors] = await Promise.all([
    load('event_administrators', MAX_KIN),
    load('event_check_in_records', MAX_VISITORS),
  ]);
  return { kin: kin.data, visitors: countOf(visitors) };
}
