/**
 * Requests as commands that can be pasted into a shell. What differs from reader to reader is
 * in variables: the key in KEY, the address in API, and in LOCATION, EVENT and so on the
 * unique_identifier of a record.
 */
import { exampleIdentifier } from '../../src/openapi/examples.ts';
import { formFields } from '../../src/openapi/form-fields.ts';
import type { Resource } from '../../src/schema/define.ts';
import type { JsonObject } from '../../src/schema/values.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

/** Makes commands of paths, queries and bodies, as the examples of the OpenAPI document have them. */
export interface Curl {
  get(path: string): string;
  /** With a query that curl would take for a pattern if it stood in the address. */
  query(path: string, query: Pairs): string;
  json(path: string, body: object): string;
  /** curl encodes each value itself: the plus sign of a phone number arrives as `%2B`. */
  form(path: string, body: JsonObject): string;
  change(path: string, body: JsonObject): string;
  remove(path: string): string;
}

const CURL = 'curl -u $KEY:';
const NEXT = ' \\\n  ';

export function curlFor(resources: readonly Resource[]): Curl {
  const variables = resources.map((one) => [exampleIdentifier(one), variableOf(one)] as const);
  const address = (path: string): string =>
    variables.reduce((text, [id, variable]) => text.replaceAll(id, `$${variable}`), `$API${path}`);
  const quote = (text: string): string => {
    const quoted = `'${text.replaceAll("'", "'\\''")}'`;
    return variables
      .reduce((known, [id, variable]) => known.replaceAll(id, `'$${variable}'`), quoted)
      .replace(/''$/, '');
  };
  const encoded = (command: string, pairs: Pairs): string =>
    [
      command,
      ...pairs.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`),
    ].join(NEXT);
  const json = (command: string, body: object): string => {
    const text = JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
    return [command, "-H 'Content-Type: application/json'", `-d ${quote(text)}`].join(NEXT);
  };
  return {
    get: (path) => `${CURL} "${address(path)}"`,
    query: (path, query) => encoded(`${CURL} -G ${address(path)}`, query),
    json: (path, body) => json(`${CURL} ${address(path)}`, body),
    form: (path, body) => encoded(`${CURL} ${address(path)}`, formFields(body)),
    change: (path, body) => json(`${CURL} -X PATCH ${address(path)}`, body),
    remove: (path) => `${CURL} -X DELETE ${address(path)}`,
  };
}

/** The commands that set the variables, to be completed by the reader. */
export function variableLines(resources: readonly Resource[], serverUrl: string): string {
  return [
    `API=${serverUrl}`,
    'KEY=sk_test_…',
    ...resources.map((one) => `${variableOf(one)}=${one.prefix}…`),
  ].join('\n');
}

function variableOf({ name }: Resource): string {
  return name.toUpperCase();
}
