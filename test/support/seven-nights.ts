/** Two vendors and a tablet at one location: seven nights, in which both vendors sync, and the days between, in which staff correct. */
import assert from 'node:assert/strict';
import { Ledgerstone, LedgerstoneError, type SyncResult } from '../../client/src/index.ts';
import { type ConsoleBrowser, signedIn } from './console.ts';
import type { Body, Service } from './service.ts';

const DAY = 86_400_000;
const NIGHTS = 7;

/** What a vendor has, as of tonight: the names of services by their identifiers. */
type Export = Map<string, string>;

/** Moves the clock of the service to the morning after the last night. */
export async function sevenNights({
  service,
  clock,
}: {
  service: Service;
  clock: { now: number };
}) {
  const location = await service.location('oak-street');
  const clientOf = async (name: string) => {
    const { secret } = await service.newKey({ name });
    return new Ledgerstone({ key: secret, url: service.url });
  };
  const [passare, parting, tablets] = [
    await clientOf('Passare'),
    await clientOf('Parting Pro'),
    await clientOf('Tablets, Oak Street'),
  ];
  const end = clock.now + NIGHTS * DAY;
  const send = (api: Ledgerstone, has: Export) => {
    async function* rows() {
      for (const [external_identifier, event_name] of has) {
        yield {
          ...{ location_unique_identifier: location, external_identifier, event_name },
          event_datetime: new Date(end + 3 * DAY).toISOString(),
        };
      }
    }
    return api.sync({ resource: 'event', location }, rows());
  };
  const visit = (case_: string, visitor: string, name: string) =>
    tablets.event_check_in_records.upsert({
      ...{ location_external_identifier: 'oak-street', event_external_identifier: case_ },
      account_unique_identifier: service.account.unique_identifier,
      ...{ external_identifier: visitor, visitor_full_name: name },
      visitor_phone_number: '+14155550123',
    });
  const correct = async (staff: ConsoleBrowser, path: string, id: string, more: object) => {
    const { status, text } = await staff.send('PATCH', `/v1/${path}/${id}`, more);
    assert.equal(status, 200, text);
  };
  const eventCalled = async (external_identifier: string): Promise<string> => {
    const filter = { location_unique_identifier: location, external_identifier };
    const { data } = await passare.events.list(filter).page();
    return data[0]?.unique_identifier ?? '';
  };

  const p: Export = new Map(FAMILIES.map((name, at) => [`case-${1001 + at}`, `${name} service`]));
  const q: Export = new Map([
    ['pp-1', 'Prayer group'],
    ['pp-2', 'Memorial day'],
  ]);
  const synced: SyncResult<object>[] = [];
  const proposed: number[] = [];
  let [event, visitor] = ['', ''];
  for (let night = 1; night <= NIGHTS; night += 1) {
    clock.now += DAY;
    // Each night one is new, and Passare has removed another one.
    p.set(`case-${1100 + night}`, `${FAMILIES[night]} graveside`);
    p.delete(`case-${1000 + night}`);
    if (night === 5) p.set('case-1015', 'Lane service, chapel B');
    if (night === 4) {
      // Its export broke off.
      const error = await send(passare, new Map([...p].slice(0, 2))).catch((reason) => reason);
      assert.ok(error instanceof LedgerstoneError && error.code === 'sync_removes_too_much', error);
    } else synced.push(await send(passare, p));
    await send(parting, q);
    const open = await service.get('/v1/proposals');
    proposed.push(open.body.data.length);

    // By day: a visitor checks in, and staff correct.
    if (night === 1) {
      const staff = await signedIn(service, 'front.desk@example.com', {}, clock.now);
      event = await eventCalled('case-1015');
      await correct(staff, 'events', event, { event_name: 'Lane service, main chapel' });
      await visit('case-1006', 'guest-1', 'Nora Lane');
      const made = await visit('case-1015', 'guest-2', 'Tim Brook');
      visitor = made.unique_identifier;
      await correct(staff, 'event_check_in_records', visitor, {
        visitor_phone_number: '+12175550153',
      });
    }
    if (night === 3) {
      // The session of the others has ended overnight.
      const other = await signedIn(service, 'director@example.com', {}, clock.now);
      await correct(other, 'events', await eventCalled('case-1007'), { event_name: 'Moved' });
    }
    await visit('case-1015', 'guest-2', 'Tim Brook');
    await visit('case-1015', `guest-${night + 10}`, `${FAMILIES[night + 8]} family`);
    q.set(`pp-${night + 2}`, 'Rosary');
  }
  return {
    location,
    // What each vendor had on the last night.
    ...{ passare: p, parting: q },
    // Of each night what became of what Passare sent, and the proposals of the morning.
    ...{ synced, proposed },
    corrected: { event, visitor },
  };
}

const FAMILIES = [
  ...['Abbott', 'Barnes', 'Cole', 'Dalton', 'Ellis', 'Foster', 'Grant', 'Hale'],
  ...['Irwin', 'Jensen', 'Keller', 'Lowe', 'Mercer', 'Nolan', 'Lane', 'Price'],
];

/** The services at the location, each with its name. */
export async function servicesAt(service: Service, location: string): Promise<Export> {
  const { body } = await service.get(
    `/v1/events?location_unique_identifier=${location}&limit=1000`,
  );
  return new Map(body.data.map((one: Body) => [one.external_identifier, one.event_name]));
}
