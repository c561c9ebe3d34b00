/** The overview of all resources, and what holds for each. */

import type { Resource } from '../../src/core/schema/define.ts';
import { headingOf, inWords } from '../../src/core/schema/present/words.ts';
import { code, paragraphs, table } from './markdown.ts';

export function resourcesMarkdown(resources: readonly Resource[]): string {
  return paragraphs([
    '# Resources',
    'There are seven kinds of records. Each has a page with its parameters, its endpoints, and examples in curl, TypeScript and Python.'.replace(
      'seven',
      String(resources.length),
    ),
    table(
      ['Resource', 'What it is', 'Belongs to', 'Identifiers'],
      resources.map((one) => [
        `[${headingOf(one)}](resources/${one.path}.md)`,
        one.says,
        one.parent === undefined ? '' : inWords(one.parent.name),
        code(`${one.prefix}…`),
      ]),
    ),
    'You create or update a record with a POST to a path that ends in `/upsert`. A record is identified by its parent and your own `external_identifier`; what you send is merged into what is stored. [Writing records](merging.md) says how, [Error codes](errors.md) what a request can get wrong. The whole interface for machines is in [openapi.json](../openapi.json).',
    ...ENDPOINTS,
    ...MERGING,
    ...FORMS,
  ]);
}

const ENDPOINTS = [
  '## Endpoints',
  'Every resource has the same endpoints. Accounts can only be read: your operator creates them.',
  table(
    ['Endpoint', 'What it does'],
    [
      ['`POST /v1/<resource>/upsert`', 'Creates or updates one record'],
      ['`POST /v1/<resource>/upsert_many`', '[Creates or updates many](bulk.md)'],
      ['`GET /v1/<resource>`', '[Lists records](pagination.md), page by page, with filters'],
      ['`GET /v1/<resource>/{unique_identifier}`', 'Reads one record'],
      ['`PATCH /v1/<resource>/{unique_identifier}`', 'Changes some fields of a record'],
      ['`DELETE /v1/<resource>/{unique_identifier}`', 'Removes a record'],
      [
        '`DELETE /v1/<resource>?external_identifier=…`',
        'Removes one [by your own identifier](merging.md#removing)',
      ],
      ['`GET /v1/<resource>/{unique_identifier}/history`', 'Answers what was done to a record'],
      [
        '`POST /v1/<resource>/{unique_identifier}/restore`',
        'Brings back an earlier version of a record',
      ],
    ],
  ),
];

const MERGING = [
  '## What an upsert does',
  table(
    ['You send', 'Effect'],
    [
      ['nothing', 'what is stored stays'],
      ['an object', 'merged member by member; free-form content at every depth (RFC 7396)'],
      ['an array, text, number or boolean', 'replaces what is stored'],
      ['`null`, for an optional parameter or an object', 'removed, with all its members'],
      [
        '`""`, for an optional text, phone number, date, number or boolean',
        'removed; in a form, an optional array or object too',
      ],
      ['`""` within free-form content', 'a text like any other'],
      ['`null` within free-form content', 'removes that key; an element of an array may be `null`'],
      [
        '`null` or `""` for a required parameter',
        'refused: required parameters are required in every upsert',
      ],
    ],
  ),
  'The header `Ledgerstone-Outcome` of the answer says `created`, `updated` or `unchanged`. An upsert that changes nothing leaves `updated_at` as it is. Answers leave out what has no value; `public_data`, where a resource has it, is always there.',
];

const FORMS = [
  '## Forms',
  'Every upsert takes the same parameters as `application/json` and as `application/x-www-form-urlencoded`. A form writes a member of an object as `object[member]=…` and an element of an array as `array[]=…` or, numbered from 0, as `array[0]=…`. Booleans are `true`, `false`, `1` or `0`, numbers are decimal digits, and every value within free-form content is a text. Percent-encode the plus sign of a phone number or an email address as `%2B`, and an ampersand within a value as `%26`.',
];
