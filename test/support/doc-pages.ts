/** The fenced blocks of the documentation, and which of them a reader runs against a service. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');

/**
 * - `variables`: shell lines that only set variables; what the reader has to put in is written as `…`
 * - `request`: shell that calls curl, or JavaScript; it stands on the variables that were set above it
 * - `answer`: the JSON that a request prints, directly below it
 * - `program`: a piece of TypeScript or Python; all pieces of a page are one program
 * - `file`: a program of its own, in TypeScript or Python, that names its file in the first line
 * - `command`: any other shell: commands of the machine that the service runs on
 * - `other`: what is shown and not run
 */
export type BlockKind =
  | 'variables'
  | 'request'
  | 'answer'
  | 'program'
  | 'file'
  | 'command'
  | 'other';

export interface Block {
  readonly kind: BlockKind;
  readonly language: string;
  readonly text: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
}

export interface Page {
  readonly path: string;
  readonly blocks: readonly Block[];
}

export function pages(): Page[] {
  const paths = globSync(['docs/*.md', 'docs/resources/*.md'], { cwd: project }).sort();
  return ['README.md', ...paths].map((path) => ({
    path,
    blocks: blocksOf(readFileSync(join(project, path), 'utf8')),
  }));
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const found of text.matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
    const [whole, language = '', body = ''] = found;
    const isBelow = text.slice(end, found.index).trim() === '';
    const above = isBelow ? blocks.at(-1)?.kind : undefined;
    const follows = above === 'request' || above === 'program';
    const line = text.slice(0, found.index).split('\n').length;
    blocks.push({ kind: kindOf(language, body, follows), language, text: body, line });
    end = found.index + whole.length;
  }
  return blocks;
}

function kindOf(language: string, body: string, follows: boolean): BlockKind {
  if (language === 'json') return follows ? 'answer' : 'other';
  if (language === 'js') return 'request';
  if (/^(?:\/\/|#) [\w-]+\.(?:ts|py): /.test(body)) return 'file';
  if (language === 'ts' || language === 'python') return 'program';
  if (language !== 'sh') return 'other';
  if (/^\s*curl /m.test(body)) return 'request';
  return /^(?:[A-Z_]+=\S*(?: +#.*)?\n)+$/.test(body) ? 'variables' : 'command';
}
