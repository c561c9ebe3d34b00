/** The fenced blocks of the documentation, and which of them a reader runs against a service. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/**
 * - `variables`: shell lines that only set variables; what the reader has to put in is written as `…`
 * - `request`: shell that calls curl, or JavaScript; it stands on the variables that were set above it
 * - `answer`: the JSON that a request prints, directly below it or below `Answer:`
 * - `command`: any other shell: commands of the machine that the service runs on
 * - `other`: what is shown and not run
 */
export type BlockKind = 'variables' | 'request' | 'answer' | 'command' | 'other';

export interface Block {
  readonly kind: BlockKind;
  readonly language: string;
  readonly text: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
}

export interface Page {
  readonly path: string;
  /** What is run in one go by one reader: a page, or in the reference one resource. */
  readonly sessions: readonly (readonly Block[])[];
}

export function pages(): Page[] {
  const paths = ['README.md', ...globSync('docs/*.md', { cwd: project }).sort()];
  return paths.map((path) => {
    const text = readFileSync(join(project, path), 'utf8');
    return { path, sessions: sessionsOf(path, text) };
  });
}

function sessionsOf(path: string, text: string): Block[][] {
  if (path !== 'docs/resources.md') return [blocksOf(text, 1)];
  // Each resource stands for itself, below the variables at the top of the page.
  const sections = text.split(/^(?=## )/m);
  let line = 1;
  const [top = [], ...rest] = sections.map((section) => {
    const blocks = blocksOf(section, line);
    line += section.split('\n').length - 1;
    return blocks;
  });
  return rest.filter((blocks) => blocks.length > 0).map((blocks) => [...top, ...blocks]);
}

function blocksOf(text: string, firstLine: number): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const found of text.matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
    const [whole, language = '', body = ''] = found;
    const between = text.slice(end, found.index).trim();
    const follows = blocks.at(-1)?.kind === 'request' && ['', 'Answer:'].includes(between);
    const line = firstLine + text.slice(0, found.index).split('\n').length - 1;
    blocks.push({ kind: kindOf(language, body, follows), language, text: body, line });
    end = found.index + whole.length;
  }
  return blocks;
}

function kindOf(language: string, body: string, followsRequest: boolean): BlockKind {
  if (language === 'json') return followsRequest ? 'answer' : 'other';
  if (language === 'js') return 'request';
  if (language !== 'sh') return 'other';
  if (/^\s*curl /m.test(body)) return 'request';
  return /^(?:[A-Z_]+=\S*(?: +#.*)?\n)+$/.test(body) ? 'variables' : 'command';
}
