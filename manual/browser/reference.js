/** The script of the pages: the language of examples, copying, light and dark, and search. */

const root = document.documentElement;
const LANGUAGE = 'ledgerstone-language';
const THEME = 'ledgerstone-theme';
const MAX_FOUND = 12;
/** The factor by which later pages weigh less. */
const LATE = 3;

// Before the page is drawn, so that nothing changes under the reader's eyes.
root.classList.add('script');
const theme = kept(THEME);
if (theme !== null) root.dataset.theme = theme;

document.addEventListener('DOMContentLoaded', () => {
  choose(kept(LANGUAGE) ?? '');
  for (const button of all('[data-choose]')) {
    button.addEventListener('click', () => {
      const before = button.getBoundingClientRect().top;
      keep(LANGUAGE, button.dataset.choose ?? '');
      choose(button.dataset.choose ?? '');
      // Examples further up may have another height now.
      window.scrollBy(0, button.getBoundingClientRect().top - before);
    });
  }
  for (const code of all('.code')) addCopy(code);
  offerThemes();
  offerSearch();
  followHeadings();
});

/**
 * Shows one language in every group of examples, or the first where a group lacks it.
 * @param {string} language
 */
function choose(language) {
  for (const group of all('.chosen')) {
    const panels = [...group.querySelectorAll('pre')];
    const shown = panels.find((one) => one.dataset.language === language) ?? panels[0];
    for (const panel of panels) panel.classList.toggle('shown', panel === shown);
    for (const button of all('[data-choose]', group)) {
      button.ariaPressed = String(button.dataset.choose === shown?.dataset.language);
    }
  }
}

/** @param {HTMLElement} code */
function addCopy(code) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const panel = code.querySelector('pre.shown') ?? code.querySelector('pre');
    try {
      await navigator.clipboard.writeText(panel?.textContent ?? '');
      button.textContent = 'Copied';
    } catch {
      // Browsers copy only on pages that came by HTTPS or from this machine.
      if (panel !== null) window.getSelection()?.selectAllChildren(panel);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  code.querySelector('.bar')?.append(button);
}

function offerThemes() {
  const button = /** @type {HTMLElement} */ (document.querySelector('.theme'));
  button.hidden = false;
  button.addEventListener('click', () => {
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    const next = (root.dataset.theme ?? system) === 'dark' ? 'light' : 'dark';
    root.dataset.theme = next;
    keep(THEME, next);
  });
}

/**
 * @typedef {{ path: string, page: string, heading?: string, id?: string | undefined, text: string, code?: string, asked?: string[], late?: 1 | 2 }} Section
 */

function offerSearch() {
  const button = /** @type {HTMLElement} */ (document.querySelector('.top .search'));
  const finder = /** @type {HTMLDialogElement} */ (document.querySelector('.finder'));
  const input = /** @type {HTMLInputElement} */ (finder.querySelector('input'));
  const list = /** @type {HTMLElement} */ (finder.querySelector('ol'));
  const none = /** @type {HTMLElement} */ (finder.querySelector('.none'));
  /** @type {Promise<Section[]> | undefined} */
  let loading;

  const sections = () => {
    loading ??= fetch(at('/docs/search.json'))
      .then((answer) => answer.json())
      .then(named);
    return loading;
  };
  const open = () => {
    if (finder.open) return;
    finder.showModal();
    input.select();
    void sections();
  };
  const search = async () => {
    const asked = input.value;
    const found = find(await sections(), asked);
    if (asked !== input.value) return;
    list.replaceChildren(...found.map(({ section, words }) => entry(section, words)));
    none.textContent =
      asked.trim() === '' || found.length > 0 ? '' : `Nothing found for “${asked.trim()}”.`;
  };

  button.hidden = false;
  button.addEventListener('click', open);
  input.addEventListener('input', search);
  finder.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a');
    if (event.target === finder || link) finder.close();
  });
  finder.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') finder.close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = all('a', list);
    if (event.key === 'Enter' && event.target === input) {
      event.preventDefault();
      links[0]?.click();
    }
    if (step === undefined) return;
    event.preventDefault();
    const next = links.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step;
    (links[next] ?? (next < 0 ? input : links.at(-1)))?.focus();
  });
  document.addEventListener('keydown', (event) => {
    const writes = event.target instanceof Element && event.target.closest('input, textarea');
    const asks =
      event.key === '/' ? !writes : event.key === 'k' && (event.metaKey || event.ctrlKey);
    if (!asks || event.altKey) return;
    event.preventDefault();
    open();
  });
}

/**
 * Gives all sections of a page its path and title, and whether it is found late.
 * @param {(Pick<Section, 'path' | 'page' | 'late'> & { sections: Omit<Section, 'path' | 'page' | 'late'>[] })[]} pages
 * @returns {Section[]}
 */
function named(pages) {
  return pages.flatMap(({ sections, ...page }) =>
    sections.map((section) => ({ id: anchorOf(section.heading), ...section, ...page })),
  );
}

/**
 * As the page makes it.
 * @param {string | undefined} heading
 */
function anchorOf(heading) {
  return heading
    ?.toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Words that say nothing of what is looked for. */
const FILLERS = /^(?:an?|and|another|do|for|from|how|i|in|is|my|of|on|or|the|to|with)$/;

/**
 * Sections that have every word, or else those that have the most, the best first: a word counts most in a heading, and more where it begins one.
 * @param {Section[]} sections
 * @param {string} asked
 */
function find(sections, asked) {
  const all = asked.toLowerCase().split(/\s+/).filter(Boolean);
  const telling = all.filter((word) => !FILLERS.test(word));
  const words = telling.length > 0 ? telling : all;
  const weighed = sections
    .map((section) => {
      const title = `${section.heading ?? section.page}`.toLowerCase();
      // Its address may have the word that people use: /docs/bulk.
      const page = `${section.page} ${section.path}`.toLowerCase();
      const text = section.text.toLowerCase();
      const asked = section.asked?.map((one) => one.toLowerCase());
      let weight = section.heading === undefined ? 1 : 0;
      let has = 0;
      for (const word of words) {
        const found =
          (title === word ? 60 : 0) +
          (startsWord(title, word) ? 30 : title.includes(word) ? 12 : 0) +
          (startsWord(page, word) ? 10 : 0) +
          (startsWord(text, word) ? 4 : text.includes(word) ? 1 : 0) +
          (section.code !== undefined && startsWord(section.code, word) ? 2 : 0) +
          (asked?.some((one) => startsWord(one, word)) ? 6 : 0);
        if (found > 0) has += 1;
        weight += found;
      }
      return {
        section,
        words,
        has,
        weight: weight / LATE ** (section.late ?? 0) + meant(asked, all),
      };
    })
    .filter(({ has }) => has > 0);
  const most = Math.max(...weighed.map(({ has }) => has));
  return weighed
    .filter(({ has }) => has === most)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_FOUND);
}

/**
 * More than any words weigh, where all that was typed stands together in what people ask.
 * @param {string[] | undefined} asked
 * @param {string[]} words
 */
function meant(asked, words) {
  return asked?.some((one) => startsWord(one, words.join(' '))) ? 1_000 : 0;
}

/**
 * @param {string} text
 * @param {string} word
 */
function startsWord(text, word) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}

/**
 * @param {Section} section
 * @param {string[]} words
 */
function entry({ path, page, heading, id, text }, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = at(path) + (id === undefined ? '' : `#${id}`);
  const title = document.createElement('strong');
  title.append(...marked(heading === undefined ? page : `${page} · ${heading}`, words));
  const first = text.toLowerCase().indexOf(words[0] ?? '');
  const from = first < 60 ? 0 : text.indexOf(' ', first - 50) + 1;
  const rest = text.slice(from, from + 160);
  const end = rest.length < 160 ? rest : `${rest.slice(0, rest.lastIndexOf(' '))} …`;
  const excerpt = (from > 0 ? '… ' : '') + end;
  link.append(title, ...marked(excerpt, words));
  item.append(link);
  return item;
}

/**
 * A text with the words in it marked.
 * @param {string} text
 * @param {string[]} words
 */
function marked(text, words) {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return text.split(new RegExp(`(${escaped.join('|')})`, 'iu')).map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

/** Says in the list of headings which one is being read. */
function followHeadings() {
  const links = new Map(
    all('.contents a').map((link) => [link.getAttribute('href')?.slice(1), link]),
  );
  if (links.size === 0) return;
  const headings = all('main :is(h2, h3)[id]').filter(({ id }) => links.has(id));
  const follow = () => {
    const line = innerHeight / 4;
    const here = headings.findLast((one) => one.getBoundingClientRect().top < line);
    for (const [id, link] of links) link.classList.toggle('here', id === here?.id);
  };
  document.addEventListener('scroll', () => requestAnimationFrame(follow), { passive: true });
  follow();
}

/**
 * A path of this service, from wherever this page is served.
 * @param {string} path
 */
function at(path) {
  const folder = root.dataset.root ?? '';
  return (folder === '' ? '.' : folder.replace(/\/$/, '')) + path;
}

/**
 * @param {string} selector
 * @param {ParentNode} within
 * @returns {HTMLElement[]}
 */
function all(selector, within = document) {
  return [...within.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement);
}

/**
 * @param {string} name
 * @returns {string | null}
 */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The reader's browser stores nothing: the choice applies to this page.
  }
}
