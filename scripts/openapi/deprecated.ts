/** Marks deprecated parts of the OpenAPI document. */
import type { Deprecation } from '../../src/core/schema/present/deprecations.ts';
import { deprecated as headers } from './headers.ts';

interface Operation {
  readonly parameters?: readonly { readonly name?: string }[];
  readonly responses?: Readonly<Record<string, { readonly headers?: object }>>;
}

/** The path items, with `deprecated: true` where the table says so. */
export function marked(
  paths: Readonly<Record<string, object>>,
  table: readonly Deprecation[],
): Record<string, object> {
  const result: Record<string, object> = { ...paths };
  for (const { operation, parameter } of table) {
    const [verb = '', path = ''] = operation.split(' ');
    const method = verb.toLowerCase();
    const item = result[path] as Readonly<Record<string, Operation>> | undefined;
    const found = item?.[method];
    if (found === undefined) throw new TypeError(`There is no ${operation} to be deprecated.`);
    const responses = Object.entries(found.responses ?? {}).map(([status, answer]) => [
      status,
      { ...answer, headers: { ...answer.headers, ...headers } },
    ]);
    const parameters = found.parameters?.map((one) =>
      one.name === parameter ? { ...one, deprecated: true } : one,
    );
    const mark = parameter === undefined ? { deprecated: true } : { parameters };
    result[path] = {
      ...item,
      [method]: { ...found, ...mark, responses: Object.fromEntries(responses) },
    };
  }
  return result;
}
