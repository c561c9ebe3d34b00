/** The list of all pages, for the folder of their files. */

import type { Resource } from '../../src/core/schema/define.ts';
import { headingOf } from '../../src/core/schema/present/words.ts';
import { linkFrom } from '../../src/edge/reference/page/links.ts';
import { chaptersOf, FRONT, INTRODUCTION, sourceOf } from '../../src/edge/reference/pages.ts';
import { paragraphs } from './markdown.ts';

export function frontMarkdown(resources: readonly Resource[]): string {
  const chapters = chaptersOf(
    resources.map((one) => ({ path: one.path, title: headingOf(one), says: one.says })),
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
