/** Requests as TypeScript, with `fetch`. */
import type { Resource } from '../../src/core/schema/define.ts';
import { type Language, piecesOf, queryText, type Request, variableOf } from './language.ts';
import { literal, type Syntax } from './literal.ts';

/** Readers see this. `any`, since a program without the client has no types for answers, and `json()` gives `unknown`. */
const CALL = `async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(API + path, {
    method,
    headers: { Authorization: \`Bearer \${KEY}\`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: any = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}`;

export function typescriptFor(resources: readonly Resource[]): Language {
  const quoted = (text: string): string => {
    const pieces = piecesOf(text, resources);
    const [only] = pieces;
    if (pieces.length === 1 && only?.variable !== undefined) return only.variable;
    if (pieces.every(({ variable }) => variable === undefined)) return single(text);
    return `\`${pieces.map((one) => (one.variable === undefined ? one.text : `\${${one.variable}}`)).join('')}\``;
  };
  const syntax: Syntax = {
    text: quoted,
    member: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : single(name)}: `,
    word: String,
  };
  return {
    name: 'ts',
    setUp: (own, address) =>
      [
        `const API = '${address}';`,
        "const KEY = 'sk_test_…';",
        ...own.map((one) => `const ${variableOf(one)} = '${one.prefix}…';`),
        '',
        CALL,
      ].join('\n'),
    request: ({ method, path, query, body, gives }: Request) => {
      const target = quoted(path + queryText(query));
      const sent = body === undefined ? '' : `, ${literal(body, syntax)}`;
      // The status is that of the request, and says nothing of its rows.
      const failing = Array.isArray(body)
        ? `\nfor (const { error } of ${gives}.data) if (error) console.error(error.message);\nif (${gives}.summary.failed > 0) process.exitCode = 1;`
        : '';
      return `const ${gives} = await call('${method}', ${target}${sent});\nconsole.log(${gives});${failing}`;
    },
  };
}

function single(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
