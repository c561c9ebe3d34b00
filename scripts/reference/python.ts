/** Requests as Python, with its standard library alone. */
import type { Resource } from '../../src/core/schema/define.ts';
import { type Language, piecesOf, queryText, type Request, variableOf } from './language.ts';
import { literal, type Syntax } from './literal.ts';

const CALL = `def call(method, path, body=None):
    request = urllib.request.Request(
        API + path,
        method=method,
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
        data=None if body is None else json.dumps(body).encode(),
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)["error"]["message"])`;

export function pythonFor(resources: readonly Resource[]): Language {
  const quoted = (text: string): string => {
    const pieces = piecesOf(text, resources);
    const [only] = pieces;
    if (pieces.length === 1 && only?.variable !== undefined) return only.variable;
    if (pieces.every(({ variable }) => variable === undefined)) return JSON.stringify(text);
    return `f"${pieces.map((one) => (one.variable === undefined ? one.text : `{${one.variable}}`)).join('')}"`;
  };
  const syntax: Syntax = {
    text: quoted,
    member: (name) => `${JSON.stringify(name)}: `,
    word: (value) => ({ true: 'True', false: 'False', null: 'None' })[String(value)] ?? '',
  };
  return {
    name: 'python',
    setUp: (own, address) =>
      [
        'import json',
        'import urllib.error',
        'import urllib.request',
        '',
        `API = "${address}"`,
        'KEY = "sk_test_…"',
        ...own.map((one) => `${variableOf(one)} = "${one.prefix}…"`),
        '',
        '',
        CALL,
      ].join('\n'),
    request: ({ method, path, query, body, gives }: Request) => {
      const target = quoted(path + queryText(query));
      const sent = body === undefined ? '' : `, ${literal(body, syntax)}`;
      // The status is that of the request, and says nothing of its rows.
      const failing = Array.isArray(body)
        ? `\nif ${gives}["summary"]["failed"] > 0:\n    raise SystemExit(1)`
        : '';
      return `${gives} = call("${method}", ${target}${sent})\nprint(${gives})${failing}`;
    },
  };
}
