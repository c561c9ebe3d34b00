/** Reads an OpenAPI document for tests: its operations, and whether a value is what it describes. */
import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Body } from './service.ts';

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly security: readonly object[] | undefined;
  readonly requestSchema: object | undefined;
  /** The schema of each answer, by status. */
  readonly answers: ReadonlyMap<number, object>;
  /** Names of the headers that each answer always has, by status. */
  readonly headers: ReadonlyMap<number, readonly string[]>;
  /** The error codes of all answers. */
  readonly codes: ReadonlySet<string>;
  readonly examples: readonly { readonly schema: object; readonly value: unknown }[];
}

export function operationsOf(document: Body): Operation[] {
  const follow = (one: Body): Body =>
    one.$ref === undefined
      ? one
      : one.$ref
          .split('/')
          .slice(1)
          .reduce((at: Body, step: string) => at[step], document);

  const examplesOf = (content: Body): { schema: object; value: unknown }[] => [
    ...(content.example === undefined ? [] : [{ schema: content.schema, value: content.example }]),
    ...Object.values<Body>(content.examples ?? {}).map((example) => ({
      schema: content.schema,
      value: follow(example).value,
    })),
  ];

  const alwaysThere = (headers: Body): string[] =>
    Object.keys(headers).filter((name) => follow(headers[name]).required !== false);

  return Object.entries<Body>(document.paths).flatMap(([path, item]) =>
    Object.entries<Body>(item).map(([method, operation]): Operation => {
      const answers = Object.entries<Body>(operation.responses).map(
        ([status, answer]) => [Number(status), follow(answer)] as const,
      );
      const errors = answers.filter(([status]) => status >= 400);
      // 304 has none, and an image is no JSON.
      const filled = answers.filter(
        ([, answer]) => answer.content?.['application/json'] !== undefined,
      );
      const contents = filled.map(([, answer]) => answer.content['application/json']);
      return {
        method: method.toUpperCase(),
        path,
        security: operation.security,
        requestSchema: operation.requestBody?.content['application/json'].schema,
        answers: new Map(
          filled.map(([status, answer]) => [status, answer.content['application/json'].schema]),
        ),
        headers: new Map(answers.map(([status, answer]) => [status, alwaysThere(answer.headers)])),
        codes: new Set(
          errors
            .flatMap(([, answer]) =>
              Object.values<Body>(answer.content['application/json'].examples ?? {}),
            )
            .map((example) => follow(example).value.error.code),
        ),
        examples: [
          ...Object.values<Body>(operation.requestBody?.content ?? {}),
          ...contents,
        ].flatMap(examplesOf),
      };
    }),
  );
}

/** Asserts that a schema of the document accepts a value. */
export function describedBy(document: Body): (schema: object, value: unknown) => void {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  addFormats.default(ajv);
  const { schemas } = document.components;
  for (const name of Object.keys(schemas)) ajv.addSchema(standingAlone(schemas[name]), name);
  return (schema, value) => {
    const accepts = ajv.compile(standingAlone(schema));
    assert.ok(accepts(value), `${JSON.stringify(accepts.errors)} in ${JSON.stringify(value)}`);
  };
}

/** The schema with its references by name alone. */
function standingAlone(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', ''));
}
