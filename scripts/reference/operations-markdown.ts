/** The reference of operations on what is not a record, from their declarations. */

import { location as FIRST } from '../../src/core/resources/location.ts';
import type { Resource } from '../../src/core/schema/define.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import { type Operation, routeOf } from '../../src/edge/operations/operation.ts';
import { ownObjects } from '../own-tables.ts';
import { capital, code, kindInWords, paragraphs, table } from './markdown.ts';

export function operationsMarkdown(resources: readonly Resource[]): string {
  const all = operationsOf(resources).filter(
    ({ ofRecords, route }) => ofRecords === undefined || route.includes(`/${FIRST.path}`),
  );
  const byTag = Map.groupBy(all.map(ofAnyResource), ({ tag }) => tag);
  return paragraphs([
    '# Operations on other objects',
    'What can be done with everything that is not a record, such as webhooks, syncs and holds: each operation with what it takes, what it needs, and what it answers. [Resources](resources.md) has the operations on records, [objects](objects.md) every field of an answer, and `/openapi.json` all of it for programs.',
    ...byTag.entries().flatMap(([tag, operations]) => [`## ${tag}`, ...operations.flatMap(entry)]),
  ]);
}

/** What each resource has is shown once. */
function ofAnyResource(one: Operation): Operation {
  if (one.ofRecords === undefined) return one;
  const { route, summary, id } = one;
  return {
    ...one,
    route: route.replace(`/v1/${FIRST.path}`, '/v1/:resource') as Operation['route'],
    summary: summary.replace(FIRST.path, 'records'),
    ...(id && { id: { ...id, says: id.says.replace(FIRST.name, 'record') } }),
    inPath: { resource: 'The resource, such as `events`', ...one.inPath },
  };
}

function entry(one: Operation): string[] {
  const { method, url } = routeOf(one);
  const path = url.replaceAll(/:(\w+)/g, '{$1}');
  return [
    `### ${one.summary}`,
    code(`${method} ${path}`),
    one.description,
    needsOf(one),
    takesOf(one),
    answersOf(one),
  ];
}

function needsOf({ needs, confirms }: Operation): string {
  const { permission, right, whole } = needs ?? {};
  const parts = [
    permission === undefined ? '' : `the permission ${code(permission)}`,
    right === undefined ? '' : `the right ${code(right)}`,
    whole === true ? 'no limit to locations' : '',
  ].filter((part) => part !== '');
  return [
    parts.length === 0 ? '' : `**Needs** ${parts.join(', ')}.`,
    confirms === true ? 'A person confirms first that it is them.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function takesOf({ id, inPath = {}, header, query = {}, body = {} }: Operation): string {
  const rows = [
    ...(id === undefined ? [] : [row('unique_identifier', 'path', id.says)]),
    ...Object.entries(inPath).map(([name, says]) => row(name, 'path', says)),
    ...(header === undefined ? [] : [row(header.name, 'header', header.says)]),
    ...membersOf(query, 'query'),
    ...membersOf(body, 'body'),
  ];
  return rows.length === 0 ? '' : table(['Parameter', 'What it is'], rows);
}

function membersOf(members: Members, where: string): string[][] {
  return Object.entries(members).map(([name, { kind, required, says }]) =>
    row(name, `${where}: ${kindInWords(kind)}`, says, required),
  );
}

function row(name: string, about: string, says: string, required = false): string[] {
  return [`${code(name)}<br>*${about}*${required ? '<br>**required**' : ''}`, capital(says)];
}

/** Says what is answered, with a link to the fields of the object. */
function answersOf({ answers: { schema, says } }: Operation): string {
  const found = ownObjects.find(
    ({ name, views }) => views.cli.length > 0 && typeOf(name) === schema,
  );
  const link = found === undefined ? '' : `[${found.name}](objects.md#${found.name})`;
  if (says !== 'The answer.') return `**Answer.** ${says}${link === '' ? '' : ` See ${link}.`}`;
  return link === '' ? '' : `**Answer.** ${link}.`;
}

function typeOf(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
