/**
 * Renders Markdown as the HTML of a page: headings get anchors, and code in several languages is shown in one place.
 */
import { Marked, type Token, type Tokens } from 'marked';
import { highlight } from './highlight.ts';
import { escapeHtml, textOf } from './html.ts';

export interface Heading {
  readonly id: string;
  readonly depth: number;
  readonly text: string;
}

export interface Rendered {
  readonly title: string;
  readonly html: string;
  /** All but the title. */
  readonly headings: readonly Heading[];
}

/** The languages that stand for each other: one is shown, and the reader chooses which. */
const CHOICES: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  csharp: 'C#',
  java: 'Java',
  ruby: 'Ruby',
};

const ENDPOINT = /^(GET|POST|PATCH|DELETE) (\/\S+)$/;

/** One block of code, or several that say the same in different languages. */
interface Examples extends Tokens.Generic {
  readonly type: 'examples';
  readonly codes: readonly Tokens.Code[];
  /** Whether it shows what the block above it prints. */
  readonly answers: boolean;
}

/** `resolve` gives the address of a link, or `undefined` for one that leads nowhere here. */
export function render(markdown: string, resolve: (href: string) => string | undefined): Rendered {
  const headings: Heading[] = [];
  const idOf = anchors();
  let title = '';
  const marked = new Marked({
    gfm: true,
    extensions: [{ name: 'examples', renderer: (token) => examples(token as Examples) }],
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const text = textOf(html);
        if (depth === 1) {
          title = text;
          return `<h1>${html}</h1>\n`;
        }
        const id = idOf(text);
        headings.push({ id, depth, text });
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const address = resolve(href);
        return address === undefined ? html : `<a href="${escapeHtml(address)}">${html}</a>`;
      },
      // Within a list: what stands below each other elsewhere is joined above.
      code: (code) => examples({ codes: [code], answers: false }),
      codespan: ({ text }) => `<code>${breakable(escapeHtml(text))}</code>`,
      paragraph({ tokens }) {
        const endpoint = endpointOf(tokens);
        return endpoint ?? `<p>${this.parser.parseInline(tokens)}</p>\n`;
      },
      table({ header, rows }) {
        const names = header.map(({ tokens }) => this.parser.parseInline(tokens));
        const body = rows.map((cells) =>
          cells.map(({ tokens }) => this.parser.parseInline(tokens)),
        );
        return table(names, body);
      },
      html: ({ text }) => (/^<br\s*\/?>$/.test(text) ? '<br>' : ''),
    },
  });
  const tokens = joined(marked.lexer(markdown));
  const html = marked.parser(tokens);
  return { title, html, headings };
}

/** Blocks of code that stand directly below each other become one, where their languages stand for each other. */
function joined(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (const token of tokens) {
    const above = result.findLast(({ type }) => type !== 'space');
    if (token.type !== 'code') {
      result.push(token);
      continue;
    }
    const code = token as Tokens.Code;
    const last = above?.type === 'examples' ? (above as Examples) : undefined;
    const { lang = '' } = code;
    const isChoice = (one: Tokens.Code): boolean =>
      one.lang !== lang && one.lang !== undefined && one.lang in CHOICES;
    if (last !== undefined && lang in CHOICES && last.codes.every(isChoice)) {
      result.splice(result.indexOf(last), 1, { ...last, codes: [...last.codes, code] });
    } else {
      const answers =
        lang === 'json' &&
        last !== undefined &&
        last.codes.some(({ lang = '' }) => lang in CHOICES);
      result.push({ type: 'examples', raw: code.raw, codes: [code], answers } satisfies Examples);
    }
  }
  return result;
}

function examples({ codes, answers }: Pick<Examples, 'codes' | 'answers'>): string {
  const [first] = codes;
  const names = codes.map(({ lang = '' }) => lang);
  const chosen = names.length > 1;
  const label = answers
    ? 'Answer'
    : first?.lang === 'sh' && !first.text.includes('curl ')
      ? 'Shell'
      : (CHOICES[first?.lang ?? ''] ?? labelOf(first?.lang));
  const bar = chosen
    ? `<div class="choices" role="group" aria-label="Language">${names
        .map((name) => `<button type="button" data-choose="${name}">${CHOICES[name]}</button>`)
        .join('')}</div>`
    : '';
  const panels = codes.map(
    ({ lang = '', text }) =>
      `<pre tabindex="0" data-language="${escapeHtml(lang)}"><code>${highlight(text, lang)}</code></pre>`,
  );
  return `<div class="${['code', chosen ? 'chosen' : '', answers ? 'answers' : ''].filter(Boolean).join(' ')}">
<div class="bar">${bar}<span class="label">${label}</span></div>
${panels.join('\n')}
</div>\n`;
}

function labelOf(language = ''): string {
  return (
    { json: 'JSON', sql: 'SQL', yaml: 'YAML', ini: 'Configuration', nginx: 'nginx' }[language] ??
    'Text'
  );
}

/** A paragraph that consists only of `POST /v1/…` is the address of a request. */
function endpointOf(tokens: readonly Token[]): string | undefined {
  const [only] = tokens;
  if (tokens.length !== 1 || only?.type !== 'codespan') return undefined;
  const [, method, path = ''] = ENDPOINT.exec((only as Tokens.Codespan).text) ?? [];
  if (method === undefined) return undefined;
  return `<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(escapeHtml(path))}</code></p>\n`;
}

/** Narrow windows show each row as a card, in which a cell says the name of its column. */
function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const named = names.some((name) => name !== '');
  const head = named
    ? `<thead><tr>${names.map((name) => (name === '' ? '<td></td>' : `<th scope="col">${name}</th>`)).join('')}</tr></thead>\n`
    : '';
  const body = rows.map(
    (cells) =>
      `<tr>${cells
        .map((cell, index) => {
          const label = textOf(names[index] ?? '');
          // Where no column has a name, the first cell is that of the row.
          const kind = index === 0 && !named ? 'th scope="row"' : 'td';
          return `<${kind}${label === '' ? '' : ` data-label="${escapeHtml(label)}"`}>${cell}</${kind.slice(0, 2)}>`;
        })
        .join('')}</tr>`,
  );
  // One that is wider than the window is scrolled, by keys as well.
  return `<div class="table${names.length > 2 ? ' wide" tabindex="0' : ''}"><table>\n${head}<tbody>\n${body.join('\n')}\n</tbody></table></div>\n`;
}

/** Long names may be broken after what joins their parts. */
function breakable(html: string): string {
  return html.replace(/([_/.](?=\w{3}))/g, '$1<wbr>');
}

/** Anchors as GitHub makes them, so that a link works in the files and on the pages. */
/** Returns the anchor of a heading, without the number that a page adds to those that it has already. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

function anchors(): (text: string) => string {
  const taken = new Map<string, number>();
  return (text) => {
    const plain = anchorOf(text);
    const times = taken.get(plain) ?? 0;
    taken.set(plain, times + 1);
    return times === 0 ? plain : `${plain}-${times}`;
  };
}
