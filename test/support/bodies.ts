/** The fullest upsert of each resource, by the fields of the specification, and what it must answer. */
import type { Body } from './service.ts';

export interface Example {
  readonly path: string;
  readonly parent: 'account' | 'location' | 'event';
  readonly prefix: string;
  /** All parameters but the parent. */
  readonly full: Body;
  /** The required ones alone. */
  readonly least: Body;
  /** The answer's members beside identifiers and times. */
  readonly answered: Body;
}

const PHONE = '+14155550123';

/** What answers hold as it was sent. */
const DEAD = {
  person: { full_name: 'A Name', date_of_birth: '1948-02-29', date_of_death: '2026-11-10' },
  additional_event_metadata: {
    seating: { rows: 12, reserved: ['front', 'left'] },
    flowers: 'lilies',
    ratio: 0.5,
  },
};
const ADMINISTRATOR = {
  person_relationship_to_deceased: 'spouse',
  person_interested_in_pre_planning: true,
  person_email_address: 'a@example.com',
};
const VISITOR = {
  visitor_relationship_to_deceased: 'friend',
  visitor_interested_in_pre_planning: false,
  visitor_email_address: 'a@example.com',
};
const PERSON = { person_full_name: 'A Name', person_phone_number: PHONE };
const VISITED = { visitor_full_name: 'A Name', visitor_phone_number: PHONE };
const ARRANGEMENT = {
  ...PERSON,
  cart_summary: 'Cremation\nUrn: walnut',
  additional_person_metadata: {
    email_address: 'a@example.com',
    mailing_address: '1 Main Street, Springfield, IL, 62701',
    birth_date: '1950-01-31',
    gender: 'female',
  },
  additional_cart_metadata: {
    cart_value_in_cents: 249_900,
    cart_currency: 'USD',
    is_abandoned_cart: true,
  },
  additional_data: { source: 'portal', steps: [1, 2, { three: null }] },
};
const FRONT = 'https://images.example.com/front.jpg';
const REPLY = {
  image_urls: [FRONT, 'https://images.example.com/back.JPEG'],
  respondent_person: {
    full_name: 'A Name',
    phone_number1: '(415) 555-0123',
    phone_number2: '415-555-0124',
    email_address: 'a@example.com',
    birth_date: 'spring of 1950',
  },
  respondent_address: {
    street_address_line_1: '1 Main Street',
    street_address_line_2: 'Apartment 2',
    city: 'Springfield',
    county: 'Sangamon',
    state: 'IL',
    country: 'US',
    postal_code: '62701',
  },
  additional_metadata: { order_number: 'A-1041', mailer_code: '' },
};
const PHONES = { phone_number1: PHONE, phone_number2: '+14155550124' };

export const examples: readonly Example[] = [
  {
    ...{ path: 'locations', parent: 'account', prefix: 'loc_' },
    full: { external_identifier: 'L-1', location_name: 'Main Street Chapel' },
    least: { external_identifier: 'L-2', location_name: 'Riverside' },
    answered: { object: 'location', location_name: 'Main Street Chapel', public_data: {} },
  },
  {
    ...{ path: 'events', parent: 'location', prefix: 'evt_' },
    full: {
      external_identifier: 'E-1',
      event_name: 'Celebration of life',
      event_datetime: '2026-11-20T09:30:00-05:00',
      ...DEAD,
    },
    least: {
      external_identifier: 'E-2',
      event_name: 'Graveside',
      event_datetime: '2026-11-20T14:30:00Z',
    },
    answered: {
      object: 'event',
      event_name: 'Celebration of life',
      event_datetime: '2026-11-20T14:30:00Z',
      public_data: DEAD,
    },
  },
  {
    ...{ path: 'event_administrators', parent: 'event', prefix: 'ead_' },
    full: { external_identifier: 'A-1', ...PERSON, ...ADMINISTRATOR },
    least: { external_identifier: 'A-2', ...PERSON },
    answered: { object: 'event_administrator', ...PERSON, public_data: ADMINISTRATOR },
  },
  {
    ...{ path: 'event_check_in_records', parent: 'event', prefix: 'ecr_' },
    full: { external_identifier: 'V-1', ...VISITED, ...VISITOR },
    least: { external_identifier: 'V-2', ...VISITED },
    answered: { object: 'event_check_in_record', ...VISITED, public_data: VISITOR },
  },
  {
    ...{ path: 'online_arrangements', parent: 'location', prefix: 'oa_' },
    full: { external_identifier: 'O-1', ...ARRANGEMENT },
    least: { external_identifier: 'O-2', ...PERSON, cart_summary: 'Burial' },
    answered: { object: 'online_arrangement', ...ARRANGEMENT },
  },
  {
    ...{ path: 'direct_mail_replies', parent: 'location', prefix: 'dmr_' },
    full: { external_identifier: 'D-1', ...REPLY },
    least: { external_identifier: 'D-2', image_urls: [FRONT] },
    answered: {
      object: 'direct_mail_reply',
      public_data: { ...REPLY, respondent_person: { ...REPLY.respondent_person, ...PHONES } },
    },
  },
];

/** A body as form fields, in the bracket convention. */
export function formOf(body: Body): string {
  const pairs: string[] = [];
  const add = (name: string, value: Body): void => {
    if (Array.isArray(value))
      for (const [index, one] of value.entries()) add(`${name}[${index}]`, one);
    else if (typeof value === 'object' && value !== null)
      for (const key of Object.keys(value)) add(`${name}[${key}]`, value[key]);
    else
      pairs.push(
        `${encodeURIComponent(name)}=${encodeURIComponent(value === null ? '' : String(value))}`,
      );
  };
  for (const name of Object.keys(body)) add(name, body[name]);
  return pairs.join('&');
}
