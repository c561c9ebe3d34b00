/** Realistic records around a moment: three chapels, their services, and people who attend, write and ask. */
import { SAMPLE_BOXES, sampleReplies } from './replies.ts';

/** The rows of a resource, as an upsert takes them; parents are named by the identifiers here. */
export interface SampleRows {
  readonly path: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Where its chapels are. */
export const SAMPLE_HOME = { time_zone: 'America/Chicago', state: 'IL' };

const locations = [
  ['main-street', 'Main Street Chapel'],
  ['riverside', 'Riverside Funeral Home'],
  ['oak-hill', 'Oak Hill Chapel'],
] as const;

/** Days from today, the hour, where, who, born, years of life, what. */
const services = [
  [-6, 11, 'riverside', 'Walter Lindqvist', '1938-02-11', 'Funeral service'],
  [-3, 14, 'main-street', 'Dolores Castellano', '1944-09-30', 'Mass of Christian burial'],
  [-1, 10, 'main-street', 'Jonathan Doe', '1951-06-02', 'Celebration of life'],
  [0, 10, 'riverside', 'Agnes Thornbury', '1933-12-19', 'Memorial service'],
  [0, 15, 'main-street', 'Samuel Okafor', '1959-04-07', 'Visitation'],
  [1, 11, 'oak-hill', 'Patricia Hallberg', '1947-08-23', 'Funeral service'],
  [1, 18, 'main-street', 'Samuel Okafor', '1959-04-07', 'Celebration of life'],
  [3, 13, 'riverside', 'Kenji Morimoto', '1940-01-15', 'Graveside service'],
  [6, 10, 'oak-hill', 'Rose Abernathy', '1929-05-28', 'Memorial service'],
] as const;

const given =
  'Anna Beatrice Carl Denise Edward Florence George Helen Isaac Judith Kevin Laura Martin Nora Oscar Paula Raymond Susan Thomas Vera William Yolanda'.split(
    ' ',
  );
const family =
  'Abbott Baker Castillo Dawson Eriksen Fletcher Garrison Holloway Ingram Jensen Kowalski Larkin Mercer Nakamura O’Brien Pruitt Quigley Rosario Sandoval Tillman Underwood Vance Whitfield Zimmerman'.split(
    ' ',
  );
const relations = [
  'friend',
  'neighbor',
  'cousin',
  'colleague',
  'relative',
  'godchild',
  'grandchild',
  'former student',
];
/** Of no gender: names are picked apart from them. */
const kin = ['spouse', 'child', 'sibling', 'grandchild', 'stepchild'];

/** `images` is the address below which the pictures of the cards are. */
export function sampleRows(account: string, now: number, images: string): readonly SampleRows[] {
  const random = chance(1041);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const person = () => `${pick(given)} ${pick(family)}`;
  let phones = 0;
  const phone = () => `+1217555${String(100 + (phones++ % 100)).padStart(4, '0')}`;
  const today = Math.floor((now + shiftAt(now)) / DAY_MS) * DAY_MS;

  const events = services.map(([day, hour, location, name, born, what], index) => {
    const wall = today + day * DAY_MS + hour * HOUR_MS;
    const begins = wall - shiftAt(wall);
    return {
      id: `service-${2041 + index}`,
      begins,
      row: {
        account_unique_identifier: account,
        location_external_identifier: location,
        external_identifier: `service-${2041 + index}`,
        event_name: `${what} for ${name}`,
        event_datetime: new Date(begins).toISOString(),
        person: {
          full_name: name,
          date_of_birth: born,
          // A person whose service is planned has died by today.
          date_of_death: new Date(Math.min(begins - 5 * DAY_MS, today - DAY_MS))
            .toISOString()
            .slice(0, 10),
        },
        additional_event_metadata: {
          flowers: index % 3 === 0 ? 'in lieu: a gift to the library' : 'welcome',
        },
      },
      location,
      surname: name.split(' ').at(-1) ?? '',
    };
  });
  const below = ({ id, location }: (typeof events)[number]) => ({
    account_unique_identifier: account,
    location_external_identifier: location,
    event_external_identifier: id,
  });

  return [
    {
      path: 'locations',
      rows: locations.map(([external_identifier, location_name]) => ({
        account_unique_identifier: account,
        external_identifier,
        location_name,
      })),
    },
    { path: 'events', rows: events.map(({ row }) => row) },
    {
      path: 'event_administrators',
      rows: events.flatMap((event) =>
        Array.from({ length: 1 + Math.floor(random() * 2) }, (_, index) => {
          // No two of a family have one name.
          const names = given.filter((_name, at) => at % 2 === index);
          const name = `${pick(names)} ${event.surname}`;
          return {
            ...below(event),
            external_identifier: `${event.id}-kin-${index + 1}`,
            person_full_name: name,
            person_phone_number: phone(),
            person_relationship_to_deceased: pick(kin),
            person_interested_in_pre_planning: random() < 0.3,
            person_email_address: emailOf(name),
          };
        }),
      ),
    },
    {
      path: 'event_check_in_records',
      // Guests of a coming service have not checked in yet.
      rows: events
        .filter(({ begins }) => begins <= now + HOUR_MS)
        .flatMap((event) =>
          Array.from({ length: 5 + Math.floor(random() * 14) }, (_, index) => {
            const name = index === 0 ? `${pick(given)} ${event.surname}` : person();
            return {
              ...below(event),
              external_identifier: `${event.id}-guest-${index + 1}`,
              visitor_full_name: name,
              visitor_phone_number: phone(),
              visitor_relationship_to_deceased: pick(relations),
              visitor_interested_in_pre_planning: random() < 0.15,
              ...(random() < 0.5 ? { visitor_email_address: emailOf(name) } : {}),
            };
          }),
        ),
    },
    {
      path: 'online_arrangements',
      rows: Array.from({ length: 7 }, (_, index) => {
        const name = person();
        const [what, dollars] = pick([
          ['Direct cremation; walnut urn', 1895],
          ['Traditional service; oak casket; limousine', 8740],
          ['Memorial gathering; catering for 40', 3260],
          ['Graveside service; flowers', 4115],
        ] as const);
        return {
          account_unique_identifier: account,
          location_external_identifier: locations[index % locations.length]?.[0],
          external_identifier: `cart-${7301 + index}`,
          person_full_name: name,
          person_phone_number: phone(),
          cart_summary: what,
          additional_person_metadata: { email_address: emailOf(name) },
          additional_cart_metadata: {
            cart_value_in_cents: dollars * 100,
            cart_currency: 'USD',
            is_abandoned_cart: index % 3 === 2,
          },
        };
      }),
    },
    {
      path: 'direct_mail_replies',
      rows: sampleReplies.map((reply, index) => ({
        account_unique_identifier: account,
        location_external_identifier: locations[index % locations.length]?.[0],
        external_identifier: `card-${reply.card}`,
        image_urls: [
          `${images}/${reply.card}-front.jpg`,
          ...(reply.back ? [`${images}/${reply.card}-back.jpg`] : []),
        ],
        ...(reply.person === undefined ? {} : { respondent_person: reply.person }),
        ...(reply.address === undefined ? {} : { respondent_address: reply.address }),
        additional_metadata: {
          campaign: 'autumn letter',
          ...(reply.person &&
            Object.fromEntries(reply.written.wants.map((box) => [SAMPLE_BOXES[box], 'yes']))),
        },
      })),
    },
  ];
}

function emailOf(name: string): string {
  return `${name.toLowerCase().replace(/[^a-z]+/g, '.')}@example.com`;
}

/** How far the clocks there are from UTC, at that moment. */
function shiftAt(moment: number): number {
  const { time_zone: timeZone } = SAMPLE_HOME;
  // Written this way, a time can be read again.
  return Date.parse(`${new Date(moment).toLocaleString('sv', { timeZone })}Z`) - moment;
}

/** Chance that is the same each time. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
