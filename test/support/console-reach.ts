/** Whether a screen of the console is there for everybody: by keys alone, at 400 %, in forced colours, and for those who only hear it. */
import type { BrowserContext, Page } from 'playwright-core';
import { overflows } from './console-page.ts';
import { isLoaded, resize } from './console-settled.ts';
import { until } from './until.ts';

/** Notes what live regions say, in whatever the window opens. */
export function listen(window: BrowserContext): Promise<unknown> {
  return window.addInitScript(`
    globalThis.said = [];
    new MutationObserver((all) => {
      for (const { addedNodes, target } of all)
        for (const node of [...addedNodes, target]) {
          const near = node instanceof Element ? node : node.parentElement;
          const region = near?.closest('[role=status], [role=alert], [aria-live]');
          const all = region ? [region] : [...(near?.querySelectorAll('[role=alert]') ?? [])];
          for (const one of all) if (one.textContent.trim()) said.push(one.textContent.trim());
        }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  `);
}

/** As it is at 400 % on a usual screen. */
const ENLARGED = { width: 320, height: 256 };
/** Pixels that a finger hits. */
const TARGET = 24;
/** Of a long list, as many as tell of the others. */
const STOPS = 80;

/** What is wrong with the screen as it stands: looked at, and not touched. */
export async function unreachable(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  await resize(page, ENLARGED);
  if (await overflows(page)) {
    const wide = await page.evaluate<string>(WIDE);
    found.push(`At 320 pixels it is wider than the window: ${wide}`);
  }
  found.push(...(await page.evaluate<string[]>(COVERED)));
  await page.emulateMedia({ forcedColors: 'active' });
  found.push(...(await page.evaluate<string[]>(UNMARKED)));
  await page.emulateMedia({ forcedColors: null });
  if (before !== null) await resize(page, before);
  found.push(...(await page.evaluate<string[]>(SMALL)));
  return found;
}

const NAME = `const nameOf = (one) => \`<\${one.localName}> \${(one.ariaLabel || one.labels?.[0]?.innerText || one.innerText || one.className || '').trim().slice(0, 40)}\`;`;

/** What reaches beyond the window. */
const WIDE = `(() => {
  ${NAME}
  return [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth).map(nameOf).join(', ');
})()`;

/** Stops of the Tab key that are wholly behind something. */
const COVERED = `(() => {
  ${NAME}
  const found = [];
  const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('main');
  const stops = [...place.querySelectorAll('a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.unseen')).slice(0, ${STOPS});
  for (const one of stops) {
    one.focus();
    const { x, y, width, height } = one.getBoundingClientRect();
    let seen = false;
    for (let across = 0.05; across < 1 && !seen; across += 0.15)
      for (let down = 0.1; down < 1 && !seen; down += 0.2) {
        const top = document.elementFromPoint(x + width * across, y + height * down);
        seen = top !== null && (one.contains(top) || one.labels?.[0]?.contains(top));
      }
    if (!seen) found.push('Behind something while it has the focus: ' + nameOf(one));
  }
  document.activeElement?.blur();
  scrollTo(0, 0);
  return found;
})()`;

/** What is chosen, and looks like what is not. */
const UNMARKED = `(() => {
  ${NAME}
  const looks = (one) => {
    const { borderColor, borderStyle, borderWidth, outlineStyle, backgroundColor, textDecorationLine } = getComputedStyle(one);
    return [borderColor, borderStyle, borderWidth, outlineStyle, backgroundColor, textDecorationLine].join();
  };
  const chosen = [...document.querySelectorAll('[aria-current], [aria-pressed="true"]')].filter((one) => one.checkVisibility());
  return chosen.flatMap((one) => {
    const others = [...document.querySelectorAll(one.localName)].filter((other) =>
      other.closest('nav, .panel, section, fieldset') === one.closest('nav, .panel, section, fieldset') &&
      !other.hasAttribute('aria-current') && other.getAttribute('aria-pressed') !== 'true' && other.className === one.className);
    return others.some((other) => looks(other) === looks(one)) ? ['In forced colours not to be told from others: ' + nameOf(one)] : [];
  });
})()`;

/** What is to be filled in and can hardly be seen: its border has less than 3 : 1 against what is around it, light or dark. */
export async function faint(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const some = await page.evaluate<string[]>(FAINT);
    found.push(...some.map((one) => `${colorScheme}: ${one}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

const FAINT = `(() => {
  ${NAME}
  const paint = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const lightOf = (colors) => {
    paint.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      paint.fillStyle = color;
      paint.fillRect(0, 0, 1, 1);
    }
    const [r, g, b] = [...paint.getImageData(0, 0, 1, 1).data].map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const around = (one) => {
    const all = [];
    for (let at = one.parentElement; at !== null; at = at.parentElement) all.unshift(getComputedStyle(at).backgroundColor);
    return all;
  };
  return [...document.querySelectorAll('main :is(input, select, textarea), dialog[open] :is(input, select, textarea)')]
    .filter((one) => one.checkVisibility() && !one.disabled && !['checkbox', 'radio', 'file', 'hidden', 'range'].includes(one.type) && !one.closest('.unseen'))
    .flatMap((one) => {
      const { borderTopColor, borderTopStyle, borderTopWidth } = getComputedStyle(one);
      const [edge, page] = [lightOf([...around(one), borderTopColor]), lightOf(around(one))];
      const contrast = (Math.max(edge, page) + 0.05) / (Math.min(edge, page) + 0.05);
      const isLine = borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0;
      return isLine && contrast >= 3 ? [] : ['A border of ' + contrast.toFixed(2) + ' : 1: ' + nameOf(one)];
    });
})()`;

/** As on a phone. */
const PHONE = { width: 390, height: 844 };

/** What is ugly on a phone: what an empty field asks for is cut off, a line begins with the dot that parts values, a sentence with a small letter, and a colon stands as in English. */
export async function ugly(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  await resize(page, PHONE);
  const found = await page.evaluate<string[]>(UGLY);
  if (before !== null) await resize(page, before);
  return found;
}

const UGLY = `(async () => {
  // Columns are folded by the width of their table, one after the other: all are when nothing changes any more.
  for (let same = 0, last = ''; same < 3; ) {
    await new Promise((done) => requestAnimationFrame(done));
    const now = document.body.outerHTML;
    same = now === last ? same + 1 : 0;
    last = now;
  }
  const found = [];
  const paint = document.createElement('canvas').getContext('2d');
  for (const one of document.querySelectorAll('input[placeholder]')) {
    if (!one.checkVisibility()) continue;
    const { font, paddingLeft, paddingRight } = getComputedStyle(one);
    paint.font = font;
    if (paint.measureText(one.placeholder).width > one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight))
      found.push('Cut off: ' + one.placeholder);
  }
  for (const one of document.querySelectorAll('.rows .folded > span')) {
    if (getComputedStyle(one, '::before').content === 'none' || one.getClientRects().length === 0) continue;
    const dot = one.getClientRects()[0];
    if (dot.left - one.parentElement.getBoundingClientRect().left < 2 && dot.width > 0)
      found.push('A line begins with the dot before: ' + one.innerText);
  }
  for (const { children: [title, close] } of document.querySelectorAll('dialog[open] > header'))
    if (close?.getBoundingClientRect().top >= title.getBoundingClientRect().bottom)
      found.push('What closes it stands below the title: ' + title.innerText);
  for (const one of document.querySelectorAll('.about'))
    if (/^\\p{Ll}+[ ,.]/u.test(one.innerText.trim())) found.push('A small letter begins: ' + one.innerText);
  if (document.documentElement.lang === 'fr') {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const said = [...document.querySelectorAll('[data-label], [aria-label]')].flatMap((one) => [one.dataset.label ?? '', one.ariaLabel ?? '']);
    while (texts.nextNode())
      if (!texts.currentNode.parentElement.closest('script, noscript, code, pre, body [lang="en"]')) said.push(texts.currentNode.data);
    for (const text of said) if (/\\p{L}: /u.test(text)) found.push('In French a colon has a space before it: ' + text);
  }
  return found;
})()`;

/** Targets that are too low, but for those in a line of text. */
const SMALL = `(() => {
  ${NAME}
  return [...document.querySelectorAll('.rows a, .rows button, main summary, .kin a, .found a')]
    .filter((one) => one.checkVisibility() && !one.closest('thead'))
    .flatMap((one) => {
      const { height } = one.getBoundingClientRect();
      return height < ${TARGET} - 0.5 ? [\`Only \${height} pixels high: \${nameOf(one)}\`] : [];
    });
})()`;

/** What is done by keys on a screen, where it is there; a way back follows. */
const ACTS = [
  ['the way past the navigation', '.skip'],
  ['a row', 'main tbody th a[href], main [data-row] > a[href]'],
  ['a filter', 'main .chips > button.chip'],
  ['a search', 'main input[type="search"]'],
  ['a menu', 'main .chips summary'],
  ['a tab', 'main .tabs a:not([aria-current])'],
  ['older ones', 'main .pages a[rel="next"]'],
  ['the main button', 'main .heading .actions > button:not(.square), main .empty > button'],
  ['what can be done', 'main .heading .menu.end > summary'],
  ['a link of the navigation', '#nav li a:not([aria-current])'],
] as const;

/** What changes rows, and nothing that has the focus. */
const TELLS: readonly string[] = ['a filter', 'a search', 'older ones'];

/** What a dialog has taken over from where it is opened: it reads as the page does. */
const STRANGE = `(() => {
  const [own, page] = [...document.querySelectorAll('dialog[open]')].slice(-1).concat(document.body).map((one) => getComputedStyle(one));
  return ['color', 'cursor', 'fontFamily', 'fontSize', 'fontStyle', 'fontVariantNumeric', 'fontWeight', 'letterSpacing', 'lineHeight', 'listStyleType', 'textAlign', 'textTransform', 'visibility', 'whiteSpace', 'wordBreak', 'overflowWrap']
    .filter((name) => own[name] !== page[name]).map((name) => name + ' of the dialog is ' + own[name] + ', and ' + page[name] + ' on the page');
})()`;

const FOCUSED = `(({ activeElement: one }) =>
  one === null || one === document.body || one.id === 'content'
    ? ''
    : one.localName + ' ' + (one.ariaLabel || one.labels?.[0]?.innerText || one.textContent || '').trim())(document)`;

/** What goes wrong when it is used by keys: after each act the focus is on something with a name, and what has changed is told. */
export async function lostByKeys(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  const start = page.url();
  const pathNow = (): string => new URL(page.url()).pathname;
  const [startPath, way] = [pathNow(), ACTS[0][0]];
  if ((await page.locator('dialog[open]').count()) > 0) return [];
  for (const [name, selector] of ACTS) {
    const target = page.locator(selector).first();
    if ((await target.count()) === 0 || (name !== way && !(await target.isVisible()))) continue;
    await page.evaluate('said.length = 0');
    await target.focus();
    await page.keyboard.press(name === 'a search' ? 'z' : 'Enter');
    // Most open a dialog, whose script or list may be late.
    const dialog = page.locator('dialog[open]');
    if (name === 'the main button')
      await until(async () => (await dialog.count()) > 0, 1_000).catch(() => undefined);
    const isOn = await until(
      async () => (await page.evaluate<string>(FOCUSED)) !== '' && (await isLoaded(page)),
      3_000,
    ).then(
      () => true,
      () => false,
    );
    const on = await page.evaluate<string>(FOCUSED);
    if (!isOn || on === '') found.push(`After ${name} the focus is on nothing.`);
    if (name === way && !on.startsWith('h1')) found.push(`${name} leads to ${on}.`);
    if (TELLS.includes(name)) {
      const isTold = await until(() => page.evaluate<boolean>('said.length > 0'), 3_000).then(
        () => true,
        () => false,
      );
      if (!isTold) found.push(`After ${name} nothing is told.`);
    } else if (pathNow() !== startPath && !/^(?:h1|h2|input|button)/.test(on))
      found.push(`${name} leads to another screen, and the focus is on ${on}.`);
    if ((await dialog.count()) > 0) {
      const strange = await page.evaluate<string[]>(STRANGE);
      found.push(...strange.map((one) => `${name}: ${one}`));
      found.push(...(await lacking(page)).map((one) => `${name}: ${one}`));
      await page.keyboard.press('Escape');
      await until(async () => (await dialog.count()) === 0, 3_000).catch(() =>
        found.push(`${name}: Escape does not leave the dialog.`),
      );
    } else if (page.url() === start) await page.keyboard.press('Escape');
    if (page.url() !== start) {
      await page.goBack();
      await until(() => isLoaded(page), 3_000).catch(() => undefined);
    }
    if (name !== way)
      await until(async () => (await page.evaluate<string>(FOCUSED)) !== '', 2_000).catch(() =>
        found.push(`On the way back from ${name} the focus is on nothing.`),
      );
  }
  return found;
}

/** A form that is sent as it is says what is missing, where typing goes on. */
async function lacking(page: Page): Promise<readonly string[]> {
  const form = page.locator('dialog[open] form').last();
  if ((await form.locator('[aria-required="true"]').count()) === 0) return [];
  const empty = await form
    .locator('[aria-required="true"]')
    .evaluateAll((all) => all.some((one) => (one as unknown as { value?: string }).value === ''));
  if (!empty) return [];
  const found: string[] = [];
  if (!(await form.innerText()).includes('required')) found.push('No word says what is required.');
  await form.locator('[type="submit"]').press('Enter');
  await form
    .getByRole('alert')
    .first()
    .waitFor({ timeout: 3_000 })
    .catch(() => found.push('Sent as it is, it says nothing.'));
  // Whatever is then asked for could be seen before.
  const unmarked = await form
    .locator('.field:has([aria-invalid="true"])')
    .evaluateAll((all) =>
      all
        .map((one) => one.querySelector(':scope > :is(label, legend)')?.textContent ?? '')
        .filter((label) => !label.endsWith('required')),
    );
  found.push(...unmarked.map((label) => `${label} is asked for, and was not marked as required.`));
  const isWrong = "document.activeElement.closest('[aria-invalid=true], .own, .picker') !== null";
  await until(() => page.evaluate<boolean>(isWrong), 3_000).catch(() =>
    found.push('Typing does not go on where it lacks.'),
  );
  return found;
}
