/** Small pieces of Markdown. */
import type { Kind } from '../../src/core/schema/fields/kind.ts';

const MAX_LIMIT = 500;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Paragraphs, headings and blocks as one text. */
export function paragraphs(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A phrase as a sentence begins; a name, such as `unique_identifier`, stays. */
export function capital(phrase: string): string {
  return /^\w+_/.test(phrase) ? phrase : phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/** The kind and its limit, unless that would fill the page, as a choice of all error codes does. */
export function kindInWords({ name, limit = '' }: Kind<unknown>): string {
  return limit === '' || limit.length > MAX_LIMIT ? name : `${name}, ${limit}`;
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
