/** The list of all pages, for the folder of their files. */
import { tagName } from '../../src/openapi/names.ts';
import { linkFrom } from '../../src/reference/links.ts';
import { chaptersOf, FRONT, INTRODUCTION, sourceOf } from '../../src/reference/pages.ts';
import type { Resource } from '../../src/schema/define.ts';
import { paragraphs } from './markdown.ts';

export function frontMarkdown(resources: readonly Resource[]): string {
  const chapters = chaptersOf(
    resources.map((one) => ({ path: one.path, title: tagName(one), says: one.says })),
  );
  return paragraphs([
    '# Documentation',
    INTRODUCTION,
    ...chapters.flatMap(({ title, pages }) => [
      `## ${title}`,
      pages
        .filter(({ file }) => file !== FRONT)
        .map(
          (page) =>
            `- [${page.title}](${linkFrom(`/docs/${FRONT}`, `/${sourceOf(page)}`)}): ${page.says}`,
        )
        .join('\n'),
    ]),
  ]);
}
