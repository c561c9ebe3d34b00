/** The list of all pages, for the folder of their files. */

import { linkFrom } from '../../manual/page/links.ts';
import { chaptersOf, FRONT, INTRODUCTION, pagedAs, sourceOf } from '../../manual/pages.ts';
import type { Resource } from '../../src/core/schema/define.ts';
import { paragraphs } from './markdown.ts';

export function frontMarkdown(resources: readonly Resource[]): string {
  const chapters = chaptersOf(resources.map(pagedAs));
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
