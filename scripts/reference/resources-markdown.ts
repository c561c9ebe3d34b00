/** The reference of resources, from their declarations. */
import {
  exampleAnswer,
  exampleIdentifier,
  exampleList,
  exampleRequest,
} from '../../src/openapi/examples.ts';
import { articled, tagName } from '../../src/openapi/names.ts';
import type { Resource } from '../../src/schema/define.ts';
import { inWords } from '../../src/schema/define.ts';
import type { Members } from '../../src/schema/fields/members.ts';
import { listParams } from '../../src/schema/parse.ts';
import { curlForm, curlGet, curlJson } from './curl.ts';
import { block, code, paragraphs, table } from './markdown.ts';

export function resourcesMarkdown(resources: readonly Resource[], serverUrl: string): string {
  return paragraphs([
    '# Resources',
    'Every record is created or changed by a POST to a path that ends in `/upsert`. It is identified by its parent and your own `external_identifier`; what is sent is merged into what is stored. What a request can get wrong is in [errors.md](errors.md), the whole interface for machines in [openapi.json](../openapi.json).',
    table(
      ['Resource', 'Belongs to', 'Endpoints', 'Identifiers'],
      resources.map((one) => [
        `[${tagName(one)}](#${anchor(one)})`,
        one.parent === undefined ? '' : inWords(one.parent.name),
        endpoints(one).map(code).join('<br>'),
        code(`${one.prefix}…`),
      ]),
    ),
    ...MERGING,
    ...FORMS,
    ...resources.flatMap((one) => section(one, serverUrl)),
  ]);
}

const MERGING = [
  '## What an upsert does',
  table(
    ['Sent', 'Effect'],
    [
      ['left out', 'what is stored stays'],
      ['an object', 'merged member by member, free-form content at every depth (RFC 7396)'],
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
  'Every upsert takes the same parameters as `application/json` and as `application/x-www-form-urlencoded`. A form writes a member of an object as `object[member]=…` and an element of an array as `array[]=…` or, numbered from 0, as `array[0]=…`. Booleans are `true`, `false`, `1` or `0`, numbers are decimal digits, and every value within free-form content is a text. The plus sign of a phone number is percent-encoded as `%2B`.',
];

function section(resource: Resource, serverUrl: string): string[] {
  return [
    `## ${tagName(resource)}`,
    resource.says,
    ...(resource.parent === undefined ? [] : upsertSection(resource, serverUrl)),
    ...(resource.list === undefined ? [] : listSection(resource, serverUrl)),
  ];
}

function upsertSection(resource: Resource, serverUrl: string): string[] {
  const url = `${serverUrl}/v1/${resource.path}/upsert`;
  const body = exampleRequest(resource, 'full');
  return [
    `### POST /v1/${resource.path}/upsert`,
    `Creates or updates ${articled(resource)}, identified by ${code(resource.parentParam ?? '')} and \`external_identifier\` together.`,
    table(['Parameter', 'Kind', 'Required', 'What it is', 'Answered as'], rows(resource)),
    'As JSON:',
    block('sh', curlJson(url, body)),
    'As a form:',
    block('sh', curlForm(url, body)),
    'Answer:',
    block('json', pretty(exampleAnswer(resource))),
  ];
}

function listSection(resource: Resource, serverUrl: string): string[] {
  const { path, list } = resource;
  const after = `starting_after=${exampleIdentifier(resource)}`;
  return [
    `### GET /v1/${path}`,
    `Lists what the key may see, sorted by ${list?.order}. \`limit\` is ${listParams.limit.kind.limit}, and ${list?.page} where it is left out. While \`has_more\` is true, the next page is the one with the last \`unique_identifier\` as \`starting_after\`; \`ending_before\` walks back.`,
    block(
      'sh',
      `${curlGet(`${serverUrl}/v1/${path}?limit=100`)}\n${curlGet(`${serverUrl}/v1/${path}?limit=100&${after}`)}`,
    ),
    'Answer:',
    block('json', pretty(exampleList(resource))),
  ];
}

function rows(resource: Resource): string[][] {
  const { parentParam = '', homeMember = '', public_data = {} } = resource;
  const own = { [parentParam]: parentParam === homeMember ? parentParam : '' };
  const inside = Object.fromEntries(
    Object.keys(public_data).map((name) => [name, `public_data.${name}`]),
  );
  const shownAs: Record<string, string> = { ...own, ...inside };
  return Object.entries(resource.params).flatMap(([name, field]) =>
    memberRows({ [name]: field }, '', shownAs[name] ?? name, 'yes'),
  );
}

/** `shown` is where a single member is answered; those of an object stand below it. */
function memberRows(
  members: Members,
  prefix: string,
  shown: string,
  ifRequired: string,
): string[][] {
  return Object.entries(members).flatMap(([name, { kind, required, says }]) => {
    const path = prefix + name;
    const answered = prefix === '' ? shown : `${shown}.${name}`;
    const kindInWords = kind.limit === undefined ? kind.name : `${kind.name}, ${kind.limit}`;
    return [
      [
        code(path),
        kindInWords,
        required ? ifRequired : '',
        capital(says),
        answered === '' ? 'not answered' : code(answered),
      ],
      ...memberRows(kind.members ?? {}, `${path}.`, answered, `with ${code(path)}`),
    ];
  });
}

function endpoints({ path, parent, list }: Resource): string[] {
  return [
    ...(parent === undefined ? [] : [`POST /v1/${path}/upsert`]),
    ...(list === undefined ? [] : [`GET /v1/${path}`]),
  ];
}

function anchor(resource: Resource): string {
  return tagName(resource).toLowerCase().replaceAll(' ', '-');
}

/** A phrase as a sentence begins; a name, such as `unique_identifier`, stays. */
function capital(phrase: string): string {
  return /^\w+_/.test(phrase) ? phrase : phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
