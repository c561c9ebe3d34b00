/** What the first screen shows: all at once, each list short. */
import { type PageOf, recordsOf } from '../../api.ts';
import type { Shown } from '../../records.ts';
import { listsOf, type ShortList } from './lists.ts';

export interface Today {
  readonly services: PageOf<Shown>;
  readonly replies: PageOf<Shown>;
  readonly arrangements: PageOf<Shown>;
  readonly interested: PageOf<Shown>;
}

export async function loadToday(location: string | undefined, signal: AbortSignal): Promise<Today> {
  const load = ([path, params]: ShortList): Promise<PageOf<Shown>> =>
    recordsOf(path).list(params, { signal }).page();
  const [services, replies, arrangements, interested] = listsOf(location);
  const pages = await Promise.all([
    load(services),
    load(replies),
    load(arrangements),
    load(interested),
  ]);
  return { services: pages[0], replies: pages[1], arrangements: pages[2], interested: pages[3] };
}

/** Check-ins that are told apart. */
const MAX_VISITORS = 100;

export async function visitorsOf(event: string, signal: AbortSignal): Promise<string> {
  const { data, has_more } = await recordsOf('event_check_in_records')
    .list({ event_unique_identifier: event, limit: MAX_VISITORS }, { signal })
    .page();
  return has_more ? `${data.length}+` : String(data.length);
}
