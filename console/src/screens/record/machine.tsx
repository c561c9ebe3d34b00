/** A record as programs see it: its JSON, and the requests that read and write it. */
import { record as says } from 'messages';
import { useLoad } from '../../load.ts';
import { Copy } from '../../parts/button.tsx';
import { Loading } from '../../parts/loading.tsx';
import type { ById } from '../../records/records.ts';
import { textOf } from '../../service/api.ts';

export function JsonText({ resource, id }: ById): JSX.Element {
  const path = `/v1/${resource.path}/${id}`;
  const load = useLoad(`text ${path}`, (signal) => textOf(path, signal));
  return <Loading of={load}>{(text) => <Code text={broken(text)} />}</Loading>;
}

export function Curl({ resource, id }: ById): JSX.Element {
  const url = `${location.origin}/v1/${resource.path}/${id}`;
  const [field] = resource.fields;
  return (
    <Code
      text={`# ${says.curlRead}
curl -u $KEY: ${url}

# ${says.curlHistory}
curl -u $KEY: ${url}/history

# ${says.curlChange}
curl -u $KEY: -X PATCH ${url} -d ${field?.param ?? 'name'}='…'

# ${says.curlRemove}
curl -u $KEY: -X DELETE '${url}?dry_run=true'`}
    />
  );
}

function Code({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="code">
      <Copy text={text} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people scroll it with the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** JSON in lines. Its tokens stay as they were sent: a number read and written again might lose digits. */
export function broken(json: string): string {
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  return tokens
    .map((token, index) => {
      if (token === '{' || token === '[') {
        const isEmpty = tokens[index + 1] === '}' || tokens[index + 1] === ']';
        if (isEmpty) return token;
        depth += 1;
        return token + line();
      }
      if (token === '}' || token === ']') {
        const isEmpty = tokens[index - 1] === '{' || tokens[index - 1] === '[';
        if (isEmpty) return token;
        depth -= 1;
        return line() + token;
      }
      if (token === ',') return token + line();
      return token === ':' ? ': ' : token;
    })
    .join('');
}
