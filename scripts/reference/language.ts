/** A request in a language that examples are shown in, so that it can be pasted below the lines that set it up. */

import type { Resource } from '../../src/core/schema/define.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import { exampleIdentifier } from '../openapi/schemas/examples.ts';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: JsonObject | readonly JsonObject[];
  /** What a program calls the answer. */
  readonly gives: string;
}

export interface Language {
  /** As blocks of code name it. */
  readonly name: string;
  /** Sets the address, the key, and the `unique_identifier` of a record of each resource, to be completed by the reader. */
  setUp(resources: readonly Resource[], address: string): string;
  request(request: Request): string;
}

/** The variable that holds the `unique_identifier` of a record of a resource. */
export function variableOf({ name }: Resource): string {
  return name.toUpperCase();
}

/** A text in pieces: example identifiers of resources are told apart from what is around them. */
export function piecesOf(
  text: string,
  resources: readonly Resource[],
): { readonly text: string; readonly variable?: string }[] {
  const variables = new Map(resources.map((one) => [exampleIdentifier(one), variableOf(one)]));
  const identifiers = new RegExp(`(${[...variables.keys()].join('|')})`);
  return text
    .split(identifiers)
    .filter((part) => part !== '')
    .map((part) => {
      const variable = variables.get(part);
      return variable === undefined ? { text: part } : { text: part, variable };
    });
}

/** A query as it stands behind a path; its values need no encoding. */
export function queryText(query: Request['query'] = []): string {
  const pairs = query.map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
