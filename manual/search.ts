/** The index of the search on the pages: each section of text below a heading. */
import { textOf } from './page/html.ts';
import type { Rendered } from './page/render.ts';
import type { ManualPage } from './pages.ts';

export interface Section {
  readonly path: string;
  /** The title of the page: in its first section alone, as `late` is. */
  readonly page?: string;
  /** The heading, and its anchor; neither for what stands above the first. */
  readonly heading?: string;
  readonly id?: string;
  readonly text: string;
  /** Words of its code that its text lacks. */
  readonly code?: string;
  /** Found after the others: it is not for those who integrate, or only points to other pages. */
  readonly late?: true;
}

export function searchable(page: ManualPage, { html }: Rendered, isLate: boolean): Section[] {
  const [top = '', ...sections] = html.split(/(?=<h[2-4] id=")/);
  const { path, title } = page;
  const late = isLate ? ({ late: true } as const) : {};
  const seen = new Set<string>();
  return [
    { path, page: title, ...contents(top.replace(/<h1>.*?<\/h1>/s, ''), seen), ...late },
    ...sections.map((section) => {
      const [whole = '', id = '', heading = ''] =
        /^<h\d id="([^"]*)">(.*?)<\/h\d>/s.exec(section) ?? [];
      return {
        path,
        heading: textOf(heading),
        id,
        ...contents(section.slice(whole.length), seen),
      };
    }),
  ];
}

/** A name, or a part of one, that a reader would search for. */
const WORD = /[\p{L}_][\p{L}\d_.-]{3,39}/gu;

/**
 * Text as it is, and of code the words that are not in it: each once a page, since code is most of its bytes.
 * `seen` are those that the page had before.
 */
function contents(html: string, seen: Set<string>): Pick<Section, 'text' | 'code'> {
  const text = plain(html);
  const lower = text.toLowerCase();
  const words = new Set<string>();
  for (const [block] of html.matchAll(/<pre.*?<\/pre>/gs)) {
    for (const [word] of textOf(block).toLowerCase().matchAll(WORD)) {
      if (seen.has(word) || lower.includes(word)) continue;
      seen.add(word);
      words.add(word);
    }
  }
  return { text, ...(words.size > 0 && { code: [...words].join(' ') }) };
}

function plain(html: string): string {
  const words = html
    .replace(/<div class="bar">.*?<\/div>\n|<pre.*?<\/pre>/gs, ' ')
    .replace(/<\/(?:td|th|li|p)>|<br>/g, ' ');
  return textOf(words).replace(/\s+/g, ' ').trim();
}
