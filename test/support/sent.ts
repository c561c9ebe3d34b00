/** Bodies of upserts, as systems send them, where a test cares for few of their fields. */
import type { Body, Service } from './service.ts';

/** A visitor of the service with that identifier. */
export const visitorBody = (
  event_unique_identifier: string | undefined,
  external_identifier: string,
  more: object = {},
): Body => ({
  event_unique_identifier,
  external_identifier,
  visitor_full_name: 'Nora Lane',
  visitor_phone_number: '+14155550100',
  ...more,
});

/** A service at the location with that identifier. */
export const eventBody = (
  location_unique_identifier: string | undefined,
  external_identifier: string,
  more: object = {},
): Body => ({
  location_unique_identifier,
  external_identifier,
  event_name: 'A service',
  event_datetime: '2027-03-20T14:30:00Z',
  ...more,
});

/** A location of the account with that identifier. */
export const locationBody = (
  account_unique_identifier: string | undefined,
  external_identifier: string,
  more: object = {},
): Body => ({ account_unique_identifier, external_identifier, location_name: 'A chapel', ...more });

/** Sends so many services at that location, each with as much as it may hold: `large-0` and so on. */
export async function sendLargeEvents(
  service: Service,
  location: string | undefined,
  count: number,
): Promise<void> {
  for (let from = 0; from < count; from += 100) {
    const rows = Array.from({ length: 100 }, (_, at) => {
      const note = `${from + at} `.repeat(2_000);
      return eventBody(location, `large-${from + at}`, { additional_event_metadata: { note } });
    });
    await service.json('/v1/events/upsert_many', rows);
  }
}
