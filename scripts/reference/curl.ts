/** Requests as commands that can be pasted into a shell. */

import type { Resource } from '../../src/core/schema/define.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import { exampleIdentifier } from '../openapi/schemas/examples.ts';
import { formFields } from '../openapi/schemas/form-fields.ts';
import { type Language, queryText, type Request, variableOf } from './language.ts';

type Pairs = readonly (readonly [name: string, value: string])[];

export interface Curl extends Language {
  /** curl encodes each value itself: the plus sign of a phone number arrives as `%2B`. */
  form(path: string, body: JsonObject): string;
}

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
  const encoded = (pairs: Pairs): string[] =>
    pairs.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);

  return {
    name: 'sh',
    setUp: (own, serverUrl) =>
      [
        `API=${serverUrl}`,
        'KEY=sk_test_…',
        ...own.map((one) => `${variableOf(one)}=${one.prefix}…`),
      ].join('\n'),
    request: ({ method, path, query = [], body }: Request) => {
      // GET is what curl sends by itself, and POST where there is a body.
      const verb = method === 'PATCH' || method === 'DELETE' ? `-X ${method} ` : '';
      // In an address, brackets would be a pattern to curl.
      const apart = query.some(([name]) => name.includes('['));
      const target =
        apart || query.length === 0 ? address(path) : `"${address(path + queryText(query))}"`;
      return [
        `curl -u $KEY: ${verb}${apart ? '-G ' : ''}${target}`,
        ...(apart ? encoded(query) : []),
        ...(body === undefined
          ? []
          : [
              "-H 'Content-Type: application/json'",
              `-d ${quote(JSON.stringify(body, null, 2).replaceAll('\n', '\n  '))}`,
            ]),
      ].join(NEXT);
    },
    form: (path, body) =>
      [`curl -u $KEY: ${address(path)}`, ...encoded(formFields(body))].join(NEXT),
  };
}
