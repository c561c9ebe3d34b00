/** Records of a small funeral group, for looking at the console: two locations, services of these days, and who came. */
import { CONSOLE_ZONE } from './console-page.ts';
import type { Service } from './service.ts';

export interface Made {
  readonly locations: readonly string[];
  /** A service of today. */
  readonly event: string;
  /** A visitor to it. */
  readonly visitor: string;
  readonly reply: string;
}

const VISITORS = ['Ana Ruiz', 'Ben Cole', 'Cora Lind', 'Dev Patel', 'Ella Frost'] as const;

export async function makeRecords(service: Service): Promise<Made> {
  const put = async (path: string, body: object): Promise<string> => {
    const { status, body: made } = await service.json(`/v1/${path}/upsert`, body);
    if (status !== 200) throw new Error(JSON.stringify(made));
    return made.unique_identifier;
  };
  const settings = `/v1/accounts/${service.account.unique_identifier}/settings`;
  const { status } = await service.patch(settings, { time_zone: CONSOLE_ZONE });
  if (status !== 200) throw new Error(`The time zone was not set: ${status}.`);
  const main = await service.location('main');
  const river = await put('locations', {
    account_unique_identifier: service.account.unique_identifier,
    external_identifier: 'river',
    location_name: 'Riverside Chapel',
  });
  // The day of whoever looks: elsewhere it may be another one.
  const atNoon = Temporal.Now.zonedDateTimeISO(CONSOLE_ZONE).startOfDay().add({ hours: 12 });
  const event = await put('events', {
    location_unique_identifier: main,
    external_identifier: 'case-1',
    event_name: 'Celebration of life',
    event_datetime: atNoon.toInstant().toString(),
    person: { full_name: 'Jane Doe', date_of_birth: '1948-02-29' },
    additional_event_metadata: { flowers: ['lilies'], seating: { rows: 12 } },
  });
  await put('events', {
    location_unique_identifier: river,
    external_identifier: 'case-2',
    event_name: 'Graveside service',
    event_datetime: atNoon.add({ days: 1 }).toInstant().toString(),
    person: { full_name: 'Walter Moreno' },
  });
  await put('event_administrators', {
    event_unique_identifier: event,
    external_identifier: 'kin',
    person_full_name: 'Ruth Doe',
    person_phone_number: '+14155550100',
  });
  let visitor = '';
  for (const [index, name] of VISITORS.entries()) {
    visitor = await put('event_check_in_records', {
      event_unique_identifier: event,
      external_identifier: `visitor-${index}`,
      visitor_full_name: name,
      visitor_phone_number: `+1415555012${index}`,
      visitor_interested_in_pre_planning: index === 1,
    });
  }
  await put('online_arrangements', {
    location_unique_identifier: main,
    external_identifier: 'cart',
    person_full_name: 'Vera Petrov',
    person_phone_number: '+14155550144',
    cart_summary: 'Cremation with a memorial service',
    additional_cart_metadata: {
      cart_value_in_cents: 189500,
      cart_currency: 'USD',
      is_abandoned_cart: true,
    },
  });
  const reply = await put('direct_mail_replies', {
    location_unique_identifier: main,
    external_identifier: 'reply',
    image_urls: ['https://images.example.com/front.jpg', 'https://images.example.com/back.jpg'],
    respondent_person: { full_name: 'Samuel Kowalski', phone_number1: '(415) 555-0131' },
  });
  return { locations: [main, river], event, visitor, reply };
}
