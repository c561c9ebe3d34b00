/** What other languages and tools make of the OpenAPI document: its names, patterns and examples. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
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
const patterns: readonly string[] = [
  ...new Set(
    described.flatMap(([path, { pattern, patternProperties = {} }]) =>
      // Members of records may have these names.
      ['properties', '$defs'].includes(path.at(-1) ?? '')
        ? []
        : [pattern, ...Object.keys(patternProperties)],
    ),
  ),
].filter((pattern) => typeof pattern === 'string');

describe('patterns', () => {
  it('are read by ECMAScript with and without its Unicode flag', () => {
    assert.ok(patterns.length > 10);
    for (const pattern of patterns) {
      for (const flags of ['', 'u']) new RegExp(pattern, flags);
    }
  });

  it('use nothing that means something else, or nothing, in another language', () => {
    // Classes of Unicode, code points in braces, looking around, names and references back.
    const ofOneLanguage = /\\(?:[pPUxkKAZzbBGQE0-9]|u(?![0-9a-f]{4}))|\(\?(?!:)|[*+?}]\+|\[\[|&&/;
    assert.deepEqual(
      patterns.filter((pattern) => ofOneLanguage.test(pattern)),
      [],
    );
  });

  it('are of printable ASCII: generators write them into programs as they are', () => {
    assert.deepEqual(
      patterns.filter((pattern) => !/^[ -~]+$/.test(pattern)),
      [],
    );
  });

  const has = (program: string, how = '--version'): false | string =>
    spawnSync(program, [how]).status === 0 ? false : `there is no ${program} here`;

  it('are read by Ruby', { skip: has('ruby') }, () => {
    const program = "require 'json'; JSON.parse($stdin.read).each { |one| Regexp.new(one) }";
    execFileSync('ruby', ['-e', program], { input: JSON.stringify(patterns), timeout: 60_000 });
  });

  it('are read by Java', { skip: has('java') }, () => {
    const file = join(mkdtempSync(join(tmpdir(), 'patterns-')), 'Patterns.java');
    writeFileSync(
      file,
      'class Patterns { public static void main(String[] all) { for (String one : all) java.util.regex.Pattern.compile(one); } }',
    );
    execFileSync('java', [file, ...patterns], { timeout: 240_000 });
    rmSync(dirname(file), { recursive: true });
  });

  // Go knows no code points of four digits.
  it('are read by Go, where they name no characters beyond ASCII', {
    skip: has('go', 'version'),
  }, () => {
    const file = join(mkdtempSync(join(tmpdir(), 'patterns-')), 'main.go');
    writeFileSync(
      file,
      'package main\nimport ("os"; "regexp")\nfunc main() { for _, one := range os.Args[1:] { regexp.MustCompile(one) } }\n',
    );
    const plain = patterns.filter((pattern) => !pattern.includes('\\u'));
    execFileSync('go', ['run', file, ...plain], { timeout: 240_000 });
    rmSync(dirname(file), { recursive: true });
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

  it('of schemas are in pascal case, and no two are the same without regard to case', () => {
    const names = Object.keys(document.components.schemas);
    assert.deepEqual(
      names.filter((name) => !/^(?:[A-Z][a-z0-9]+)+$/.test(name)),
      [],
    );
    assert.deepEqual(clashes(names), []);
  });

  it('of schemas are none that generators make of operations, or of members of others', () => {
    const names = new Set(Object.keys(document.components.schemas));
    const ids = described.flatMap(([, { operationId }]) => operationId ?? []);
    const ofOperations = ids.flatMap((id) =>
      ['', ...ENDINGS].map((ending) => `${pascalCase(id)}${ending}`),
    );
    const ofMembers = Object.entries<Body>(document.components.schemas).flatMap(([name, schema]) =>
      [...within(schema.properties)].flatMap(([path, { anyOf, enum: choices, type }]) =>
        // What is named elsewhere gets no name of its own.
        (anyOf ?? choices ?? type) === undefined || path.length !== 1
          ? []
          : ['', 'Enum', 'Inner', 'AnyOf', 'OneOf'].map(
              (ending) => `${name}${pascalCase(path[0] ?? '')}${ending}`,
            ),
      ),
    );
    const known = new Set([...names].map(folded));
    assert.deepEqual(
      [...ofOperations, ...ofMembers].filter((name) => known.has(folded(name))),
      [],
    );
  });

  it('of the parameters of an operation are different words in every language', () => {
    const follow = ({ $ref, ...one }: Body): Body =>
      $ref === undefined ? one : document.components.parameters[$ref.split('/').at(-1) ?? ''];
    const parameters = described.filter(([, one]) => Array.isArray(one.parameters));
    assert.ok(parameters.length > 100);
    for (const [path, one] of parameters) {
      const body = one.requestBody?.content['application/json']?.schema.properties ?? {};
      const names = one.parameters.map((parameter: Body) => follow(parameter).name);
      // Some generators make arguments of one function of both.
      assert.deepEqual(clashes([...names, ...Object.keys(body)]), [], path.join('.'));
    }
  });

  it('of members of one object are different words in every language', () => {
    for (const [path, { properties }] of described)
      if (properties !== undefined && !path.includes('if') && !path.includes('then'))
        assert.deepEqual(clashes(Object.keys(properties)), [], path.join('.'));
  });
});

describe('choices', () => {
  it('have no null among them, and are each there once', () => {
    const choices = described.filter(([, one]) => Array.isArray(one.enum));
    assert.ok(choices.length > 20);
    for (const [path, one] of choices) {
      assert.ok(!one.enum.includes(null), path.join('.'));
      assert.deepEqual(one.enum, [...new Set(one.enum)], path.join('.'));
    }
  });

  it('are different words in every language, by themselves or by names of their own', () => {
    for (const [path, one] of described)
      if (Array.isArray(one.enum)) {
        const names = one['x-enum-varnames'] ?? one.enum.map(String);
        assert.equal(names.length, one.enum.length, path.join('.'));
        assert.deepEqual(clashes(names), [], path.join('.'));
      }
  });

  it('have one type, or none', () => {
    for (const [path, { enum: choices, const: only, type }] of described)
      if ((choices ?? only) !== undefined) assert.ok(!Array.isArray(type), path.join('.'));
  });
});

/** What generators put after the name of an operation for its types. */
const ENDINGS = [
  ...[
    'Args',
    'Body',
    'BodyEnum',
    'Data',
    'Default',
    'Defaults',
    'Error',
    'Errors',
    'Header',
    'Headers',
  ],
  ...[
    'HttpError',
    'Input',
    'MutationBody',
    'MutationError',
    'MutationResult',
    'Opts',
    'Options',
    'Output',
  ],
  ...[
    'Params',
    'Parameters',
    'PathParameters',
    'PathParams',
    'Payload',
    'Query',
    'QueryError',
    'QueryKey',
  ],
  ...[
    'QueryParameters',
    'QueryParams',
    'QueryResult',
    'Request',
    'RequestBody',
    'RequestContent',
    'Resource',
  ],
  ...[
    'Response',
    'ResponseBody',
    'ResponseContent',
    'Responses',
    'ResponseSuccess',
    'ResponseError',
    'Result',
  ],
  ...[
    'Return',
    'Returns',
    'Success',
    'Type',
    'Variables',
    '200',
    '400',
    '200Response',
    '400Response',
  ],
  ...[
    'Request1',
    'Body1',
    'FormData',
    'FormUrlEncoded',
    'FormUrlEncodedBody',
    'FormUrlencodedBody',
  ],
];

function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function folded(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '').toLowerCase();
}

/** Names that become one where languages have their own cases, and no brackets or hyphens. */
function clashes(names: readonly string[]): string[][] {
  return [...Map.groupBy(names, folded).values()].filter((same) => same.length > 1);
}

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

  it('part that an answer is put together from has a name', () => {
    // What is sent to webhook endpoints is read by nobody who has no word for it.
    const parts = described.filter(([path]) => path[0] !== 'webhooks');
    assert.ok(parts.length > 1000);
    for (const [path, { allOf }] of parts)
      if (allOf !== undefined) assert.equal(path.slice(0, -1).join('.'), 'components.schemas');
  });

  it('answer says itself what it is written in', () => {
    for (const [path, { responses }] of described)
      for (const [status, answer] of Object.entries<Body>(responses ?? {}))
        if (path[0] === 'paths' && Number(status) < 400)
          assert.equal(answer.$ref, undefined, path.join('.'));
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
