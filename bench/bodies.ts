/** What is sent: a check-in, and an event with a kilobyte of nested metadata, each by JSON and by form. */

export interface Workload {
  readonly name: string;
  /** What is upserted. */
  readonly resource: string;
  readonly path: string;
  readonly contentType: string;
  readonly template: string;
  /** Whether every request has an Idempotency-Key of its own. */
  readonly keyed?: true;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** A body whose members may be objects and arrays. */
type Body = { readonly [name: string]: unknown };

function checkIn(event: string): Body {
  return {
    event_unique_identifier: event,
    external_identifier: '@ID@',
    visitor_full_name: 'A visitor, the @N@th',
    visitor_phone_number: '+14155550123',
    visitor_relationship_to_deceased: 'friend of the family',
    visitor_interested_in_pre_planning: true,
    // A visitor keeps the address: what updates change is the name.
    visitor_email_address: 'visitor-@ID@.example.com',
  };
}

function event(location: string): Body {
  return {
    location_unique_identifier: location,
    external_identifier: '@ID@',
    event_name: 'Celebration of life, the @N@th',
    event_datetime: '2026-11-20T14:30:00Z',
    person: {
      full_name: 'The deceased person',
      date_of_birth: '1948-02-29',
      date_of_death: '2026-11-10',
    },
    additional_event_metadata: {
      director: { name: 'Director on duty', extension: '204', languages: ['en', 'es', 'pl'] },
      seating: {
        plan: 'theatre',
        rows: '12',
        reserved: ['front left', 'front right', 'second row'],
      },
      flowers: [
        { kind: 'lilies', from: 'the family', delivered: 'no' },
        { kind: 'roses', from: 'the neighbours', delivered: 'yes' },
      ],
      music: { organist: 'booked', pieces: ['Air on the G string', 'Amazing Grace', 'Ave Maria'] },
      catering: {
        guests: '@N@',
        menu: 'cold buffet, coffee and cake',
        room: 'hall on the first floor',
      },
      notes: 'Doors open half an hour before the service. '.repeat(6).trim(),
      stream: {
        enabled: 'yes',
        url: 'https://stream.example.com/services/chapel',
        recording: 'thirty days',
      },
    },
  };
}

/** The kinds of load, for records under these parents. */
export function workloads(parents: {
  readonly event: string;
  readonly location: string;
}): Workload[] {
  const make = (name: string, resource: string, body: Body): Workload[] => {
    const of = { resource, path: `/v1/${resource}s/upsert` };
    return [
      { ...of, name: `${name}, JSON`, contentType: JSON_TYPE, template: JSON.stringify(body) },
      { ...of, name: `${name}, form`, contentType: FORM_TYPE, template: formOf(body) },
    ];
  };
  const checkIns = make('check-ins', 'event_check_in_record', checkIn(parents.event));
  const [json] = checkIns as [Workload];
  return [
    ...checkIns,
    { ...json, name: 'check-ins with Idempotency-Keys, JSON', keyed: true },
    ...make('events with 1 KB of metadata', 'event', event(parents.location)),
  ];
}

function formOf(body: Body): string {
  const pairs: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) add(`${name}[${key}]`, member);
    } else {
      // The placeholders must stay as they are.
      pairs.push(
        `${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replaceAll('%40', '@')}`,
      );
    }
  };
  for (const [name, value] of Object.entries(body)) add(name, value);
  return pairs.join('&');
}
