/** The index of the search on the pages: each section of text below a heading. */
import { ASKED } from './asked.ts';
import { textOf } from './page/html.ts';
import { anchorOf, type Rendered } from './page/render.ts';
import type { Late, ManualPage } from './pages.ts';

export interface Searched {
  readonly path: string;
  /** The title of the page. */
  readonly page: string;
  /** Found after the others: 1 where it is not for those who integrate, 2 where it only points to other pages. */
  readonly late?: Late;
  readonly sections: readonly Section[];
}

interface Section {
  /** The heading, and its anchor where that does not follow from it; neither for what stands above the first. */
  readonly heading?: string;
  readonly id?: string;
  readonly text: string;
  /** Words of its code that its text lacks. */
  readonly code?: string;
  /** What people type who look for it, in other words than its own. */
  readonly asked?: readonly string[];
}

export function searchable(page: ManualPage, { html }: Rendered, late: Late): Searched {
  const [top = '', ...sections] = html.split(/(?=<h[2-4] id=")/);
  const { path, title } = page;
  const seen = new Set<string>();
  return {
    ...{ path, page: title, ...(late > 0 && { late }) },
    sections: withoutRefrains([
      { ...contents(top.replace(/<h1>.*?<\/h1>/s, ''), seen), ...askedOf(path) },
      ...sections.map((section) => {
        const [whole = '', id = '', heading = ''] =
          /^<h\d id="([^"]*)">(.*?)<\/h\d>/s.exec(section) ?? [];
        const text = textOf(heading);
        const own = id === anchorOf(text) ? {} : { id };
        const says = contents(section.slice(whole.length), seen);
        return { heading: text, ...own, ...says, ...askedOf(path, id) };
      }),
    ]),
  };
}

function askedOf(path: string, id?: string): Pick<Section, 'asked'> {
  const place = path.replace(/^\/docs\/?/, '') + (id === undefined ? '' : `#${id}`);
  const asked = ASKED[place];
  return asked === undefined ? {} : { asked };
}

/** The most sections of a page in which the same sentence tells one from another. */
const TELLING = 3;
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
