/** The reference of errors as Markdown, for `docs/errors.md` and `/docs/errors.md`. */
import { type ErrorGroup, errorGroups } from './error-groups.ts';
import { errorGuide, type GuideBlock } from './error-guide.ts';

export function errorsMarkdown(): string {
  return [
    '# Errors',
    'What Ledgerstone answers when a request cannot be carried out, and what to do about it.',
    ...errorGuide.flatMap(({ title, blocks }) => [`## ${title}`, ...blocks.map(block)]),
    '## All codes',
    contents(),
    ...errorGroups.flatMap(group),
  ]
    .join('\n\n')
    .concat('\n');
}

function block(one: GuideBlock): string {
  if ('text' in one) return one.text;
  if ('code' in one) return `\`\`\`json\n${one.code}\n\`\`\``;
  return one.points.map((point) => `- ${point}`).join('\n');
}

function contents(): string {
  const rows = errorGroups.map(
    ({ title, entries }) =>
      `| ${title} | ${entries.map(({ code }) => `[\`${code}\`](#${code})`).join(' ')} |`,
  );
  return ['| Status | Codes |', '|---|---|', ...rows].join('\n');
}

function group({ title, types, again, entries }: ErrorGroup): string[] {
  return [
    `### ${title}`,
    `${types.map((type) => `\`${type}\``).join(', ')}. ${advice(again)}`,
    ...entries.flatMap(({ code, type, status, message, hint }) => [
      `<a id="${code}"></a>\n#### \`${code}\``,
      `Status ${status}, type \`${type}\`.`,
      `**What it means.** ${message}`,
      `**What to do.** ${hint}`,
    ]),
  ];
}

/** Whether the same request may be sent again, in words. */
export function advice(again: boolean): string {
  return again
    ? 'The same request may be sent again.'
    : 'The same request would fail again: mend it first.';
}
