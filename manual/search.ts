/** The index of the search on the pages: each section of text below a heading. */
import { textOf } from './page/html.ts';
import { anchorOf, type Rendered } from './page/render.ts';
import type { ManualPage } from './pages.ts';

export interface Searched {
  readonly path: string;
  /** The title of the page. */
  readonly page: string;
  /** Found after the others: it is not for those who integrate, or only points to other pages. */
  readonly late?: true;
  readonly sections: readonly Section[];
}

interface Section {
  /** The heading, and its anchor where that does not follow from it; neither for what stands above the first. */
  readonly heading?: string;
  readonly id?: string;
  readonly text: string;
  /** Words of its code that its text lacks. */
  readonly code?: string;
}

export function searchable(page: ManualPage, { html }: Rendered, isLate: boolean): Searched {
  const [top = '', ...sections] = html.split(/(?=<h[2-4] id=")/);
  const { path, title } = page;
  const seen = new Set<string>();
  return {
    ...{ path, page: title, ...(isLate && { late: true }) },
    sections: withoutRefrains([
      contents(top.replace(/<h1>.*?<\/h1>/s, ''), seen),
      ...sections.map((section) => {
        const [whole = '', id = '', heading = ''] =
          /^<h\d id="([^"]*)">(.*?)<\/h\d>/s.exec(section) ?? [];
        const text = textOf(heading);
        const own = id === anchorOf(text) ? {} : { id };
        return { heading: text, ...own, ...contents(section.slice(whole.length), seen) };
      }),
    ]),
  };
}

/** The most sections of a page in which the same sentence tells one from another. */
const TELLING = 4;
const SENTENCE = /[^.]+\.(?:\s|$)/g;

/** Leaves out sentences that stand in many sections of a page, such as the type of an error. */
function withoutRefrains(sections: readonly Section[]): readonly Section[] {
  const counts = new Map<string, number>();
  for (const { text } of sections)
    for (const sentence of new Set(text.match(SENTENCE)))
      counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  return sections.map((section) => {
    const text = section.text.replace(SENTENCE, (sentence) =>
      (counts.get(sentence) ?? 0) > TELLING ? '' : sentence,
    );
    return { ...section, text };
  });
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

/** A list of many codes, each of which is the heading of a section. */
const CODES = /(?:<a href="#[\w-]+"><code>[^\s]*<\/code><\/a>\s*){4,}/g;

function plain(html: string): string {
  const words = html
    .replace(CODES, ' ')
    .replace(/<div class="bar">.*?<\/div>\n|<pre.*?<\/pre>/gs, ' ')
    .replace(/<\/(?:td|th|li|p)>|<br>/g, ' ');
  return textOf(words).replace(/\s+/g, ' ').trim();
}
