/** What the search on the pages looks through: each stretch of text below a heading. */
import { textOf } from './html.ts';
import type { ManualPage } from './pages.ts';
import type { Rendered } from './render.ts';

export interface Section {
  /** The page. */
  readonly path: string;
  readonly page: string;
  /** The heading, and its anchor; neither for what stands above the first. */
  readonly heading?: string;
  readonly id?: string;
  readonly text: string;
}

export function searchable(page: ManualPage, { html }: Rendered): Section[] {
  const [top = '', ...sections] = html.split(/(?=<h[2-4] id=")/);
  const { path, title } = page;
  return [
    { path, page: title, text: plain(top.replace(/<h1>.*?<\/h1>/s, '')) },
    ...sections.map((section) => {
      const [whole = '', id = '', heading = ''] =
        /^<h\d id="([^"]*)">(.*?)<\/h\d>/s.exec(section) ?? [];
      return {
        path,
        page: title,
        heading: textOf(heading),
        id,
        text: plain(section.slice(whole.length)),
      };
    }),
  ];
}

/** Without code: what it says is said in words beside it, and it is most of the bytes. */
function plain(html: string): string {
  const words = html
    .replace(/<div class="bar">.*?<\/div>\n|<pre.*?<\/pre>/gs, ' ')
    .replace(/<\/(?:td|th|li|p)>|<br>/g, ' ');
  return textOf(words).replace(/\s+/g, ' ').trim();
}
