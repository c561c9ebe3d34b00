/** A path that an object of ours declares for its list is that of an operation, which answers with that list. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { ownObjects } from '../../scripts/own-tables.ts';
import { resources } from '../../src/core/resources/index.ts';

interface Responses {
  readonly responses: Readonly<Record<string, object>>;
}

const { paths, components } = openapiDocument(resources, 'http://localhost') as {
  readonly paths: Readonly<Record<string, { readonly get?: Responses }>>;
  readonly components: Responses;
};

/** The response of a list, which several operations may share. */
function responseOf(operation: Responses | undefined): object | undefined {
  const found = operation?.responses['200'] as { readonly $ref?: string } | undefined;
  const name = found?.$ref?.split('/').at(-1);
  return name === undefined ? found : components.responses[name];
}

describe('The list of', () => {
  for (const { typeName, path } of ownObjects)
    if (path !== undefined)
      it(`${typeName} is answered at ${path}`, () => {
        const operation = paths[path.replace(/\{\w+\}/, '{unique_identifier}')]?.get;
        const list = `"#/components/schemas/${typeName.replace(/Entry$/, '')}List"`;
        assert.ok(
          JSON.stringify(responseOf(operation))?.includes(list),
          `no operation answers ${list}`,
        );
      });
});
