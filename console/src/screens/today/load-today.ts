/** What the first screen shows: all at once, each list short. */
import { type PageOf, recordsOf } from '../../api.ts';
import type { Shown } from '../../records.ts';
import { midnight, withOffset } from '../../values/format.ts';

export interface Today {
  readonly services: PageOf<Shown>;
  readonly replies: PageOf<Shown>;
  readonly arrangements: PageOf<Shown>;
  readonly interested: PageOf<Shown>;
}

/** Services of two days; a group that holds more looks at its list. */
const MAX_SERVICES = 30;
const MAX_SHOWN = 6;
/** What came in the last days is new. */
const NEW_DAYS = 7;

export async function loadToday(
  at: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Today> {
  const list = (path: string, params: object): Promise<PageOf<Shown>> =>
    recordsOf(path)
      .list({ limit: MAX_SHOWN, ...at, ...params }, { signal })
      .page();
  const lately = { 'inserted_at[gte]': withOffset(midnight(new Date(), -NEW_DAYS)) };
  const [services, replies, arrangements, interested] = await Promise.all([
    list('events', {
      limit: MAX_SERVICES,
      order: 'event_datetime',
      'event_datetime[gte]': withOffset(midnight()),
      'event_datetime[lt]': withOffset(midnight(new Date(), 2)),
    }),
    list('direct_mail_replies', lately),
    list('online_arrangements', lately),
    list('event_check_in_records', { ...lately, visitor_interested_in_pre_planning: true }),
  ]);
  return { services, replies, arrangements, interested };
}

/** Check-ins that are told apart. */
const MAX_VISITORS = 100;

export async function visitorsOf(event: string, signal: AbortSignal): Promise<string> {
  const { data, has_more } = await recordsOf('event_check_in_records')
    .list({ event_unique_identifier: event, limit: MAX_VISITORS }, { signal })
    .page();
  return has_more ? `${data.length}+` : String(data.length);
}
