/** The page of one resource, from its declaration: its endpoints, each with examples that can be pasted. */

import { expandNames, IDENTIFIERS, type Resource } from '../../src/core/schema/define.ts';
import { ordersOf } from '../../src/core/schema/filters.ts';
import { listParams, namingParams } from '../../src/core/schema/parse/parse-list.ts';
import { headingOf, inWords } from '../../src/core/schema/present/words.ts';
import { combinationsOf } from '../../src/core/schema/reference.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import { inOrder } from '../openapi/operations/read-operations.ts';
import {
  exampleAnswer,
  exampleChange,
  exampleIdentifier,
  exampleList,
  exampleRemoved,
  exampleRequest,
} from '../openapi/schemas/examples.ts';
import { articled } from '../openapi/schemas/names.ts';
import { type Curl, curlFor } from './curl.ts';
import type { Language, Request } from './language.ts';
import { block, code, paragraphs, pretty, table } from './markdown.ts';
import { filterRows, nameRows, parameterRows } from './parameter-rows.ts';
import { pythonFor } from './python.ts';
import { typescriptFor } from './typescript.ts';

export function resourceMarkdown(
  resource: Resource,
  resources: readonly Resource[],
  serverUrl: string,
): string {
  const curl = curlFor(resources);
  const shown: Shown = {
    resource,
    curl,
    languages: [curl, typescriptFor(resources), pythonFor(resources)],
  };
  const { parent, prefix } = resource;
  const used = parent === undefined ? [resource] : [parent, resource];
  const sections =
    parent === undefined
      ? [list, one, history]
      : [upsert, change, one, list, history, restore, many, asForm, remove];
  return paragraphs([
    `# ${headingOf(resource)}`,
    resource.says,
    parent === undefined
      ? `Identifiers begin with \`${prefix}\`.`
      : `Each belongs to ${articled(parent)}: see [${headingOf(parent)}](${parent.path}.md). Identifiers begin with \`${prefix}\`.`,
    'The examples below use these values. Replace each `…` with your own.',
    ...shown.languages.map((language) => block(language.name, language.setUp(used, serverUrl))),
    ...sections.flatMap((section) => section(shown)),
  ]);
}

interface Shown {
  readonly resource: Resource;
  readonly curl: Curl;
  readonly languages: readonly Language[];
}

function examples({ languages }: Shown, request: Request): string[] {
  return languages.map((language) => block(language.name, language.request(request)));
}

function upsert(shown: Shown): string[] {
  const { resource } = shown;
  const path = `/v1/${resource.path}/upsert`;
  const body = exampleRequest(resource, 'full');
  return [
    '## Create or update',
    `\`POST ${path}\``,
    `Creates ${articled(resource)}, or merges what you send into the one that is there. ${code(resource.parentParam ?? '')} and \`external_identifier\` together identify it. [Writing records](../merging.md) says what is merged.`,
    ...examples(shown, { method: 'POST', path, body, gives: 'upserted' }),
    block('json', pretty(exampleAnswer(resource))),
    ...ofEntries(resource, 'an entry of its [list](#list)'),
    '### Parameters',
    'A parameter is answered under its own name unless the last column says otherwise.',
    table(['Parameter', 'What it is', 'Answered as'], parameterRows(resource)),
    ...emails(resource),
    ...names(resource),
  ];
}

/** What the entries of lists have in place of the members of the object, and lack of it. */
function ofEntries(resource: Resource, entry: string): string[] {
  const { entry: declared } = resource.list;
  if (declared === undefined) return [];
  if (resource.parent === undefined)
    return [
      `${headingOf(resource)} are answered as entries of this list everywhere, and have no \`object\`.`,
    ];
  const renamed = Object.entries(declared).filter(([shown, name]) => shown !== name);
  const [{ data }, answer] = [exampleList(resource), exampleAnswer(resource)];
  const [first] = data as JsonObject[];
  const known = [...Object.keys(first ?? {}), ...renamed.map(([, name]) => name)];
  const lacking = Object.keys(answer).filter((name) => !known.includes(name));
  const identifiers = lacking.filter((name) => name.endsWith('_identifier'));
  const has = renamed.map(([shown, name]) => `${code(shown)} in place of ${code(name)}`).join(', ');
  return [
    `**Lists differ**: ${entry} has ${has}, and lacks ${lacking.map(code).join(', ')}. With \`expand[]=${IDENTIFIERS}\` it has ${identifiers.map(code).join(' and ')} in \`${IDENTIFIERS}\`.`,
  ];
}

function emails(resource: Resource): string[] {
  return parameterRows(resource).some((row) => row.join().includes('*email address'))
    ? [
        'An **email address** is stored as you send it: only its length is checked, and in a form a space within what stands before its `@` is 400, as a plus sign that is not encoded becomes one. Who reads a smudged card writes what is there, and a lead with half an address is worth more than none. Check addresses before you send to them.',
      ]
    : [];
}

/** The ways to name the parent by the caller's own identifiers, where there are any. */
function names({ parent, parentNames }: Resource): string[] {
  if (parent === undefined || Object.keys(parentNames).length === 0) return [];
  const ways = combinationsOf(parent).map((way) => `- ${way.map(code).join(' with ')}`);
  return [
    `### Your own identifiers for the ${inWords(parent.name)}`,
    `Name the ${inWords(parent.name)} in exactly one of these ways:`,
    ways.join('\n'),
    table(['Parameter', 'What it is'], nameRows(parentNames)),
  ];
}

function change(shown: Shown): string[] {
  const { resource } = shown;
  const path = `/v1/${resource.path}`;
  return [
    '## Change some fields',
    `\`PATCH ${path}/{unique_identifier}\``,
    'Takes the parameters of the upsert, none of which is required at any depth, and answers the same object. What the record needs may be what is stored.',
    ...examples(shown, {
      method: 'PATCH',
      path: `${path}/${exampleIdentifier(resource)}`,
      body: exampleChange(resource),
      gives: 'changed',
    }),
  ];
}

function one(shown: Shown): string[] {
  const { resource } = shown;
  const path = `/v1/${resource.path}/${exampleIdentifier(resource)}`;
  const expandable = expandNames(resource);
  const same =
    resource.parent === undefined ? 'entry of the list' : 'object that an upsert answers';
  return [
    '## Read one',
    `\`GET /v1/${resource.path}/{unique_identifier}\``,
    `Answers the ${same}, with its version as \`ETag\`.`,
    ...examples(shown, { method: 'GET', path, gives: 'found' }),
    ...(expandable.length === 0
      ? []
      : [
          `Add \`expand[]\` to put what it belongs to into the answer, here and in lists: ${expandable.map(code).join(', ')}. [Reading records](../pagination.md#include-what-a-record-belongs-to) says what each holds.`,
          ...examples(shown, {
            method: 'GET',
            path,
            query: expandable.map((name) => ['expand[]', name]),
            gives: 'expanded',
          }),
        ]),
  ];
}

function list(shown: Shown): string[] {
  const { resource } = shown;
  const path = `/v1/${resource.path}`;
  const { limit } = listParams(resource);
  return [
    '## List',
    `\`GET ${path}\``,
    `Lists what your key may see, ${inOrder(resource)}. \`limit\` is ${limit.kind.limit}; it is ${resource.list.page.toLocaleString('en-US')} if you leave it out. [Reading records](../pagination.md) says how to go from page to page, and which filters each list takes.`,
    ...examples(shown, { method: 'GET', path, query: [['limit', '100']], gives: 'page' }),
    block('json', pretty(exampleList(resource))),
    ...ofEntries(resource, 'an entry'),
    ...(ordersOf(resource).length === 0
      ? []
      : [
          `Add ${ordersOf(resource)
            .map(({ name }) => code(`order=${name}`))
            .join(
              ' or ',
            )} to sort by that field, ascending; with a minus sign before the name (${code(`order=-${ordersOf(resource)[0]?.name}`)}), descending.`,
        ]),
    '### Filters',
    table(['Filter', 'What it is'], [...filterRows(resource), ...nameRows(namingParams(resource))]),
  ];
}

function many(shown: Shown): string[] {
  const { resource } = shown;
  const path = `/v1/${resource.path}/upsert_many`;
  const row = { ...exampleRequest(resource, 'least'), external_identifier: 'row-1' };
  return [
    '## Create or update many',
    `\`POST ${path}\``,
    'Each row is the JSON body of an upsert and gets its own answer. [Many records at once](../bulk.md) says more, also on streams of lines.',
    ...examples(shown, { method: 'POST', path, body: [row], gives: 'rows' }),
    block(
      'json',
      pretty({
        object: 'upsert_many',
        url: path,
        data: [{ unique_identifier: exampleIdentifier(resource), outcome: 'created' }],
        summary: { created: 1, updated: 0, unchanged: 0, failed: 0 },
      }),
    ),
  ];
}

function asForm({ resource, curl }: Shown): string[] {
  const path = `/v1/${resource.path}/upsert`;
  const formAnswer = pretty(exampleAnswer(resource, 'form'));
  const isSame = formAnswer === pretty(exampleAnswer(resource));
  return [
    '## Create or update by form',
    `\`POST ${path}\``,
    `Takes the same parameters as \`application/x-www-form-urlencoded\`. ${isSame ? 'The answer is the same.' : 'Every value within free-form content becomes a text; JSON keeps its type.'}`,
    block('sh', curl.form(path, exampleRequest(resource, 'full'))),
    ...(isSame ? [] : [block('json', formAnswer)]),
  ];
}

function history(shown: Shown): string[] {
  const { resource } = shown;
  const path = `/v1/${resource.path}`;
  return [
    '## History',
    `\`GET ${path}/{unique_identifier}/history\``,
    `Answers what was done to ${articled(resource)}, the newest first, and what each change made of its members. The history of a removed record can be read, too, as far as the log of changes goes back.`,
    ...examples(shown, {
      method: 'GET',
      path: `${path}/${exampleIdentifier(resource)}/history`,
      gives: 'history',
    }),
  ];
}

function restore(shown: Shown): string[] {
  const { resource } = shown;
  const path = `/v1/${resource.path}`;
  return [
    '## Restore an earlier version',
    `\`POST ${path}/{unique_identifier}/restore\``,
    'Gives the record the content of that version again, as a new version. A removed record comes back with its `unique_identifier` if what it belongs to is there and nothing else has its `external_identifier` by now. The key needs the permissions to read and to write.',
    ...examples(shown, {
      method: 'POST',
      path: `${path}/${exampleIdentifier(resource)}/restore`,
      body: { version: 1 },
      gives: 'restored',
    }),
  ];
}

function remove(shown: Shown): string[] {
  const { resource } = shown;
  const { parent, parentParam = '' } = resource;
  const path = `/v1/${resource.path}`;
  const { external_identifier } = exampleRequest(resource, 'least');
  return [
    '## Remove',
    `\`DELETE ${path}/{unique_identifier}\``,
    `Removes ${articled(resource)}. [Writing records](../merging.md#removing) says what happens to what belongs to it.`,
    ...examples(shown, {
      method: 'DELETE',
      path: `${path}/${exampleIdentifier(resource)}`,
      gives: 'removed',
    }),
    block('json', pretty(exampleRemoved(resource))),
    '### By your own identifier',
    `\`DELETE ${path}\``,
    'Name the record as an upsert does.',
    ...examples(shown, {
      method: 'DELETE',
      path,
      query: [
        [parentParam, parent === undefined ? '' : exampleIdentifier(parent)],
        ['external_identifier', String(external_identifier)],
      ],
      gives: 'dropped',
    }),
  ];
}
