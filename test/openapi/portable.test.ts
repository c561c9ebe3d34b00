/** What other languages and tools make of the OpenAPI document: its names, patterns and examples. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { resources } from '../../src/core/resources/index.ts';
import type { Body } from '../support/service.ts';

const document: Body = JSON.parse(
  JSON.stringify(openapiDocument(resources, 'https://records.example.com')),
);

/** Every object in the document, with the path to it. */
function* within(value: unknown, path: readonly string[] = []): Generator<[string[], Body]> {
  if (typeof value !== 'object' || value === null) return;
  yield [[...path], value];
  for (const [name, member] of Object.entries(value)) yield* within(member, [...path, name]);
}

/** Without what the examples hold, where any name may stand. */
const described = [...within(document)].filter(
  ([path]) => !path.some((name) => ['example', 'examples'].includes(name)),
);
const patterns = [
  ...new Set(
    described.map(([, { pattern }]) => pattern).filter((pattern) => typeof pattern === 'string'),
  ),
];

describe('patterns', () => {
  it('are read by ECMAScript with and without its Unicode flag', () => {
    assert.ok(patterns.length > 10);
    for (const pattern of patterns) {
      for (const flags of ['', 'u']) new RegExp(pattern, flags);
    }
  });

  it('use nothing that means something else, or nothing, in another language', () => {
    // Classes of Unicode, code points in braces, looking around, names and references back.
    const ofOneLanguage = /\\[pPuUxkKAZzbBGQE0-9]|\(\?(?!:)|[*+?}]\+|\[\[|&&/;
    assert.deepEqual(
      patterns.filter((pattern) => ofOneLanguage.test(pattern)),
      [],
    );
  });

  const python = spawnSync('python3', ['--version']).status === 0;
  it('are read by Python', { skip: python ? false : 'there is no python3 here' }, () => {
    const program = 'import json, re, sys\nfor one in json.load(sys.stdin): re.compile(one)';
    execFileSync('python3', ['-c', program], { input: JSON.stringify(patterns), timeout: 60_000 });
  });
});

describe('names', () => {
  it('of schemas are none that JavaScript or its surroundings know already', () => {
    const lib = dirname(createRequire(import.meta.url).resolve('typescript'));
    const globals = ['lib.es5.d.ts', 'lib.es2015.collection.d.ts', 'lib.dom.d.ts'].flatMap((file) =>
      Array.from(
        readFileSync(join(lib, file), 'utf8').matchAll(/^(?:declare var|interface|type) (\w+)/gm),
        ([, name]) => name,
      ),
    );
    assert.ok(globals.includes('Event') && globals.includes('Location'));
    const names = Object.keys(document.components.schemas);
    assert.deepEqual(
      names.filter((name) => globals.includes(name)),
      [],
    );
  });

  it('of operations are each used once', () => {
    const ids = described.flatMap(([, { operationId }]) => operationId ?? []);
    assert.deepEqual(ids, [...new Set(ids)]);
  });
});

describe('every', () => {
  it('property has a description and an example, unless what it refers to says both', () => {
    const bare = described.flatMap(([path, { properties }]) =>
      // The words of a condition describe nothing that is not described already.
      properties === undefined || path.includes('if') || path.includes('then')
        ? []
        : Object.entries<Body>(properties)
            .filter(
              ([, property]) =>
                property.$ref === undefined &&
                // What may not be sent has no example.
                (property.description === undefined ||
                  (property.not === undefined && !(property.examples?.length > 0))),
            )
            .map(([name]) => [...path, name].join('.')),
    );
    assert.deepEqual(bare, []);
  });

  it('operation says what it is for, under a heading that is described', () => {
    const headings = new Map(document.tags.map((tag: Body) => [tag.name, tag.description]));
    const operations = described.filter(([, { operationId }]) => operationId !== undefined);
    assert.ok(operations.length > 30);
    for (const [path, { summary, description, tags }] of operations) {
      assert.ok(summary && description, path.join('.'));
      assert.ok(tags.every((tag: string) => headings.get(tag)));
    }
  });

  it('component is used', () => {
    const text = JSON.stringify(document);
    const { securitySchemes: _keys, ...components } = document.components;
    for (const [kind, named] of Object.entries<Body>(components)) {
      for (const name of Object.keys(named)) {
        assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind} ${name}`);
      }
    }
  });
});
