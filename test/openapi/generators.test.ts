/** What people generate from the OpenAPI document: right programs compile with it, and wrong ones do not. */
// needs: --ci
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { compilers, complaints, DOCUMENT, makeClient, write } from '../support/compile.ts';

/** How each generator's types are named in the programs, which are the same for both. */
const generators: Readonly<
  Record<string, { names: string; options: object; make(folder: string): Promise<void> }>
> = {
  'openapi-typescript': {
    names: `import type { components, paths } from './made.ts';
type Schemas = components['schemas'];
export type FuneralEvent = Schemas['FuneralEvent'];
export type FuneralEventUpsert = Schemas['FuneralEventUpsert'];
export type EventCheckInRecordUpsert = Schemas['EventCheckInRecordUpsert'];
export type OnlineArrangementUpsert = Schemas['OnlineArrangementUpsert'];
export type DirectMailReplyPatch = Schemas['DirectMailReplyPatch'];
export type ErrorCode = Schemas['ErrorCode'];
export type ErrorResponse = Schemas['ErrorResponse'];
export type Change = Schemas['Change'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
type Answer = paths['/v1/events/upsert_many']['post']['responses'][200]['content'];
export type UpsertMany = Answer['application/json'];
export type UpsertManyLine = Schemas['UpsertManyLine'];
`,
    options: {},
    make: async (folder) => {
      const made = await openapiTypescript(pathToFileURL(DOCUMENT), { silent: true });
      write(folder, { 'made.ts': astToString(made) });
    },
  },
  '@hey-api/openapi-ts': {
    names: `export type * from './made/types.gen.ts';\n`,
    // What it writes to send requests with does not compile under this one.
    options: { exactOptionalPropertyTypes: false },
    make: async (folder) => {
      await makeClient(folder);
    },
  },
};

const right = `import type * as our from './names.ts';

const common = {
  external_identifier: 'case-1041',
  event_name: 'Celebration of life',
  event_datetime: '2027-03-20T09:30:00-05:00',
};
export const events: our.FuneralEventUpsert[] = [
  { ...common, location_unique_identifier: 'loc_1' },
  { ...common, location_external_identifier: 'riverside', account_unique_identifier: 'acct_1' },
  {
    ...common,
    location_unique_identifier: 'loc_1',
    person: { full_name: 'Jane Doe', date_of_birth: null, date_of_death: '' },
    additional_event_metadata: { flowers: ['lilies'], seating: { rows: 12 }, gone: null },
  },
  { ...common, location_unique_identifier: 'loc_1', person: null },
];
export const arrangement: our.OnlineArrangementUpsert = {
  location_unique_identifier: 'loc_1',
  external_identifier: 'a-1',
  person_full_name: 'Jane Doe',
  person_phone_number: '+14155550123',
  cart_summary: 'Cremation',
  additional_cart_metadata: { cart_value_in_cents: 149900, cart_currency: 'USD', is_abandoned_cart: null },
};
export const patch: our.DirectMailReplyPatch = {
  respondent_person: { birth_date: null },
  additional_metadata: { order_number: 'A-1', gone: null },
};
export function read(event: our.FuneralEvent): string {
  const name: string = event.event_name;
  const died: string | undefined = event.public_data.person?.date_of_death;
  const flowers: unknown = event.public_data.additional_event_metadata?.['flowers'];
  return name + died + String(flowers);
}
export function told(answer: our.UpsertMany): string[] {
  return answer.data.map((row) => ('error' in row ? row.error.code : row.outcome));
}
export function tell(line: our.UpsertManyLine): number {
  if ('summary' in line) return line.summary.failed;
  return line.line;
}
export function again({ error }: our.ErrorResponse): boolean {
  const code: our.ErrorCode = error.code;
  const faults: our.ErrorCode[] = error.errors.map((fault) => fault.code);
  return code === 'service_unavailable' || faults.includes('rate_limited');
}
/** What this version does not have yet, and a later one may answer. */
export const later: our.ErrorCode = 'code_of_tomorrow';
export const done: our.Change['outcome'] = 'merged';
export const of: our.Change['resource'] = 'invoice';
export const state: our.WebhookEndpoint['status'] = 'resting';
`;

const start = `import type * as our from './names.ts';
const event = { external_identifier: 'case-1041', event_datetime: '2027-03-20T09:30:00-05:00' };
const named = { ...event, event_name: 'Celebration of life' };
`;
const upsert = 'export const wrong: our.FuneralEventUpsert';

/** Programs that must not compile, and what the compiler is to name. */
const wrong: Readonly<Record<string, readonly [program: string, says: RegExp]>> = {
  'a misspelt field': [
    `${upsert} = { ...named, location_unique_identifier: 'loc_1', additional_event_metdata: {} };`,
    /additional_event_metdata/,
  ],
  'a misspelt field below a parent that is named by one\u2019s own identifiers': [
    `export const wrong: our.EventCheckInRecordUpsert = { external_identifier: 'v-1', visitor_full_name: 'Jane Doe', visitor_phone_number: '+14155550123', event_external_identifier: 'case-1041', location_external_identifier: 'riverside', account_unique_identifier: 'acct_1', visitor_email: 'jane@example.com' };`,
    /visitor_email/,
  ],
  'a misspelt member of an object': [
    `${upsert} = { ...named, location_unique_identifier: 'loc_1', person: { full_name: 'Jane Doe', birth: '1948-02-29' } };`,
    /birth/,
  ],
  'a required text that is missing': [
    `${upsert} = { ...event, location_unique_identifier: 'loc_1' };`,
    /event_name/,
  ],
  'a required text that is a number': [
    `${upsert} = { ...event, location_unique_identifier: 'loc_1', event_name: 7 };`,
    /number/,
  ],
  'a required text that is null': [
    `${upsert} = { ...event, location_unique_identifier: 'loc_1', event_name: null };`,
    /null/,
  ],
  'no parent': [`${upsert} = named;`, /location_/],
  'half a parent': [
    `${upsert} = { ...named, location_external_identifier: 'riverside' };`,
    /_identifier/,
  ],
  'a parent that is named in two ways at once': [
    `${upsert} = { ...named, location_unique_identifier: 'loc_1', location_external_identifier: 'riverside', account_unique_identifier: 'acct_1' };`,
    /location_/,
  ],
  'another currency': [
    `export const wrong: NonNullable<our.OnlineArrangementUpsert['additional_cart_metadata']> = { cart_currency: 'EUR' };`,
    /EUR/,
  ],
  'free-form content that is none': [
    `${upsert} = { ...named, location_unique_identifier: 'loc_1', additional_event_metadata: 'lilies' };`,
    /string/,
  ],
  'an outcome that there is not': [
    `export const wrong = (answer: our.UpsertMany) => answer.data.some((row) => 'outcome' in row && row.outcome === 'deleted');`,
    /deleted/,
  ],
  'the answer to an array read as lines': [
    `export const wrong = (answer: our.UpsertMany): our.UpsertManyLine => answer.data[0]!;`,
    /line/i,
  ],
  'a row read before asking whether it was refused': [
    `export const wrong = (answer: our.UpsertMany) => answer.data.map((row) => row.error.code);`,
    /error/,
  ],
};

for (const [generator, { names, options, make }] of Object.entries(generators)) {
  describe(`with what ${generator} makes`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-generated-'));
    const files = new Map(Object.keys(wrong).map((what, index) => [what, `wrong-${index}.ts`]));
    before(async () => {
      await make(folder);
      write(folder, { 'package.json': '{"type":"module"}', 'names.ts': names, 'right.ts': right });
      for (const [what, [program]] of Object.entries(wrong)) {
        write(folder, { [files.get(what) ?? '']: `${start}${program}\n` });
      }
    });
    after(() => rmSync(folder, { recursive: true }));

    for (const [version, compiler] of Object.entries(compilers)) {
      it(`${version} takes the right program, and refuses each wrong one`, async () => {
        const found = await complaints(folder, compiler, {
          ...options,
          lib: ['es2022', 'dom', 'dom.iterable'],
        });
        for (const [what, file] of files) {
          assert.match(found.get(file) ?? '', wrong[what]?.[1] ?? /^$/, `${what} compiles`);
          found.delete(file);
        }
        assert.deepEqual([...found.values()], [], 'nothing else is wrong');
      });
    }
  });
}
