/** When a page of the console has done what it was about to do. */
import type { Page } from 'playwright-core';
import { until } from './until.ts';

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

/** What it loads is there and drawn, and whatever it sent is known here. */
export async function settled(page: Page): Promise<void> {
  await until(() => isLoaded(page));
  await drawn(page);
  await answered(page);
  await until(() => isLoaded(page));
}
