/** The methods of the client for operations on what is no record, and the types that they take and give. */

import type { Resource } from '../../src/core/schema/define.ts';
import type { JsonSchema } from '../../src/core/schema/fields/kind.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import { objectSchema } from '../../src/core/schema/fields/object.ts';
import { type Operation, routeOf } from '../../src/edge/operations/operation.ts';
import { componentSchemas } from '../openapi/document.ts';
import { pascalCase } from '../openapi/schemas/names.ts';
import { comment, imported, typeText } from './type-text.ts';

/** Types that other files of the client have. */
const ELSEWHERE: Readonly<Record<string, string>> = { SearchFindings: './search.d.ts' };

const CLASSES = './operations.ts';
const TYPES = './objects.d.ts';

interface Method {
  readonly operation: Operation;
  /** The member of the client that has the method; `undefined`: the client itself. */
  readonly group: string | undefined;
  readonly name: string;
}

/** What the client has for operations that are answered by their declarations. */
export interface ClientOperations {
  /** Members of the client, by name, each with the class of it. */
  readonly groups: ReadonlyMap<string, string>;
  /** Methods of the client itself. */
  readonly methods: string;
  /** What imports the classes, and the types that the methods name. */
  readonly imports: string;
  /** The classes. */
  readonly text: string;
  /** The types that methods take and give. */
  readonly types: string;
}

export function clientOperations(
  resources: readonly Resource[],
  operations: readonly Operation[],
): ClientOperations {
  const schemas = componentSchemas(resources, '');
  const collections = new Set(resources.map(({ path }) => path));
  const replaced = new Set(operations.map(({ sameAs }) => sameAs));
  const all = operations
    .filter(
      ({ run, handled, name }) => (run !== undefined || handled === true) && !replaced.has(name),
    )
    .map((operation) => methodOf(operation, collections));
  const methods = all.filter(({ operation }) => operation.ofRecords !== true);
  const own = methods.filter(({ group }) => group === undefined);
  const grouped = Map.groupBy(
    methods.filter(({ group }) => group !== undefined),
    ({ group = '' }) => group,
  );
  const write = (some: readonly Method[]): string =>
    some.map((one) => methodText(one, schemas)).join('\n');
  const groups = new Map([...grouped.keys()].map((group) => [group, `${pascalCase(group)}Api`]));
  const answered = new Set(all.map(({ operation }) => answerOf(operation, schemas).type));
  const types = [
    ...[...namesWithin(answered, schemas)].map(
      (name) =>
        `${comment(String(schemas[name]?.description))}export type ${name} = ${typeText(schemas[name] ?? {}, 'shown')};\n`,
    ),
    ...methods.map(paramsText).filter((text) => text !== ''),
  ].join('\n');
  const classes = [...grouped]
    .map(
      ([group, some]) =>
        `export class ${groups.get(group)} extends Operations {\n${write(some)}}\n`,
    )
    .join('\n');
  const used = Array.from(types.matchAll(/^export type (\w+)/gm), ([, name]) => name).filter(
    (name) => new RegExp(`\\b${name}\\b`).test(classes),
  );
  const text = [
    [
      imported('{ type ChangePage, ChangePages }', '../changes.ts'),
      imported('{ List, type Page }', '../list.ts'),
      imported('{ inPath }', '../query.ts'),
      imported('{ Operations }', '../send.ts'),
      imported('type { RequestOptions }', '../settings.ts'),
      imported(`type { ${used.join(', ')} }`, TYPES),
    ].join(''),
    [
      `/** A file goes as it is. */
const FILE = { 'Content-Type': 'application/octet-stream' };
`,
      `/** Milliseconds that what works through many records is waited for. */
const LONG_MS = 3_600_000;
`,
    ]
      .filter((_, at) => classes.includes(['headers: FILE', 'LONG_MS'][at] ?? ''))
      .join(''),
    classes,
  ].join('\n');
  const named = own.flatMap((one) => [
    ...(paramsText(one) === '' ? [] : [paramsName(one.operation)]),
    answerOf(one.operation, schemas).type,
  ]);
  const imports = [
    imported(`{ ${[...groups.values()].join(', ')} }`, CLASSES),
    ...[...new Set(named)].map((type) => imported(`type { ${type} }`, ELSEWHERE[type] ?? TYPES)),
  ].join('');
  return {
    groups,
    methods: write(own).replaceAll('this.send(', 'this.#send('),
    imports,
    text,
    types,
  };
}

/** Its name by its route: `POST …/:unique_identifier/rotate_secret` is `rotateSecret`, `GET …/counts` is `counts`. */
function methodOf(operation: Operation, collections: ReadonlySet<string>): Method {
  const { method, url } = routeOf(operation);
  const [group = '', id, last] = url.split('/').slice(2);
  // That member of the client has the methods of records.
  if (collections.has(group))
    return { operation, group: undefined, name: camelCase(operation.name) };
  if (last !== undefined) return { operation, group, name: camelCase(last) };
  if (id !== undefined && !id.startsWith(':')) return { operation, group, name: camelCase(id) };
  if (id !== undefined) {
    const names: Readonly<Record<string, string>> = { GET: 'retrieve', PATCH: 'patch' };
    return { operation, group, name: names[method] ?? 'remove' };
  }
  if (operation.sameAs !== undefined)
    return { operation, group: undefined, name: camelCase(operation.sameAs) };
  if (method === 'POST') return { operation, group, name: 'create' };
  return isList(operation)
    ? { operation, group, name: 'list' }
    : { operation, group: undefined, name: camelCase(group) };
}

function methodText({ operation, name }: Method, schemas: Schemas): string {
  const { summary, description, body, once, file, long } = operation;
  const query = askedOf(operation);
  const { method, url } = routeOf(operation);
  const { type, given, cursor } = answerOf(operation, schemas);
  const named = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const params = paramsName(operation);
  const [only, ...others] = Object.entries(body ?? {});
  const alone = only?.[1].required === true && others.length === 0 ? only[0] : undefined;
  const members = Object.values(body ?? query);
  const takes =
    alone !== undefined
      ? [`${alone}: ${params}['${alone}']`]
      : members.length === 0
        ? []
        : [`params: ${params}${members.some(({ required }) => required) ? '' : ' = {}'}`];
  const path =
    named.length > 0
      ? `\`${url.replaceAll(/:(\w+)/g, (_, id) => `\${inPath(${id})}`)}\``
      : `'${url}'`;
  const sent = [
    `method: '${method}'`,
    `path: ${path}`,
    ...(body === undefined
      ? []
      : [`json: ${alone !== undefined ? `{ ${alone} }` : members.length === 0 ? '{}' : 'params'}`]),
    ...(file ? ['body: file', 'headers: FILE'] : []),
    ...(once === true ? ['isOnce: true'] : []),
  ];
  const send = (query: string, answer: string): string =>
    `this.send({ ${[...sent, ...(query === '' ? [] : [query]), ...(long ? ['timeout: LONG_MS'] : []), 'options'].join(', ')} }) as Promise<${answer}>`;
  const options = body === undefined && members.length > 0 ? 'query: params' : '';
  const result = {
    one: `Promise<${given}>`,
    all: `Promise<readonly ${type}[]>`,
    list: `List<${type}>`,
    pages: `ChangePages<${type}>`,
  }[cursor.kind];
  const lines = {
    one: `    return ${send(options, given)};`,
    all: `    return new List((cursor) => ${send(options === '' ? 'cursor' : 'query: params, cursor', `Page<${type}>`)}, false).all();`,
    list: `    return new List((cursor) => ${send('query: params, cursor', `Page<${type}>`)}${cursor.member === 'unique_identifier' ? ', false' : `, false, '${cursor.member}'`});`,
    pages: `    return new ChangePages((starting_after) => ${send('query: params, cursor: { starting_after }', `ChangePage<${type}>`)});`,
  }[cursor.kind];
  const list = [
    ...named.map((name) => `${name}: string`),
    ...(file ? ['file: Uint8Array'] : []),
    ...takes,
    'options?: RequestOptions',
  ];
  return `${comment(`${summary}. ${description}`, '  ')}  ${result.startsWith('Promise') ? 'async ' : ''}${name}(${list.join(', ')}): ${result} {
${lines}
  }\n`;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

interface Given {
  /** The type of the answer, or of the entries of a list. */
  readonly type: string;
  /** The type with the members that this answer shows. */
  readonly given: string;
  readonly cursor: { readonly kind: 'one' | 'all' | 'list' | 'pages'; readonly member: string };
}

function answerOf(operation: Operation, schemas: Schemas): Given {
  const { answers, query = {} } = operation;
  const { schema, shows = [], cursor: member = 'unique_identifier' } = answers;
  if (!isList(operation)) {
    const names = shows.map((name) => `'${name}'`).join(' | ');
    const given = names === '' ? schema : `${schema} & Required<Pick<${schema}, ${names}>>`;
    return { type: schema, given, cursor: { kind: 'one', member } };
  }
  const { properties } = schemas[schema] as { readonly properties: Schemas };
  const type = typeText((properties.data?.items ?? {}) as JsonSchema, 'shown');
  const isWhole = answers.whole === true || !('starting_after' in query);
  const kind = 'position' in properties ? 'pages' : isWhole ? 'all' : 'list';
  return { type, given: type, cursor: { kind, member } };
}

function isList({ answers }: Operation): boolean {
  return answers.schema.endsWith('List');
}

/** The members of the query that callers of the client send. */
function askedOf({ query = {}, answers }: Operation): Members {
  if (answers.whole !== true) return query;
  const { limit: _limit, starting_after: _after, ...others } = query;
  return others;
}

function paramsName({ name, sameAs = name }: Operation): string {
  return `${pascalCase(sameAs)}Params`;
}

function paramsText({ operation }: Method): string {
  const { body } = operation;
  const members = body ?? askedOf(operation);
  if (Object.keys(members).length === 0) return '';
  const type = typeText(objectSchema(members), body === undefined ? 'query' : 'sent');
  return `${comment(`Parameters of \`${operation.name}\`.`)}export type ${paramsName(operation)} = ${type};\n`;
}

/** These components and those that they refer to, as far as no other file has them. */
function namesWithin(names: Iterable<string>, schemas: Schemas): Set<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name) || ELSEWHERE[name] !== undefined) return;
    found.add(name);
    const text = JSON.stringify(schemas[name]);
    for (const [, other = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) add(other);
  };
  for (const name of names) add(name);
  return found;
}

function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}
