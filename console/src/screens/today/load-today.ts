/** Loads the first screen: its lists at once, each short, and by themselves the visits, which may take several pages. */
import type { Shown } from '../../records/records.ts';
import { api, counted, listed, type PageOf } from '../../service/api.ts';
import { listsOf, MAX_SHOWN, type ShortList, saidOf } from './lists.ts';
import { isOfTheseDays } from './visits.ts';

export type Today = Awaited<ReturnType<typeof loadToday>>;

export async function loadToday(location: string | undefined, signal: AbortSignal) {
  const load = ([path, params]: ShortList): Promise<PageOf<Shown>> => listed(path, params, signal);
  const lists = listsOf(location);
  const some = { location, limit: MAX_COUNTED };
  const [proposed, services, replies, arrangements] = await Promise.all([
    api.proposals.list(some, { signal }).page(),
    load(lists[0]),
    load(lists[1]),
    load(lists[2]),
  ]);
  return { services, replies, arrangements, proposals: counted(proposed) };
}

/** Proposals that are counted. */
const MAX_COUNTED = 50;

/** Pages of visits that are read to find those of these days behind old ones that were imported. */
const MAX_PAGES = 5;

/** The visits of these days whose guests asked about pre-planning. */
export async function loadInterested(
  location: string | undefined,
  signal: AbortSignal,
): Promise<PageOf<Shown>> {
  const [path, params] = listsOf(location)[3];
  const found: Shown[] = [];
  let last: string | undefined;
  for (let read = 0; ; ) {
    const page = await listed(path, { ...params, starting_after: last }, signal);
    found.push(...page.data.filter((one) => isOfTheseDays(one, location)));
    last = page.data.at(-1)?.unique_identifier;
    read += 1;
    if (!page.has_more || found.length >= MAX_SHOWN || read === MAX_PAGES)
      return { ...page, data: found.slice(0, MAX_SHOWN) };
  }
}

const MAX_VISITORS = 100;
const MAX_KIN = 2;

/** Who belongs to a service, and how many have checked in. */
export async function peopleOf(event: string, signal: AbortSignal) {
  const load = (path: string, limit: number, expand?: readonly string[]): Promise<PageOf<Shown>> =>
    listed(path, { event_unique_identifier: event, limit, expand }, signal);
  const [kin, visitors] = await Promise.all([
    load('event_administrators', MAX_KIN, saidOf('event_administrator')),
    load('event_check_in_records', MAX_VISITORS),
  ]);
  return { kin: kin.data, visitors: counted(visitors) };
}
