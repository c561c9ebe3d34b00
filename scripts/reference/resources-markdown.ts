/** The reference of resources, from their declarations. */
import { exampleAnswer, exampleRequest } from '../../src/openapi/examples.ts';
import { articled, tagName } from '../../src/openapi/names.ts';
import type { Resource } from '../../src/schema/define.ts';
import type { Members } from '../../src/schema/fields/members.ts';
import { inWords } from '../../src/schema/words.ts';
import { changeSections, namesSection } from './change-markdown.ts';
import { type Curl, curlFor, variableLines } from './curl.ts';
import { manySection } from './many-markdown.ts';
import { block, capital, code, kindInWords, paragraphs, pretty, table } from './markdown.ts';
import { readSections } from './read-markdown.ts';

export function resourcesMarkdown(resources: readonly Resource[], serverUrl: string): string {
  const curl = curlFor(resources);
  return paragraphs([
    '# Resources',
    'Every record is created or changed by a POST to a path that ends in `/upsert`. It is identified by its parent and your own `external_identifier`; what is sent is merged into what is stored ([merging.md](merging.md)). What a request can get wrong is in [errors.md](errors.md), the whole interface for machines in [openapi.json](../openapi.json).',
    table(
      ['Resource', 'Belongs to', 'Endpoints', 'Identifiers'],
      resources.map((one) => [
        `[${tagName(one)}](#${anchor(one)})`,
        one.parent === undefined ? '' : inWords(one.parent.name),
        endpoints(one).map(code).join('<br>'),
        code(`${one.prefix}…`),
      ]),
    ),
    'The examples use these variables: the address, the key, and the `unique_identifier` of a record of each resource, as answers give it. Put your own in for `…`.',
    block('sh', variableLines(resources, serverUrl)),
    ...MERGING,
    ...FORMS,
    ...resources.flatMap((one) => section(one, curl)),
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
  'Every upsert takes the same parameters as `application/json` and as `application/x-www-form-urlencoded`. A form writes a member of an object as `object[member]=…` and an element of an array as `array[]=…` or, numbered from 0, as `array[0]=…`. Booleans are `true`, `false`, `1` or `0`, numbers are decimal digits, and every value within free-form content is a text. The plus sign of a phone number is percent-encoded as `%2B`, an ampersand within a value as `%26`.',
];

function section(resource: Resource, curl: Curl): string[] {
  return [
    `## ${tagName(resource)}`,
    resource.says,
    ...(resource.parent === undefined ? [] : upsertSection(resource, curl)),
    ...readSections(resource, curl),
    ...manySection(resource, curl),
    ...changeSections(resource, curl),
  ];
}

function upsertSection(resource: Resource, curl: Curl): string[] {
  const url = `/v1/${resource.path}/upsert`;
  const body = exampleRequest(resource, 'full');
  const answer = pretty(exampleAnswer(resource));
  const formAnswer = pretty(exampleAnswer(resource, 'form'));
  return [
    `### POST /v1/${resource.path}/upsert`,
    `Creates or updates ${articled(resource)}, identified by ${code(resource.parentParam ?? '')} and \`external_identifier\` together.`,
    table(['Parameter', 'Kind', 'Required', 'What it is', 'Answered as'], rows(resource)),
    ...namesSection(resource),
    'As a form:',
    block('sh', curl.form(url, body)),
    ...(formAnswer === answer ? [] : ['Answer:', block('json', formAnswer)]),
    `As JSON${formAnswer === answer ? '' : ', which keeps the types of values in free-form content'}:`,
    block('sh', curl.json(url, body)),
    'Answer:',
    block('json', answer),
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
    return [
      [
        code(path),
        kindInWords(kind),
        required ? ifRequired : '',
        capital(says),
        answered === '' ? 'not answered' : code(answered),
      ],
      ...memberRows(kind.members ?? {}, `${path}.`, answered, `with ${code(path)}`),
    ];
  });
}

function endpoints({ path, parent }: Resource): string[] {
  const one = `/v1/${path}/{unique_identifier}`;
  const reads = [`GET /v1/${path}`, `GET ${one}`];
  return parent === undefined
    ? reads
    : [
        `POST /v1/${path}/upsert`,
        `POST /v1/${path}/upsert_many`,
        ...reads,
        `PATCH ${one}`,
        `DELETE ${one}`,
      ];
}

function anchor(resource: Resource): string {
  return tagName(resource).toLowerCase().replaceAll(' ', '-');
}
