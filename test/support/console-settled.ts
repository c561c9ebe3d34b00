/** When a page of the console has done what it was about to do. */
import type { Page, Request } from 'playwright-core';
import { until } from './until.ts';

/** The questions of a page: how many it has sent, and those without an answer. */
interface Asked {
  sent: number;
  readonly open: Set<Request>;
}

const asked = new WeakMap<Page, Asked>();
const unanswered = new WeakSet<Request>();

/** Says that a test never answers this question, so that nothing waits for it. */
export function leaveUnanswered(request: Request): void {
  unanswered.add(request);
}

/** Follows what a page asks from its beginning, so that `settled` knows when all of it is answered. */
export function followAsked(page: Page): void {
  const own: Asked = { sent: 0, open: new Set() };
  asked.set(page, own);
  page.on('request', (request) => {
    if (isNoQuestion(request)) return;
    own.sent += 1;
    own.open.add(request);
  });
  const end = (request: Request): void => {
    own.open.delete(request);
  };
  // Not when it is finished: what a page asks before it knows which days, it need not read.
  page.on('response', (response) => end(response.request()));
  page.on('requestfailed', end);
}

/** Whether it waits for news, or is of a test. */
function isNoQuestion(request: Request): boolean {
  const { pathname, searchParams } = new URL(request.url());
  return pathname === '/healthz' || searchParams.has('wait');
}

/** A request that the page sends now is answered: whatever it sent before is known here, too. */
export async function answered(page: Page): Promise<void> {
  await page.evaluate("fetch('/healthz').then(({ ok }) => ok)");
}

/** Says that a part of the screen is being loaded, in a selector. */
export const LOADING = 'main :is(.skeleton, [aria-busy="true"], .image-loading)';

/** Nothing is being loaded. */
export function isLoaded(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`document.querySelector('${LOADING}') === null`);
}

/**
 * Gives the page's window another size, and waits until the page has followed: it knows the size a moment later, and
 * tables fold in the frame after that.
 */
export async function resize(
  page: Page,
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  await page.setViewportSize(size);
  await until(() => page.evaluate<boolean>(`innerWidth === ${size.width}`));
  await drawn(page);
}

/** Waits until the page has drawn what it was about to draw. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
}

/** What it loads is there and drawn, whatever it sent is known here and answered, and the answers have asked for no more. */
export async function settled(page: Page): Promise<void> {
  const own = asked.get(page);
  // What an answer shows may ask for more, such as the name of who is in it: it was there before the page is drawn.
  await until(async () => {
    const isAnswered = [...(own?.open ?? [])].every((one) => unanswered.has(one));
    const sent = own?.sent;
    await until(() => isLoaded(page));
    await drawn(page);
    await answered(page);
    await until(() => isLoaded(page));
    return isAnswered && own?.sent === sent;
  });
}
