/** The current path and query, as in the address. Links are plain links. */
import { computed, type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { asked, leaveBy, mustAsk } from './parts/staying.ts';
import { BASE, pathIn } from './path.ts';

const address = signal(new URL(location.href));

/** Below `/console/`: `events/evt_…`. */
export const path = computed(() => pathIn(address.value.pathname));
export const query = computed(() => new URLSearchParams(address.value.search));

export function hrefOf(
  to: string,
  params?: URLSearchParams | Readonly<Record<string, string>>,
): string {
  const text = new URLSearchParams(params).toString();
  return `${BASE}${to}${text === '' ? '' : `?${text}`}`;
}

interface PageState {
  /** Which page it is of those that Back and Forward lead through. */
  readonly at?: number;
  readonly scroll?: number;
  readonly focus?: string;
}

history.scrollRestoration = 'manual';

const stateNow = (): PageState => (history.state as PageState | null) ?? {};

/** Which page is shown. */
let at = stateNow().at ?? 0;

/** What to restore once the page is filled again. */
export const restored = signal<PageState | undefined>(undefined);

/** What has become another one: the screen, the page of its list, or something else in the address. */
export const moved = signal<'path' | 'page' | 'query' | undefined>(undefined);

function move(next: URL): void {
  const pages = ({ searchParams: all }: URL): string =>
    `${all.get('starting_after')} ${all.get('ending_before')}`;
  const before = address.value;
  address.value = next;
  moved.value = undefined;
  if (before.pathname !== next.pathname) moved.value = 'path';
  else if (before.search !== next.search)
    moved.value = pages(before) === pages(next) ? 'query' : 'page';
}

/** `instead`: Back leads to where one was before. */
export function go(href: string, { instead = false } = {}): void {
  const next = new URL(href, location.href);
  if (next.href === location.href) return;
  if (instead) history.replaceState(history.state, '', next);
  else {
    const focus = document.activeElement?.closest('a[href]')?.getAttribute('href') ?? undefined;
    history.replaceState({ at, scroll: scrollY, ...(focus === undefined ? {} : { focus }) }, '');
    at += 1;
    history.pushState({ at }, '', next);
  }
  restored.value = undefined;
  move(next);
  if (moved.value !== 'query' && !instead) scrollTo(0, 0);
}

export function setQuery(
  changes: Readonly<Record<string, string | undefined>>,
  options?: { instead?: boolean },
): void {
  go(hrefOf(path.value, changed(changes)), options);
}

export function changed(changes: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The link there, or that of the row that lights up there. */
function linkAt(target: Element): Element | null {
  const own = target.closest('a[href], button, label, input, select, summary');
  if (own !== null) return own;
  const row = target.closest('tbody tr, [data-row]');
  const isChosen = getSelection()?.isCollapsed === false;
  if (row === null || isChosen || row.querySelector('input') !== null) return null;
  return row.querySelector(':scope > th > a[href], :scope > a[href]');
}

export function startRouter(): void {
  history.replaceState({ ...stateNow(), at }, '');
  addEventListener('popstate', () => {
    const { at: to = at + 1 } = stateNow();
    if (isLeaving || !mustAsk()) arrive(to);
    else if (to !== at) askBack(to);
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? linkAt(event.target) : null;
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.download !== '') return;
    if (link.origin !== location.origin || !link.pathname.startsWith(BASE)) return;
    if (link.pathname.startsWith(`${BASE}api/`)) return;
    event.preventDefault();
    // To a part of this page.
    if (link.hash !== '') leap(link.hash.slice(1));
    else leaveBy(() => go(link.href));
  });
}

/** Whether what was asked before is what Back and Forward do now. */
let isLeaving = false;

/** Shows the page that Back and Forward led to. */
function arrive(to: number): void {
  isLeaving = false;
  at = to;
  restored.value = stateNow();
  // A part of the page that somebody typed into the address is one more of them.
  history.replaceState({ ...restored.value, at }, '');
  move(new URL(location.href));
}

/** Browsers ask nobody before they go back: the page is put back, and goes when the person says so. */
function askBack(to: number): void {
  history.go(at - to);
  if (asked.value !== undefined) return;
  leaveBy(() => {
    const by = to - (stateNow().at ?? at);
    isLeaving = true;
    if (by === 0) arrive(to);
    else history.go(by);
  });
}

/** To a part of the page, by its heading. */
function leap(id: string): void {
  const part = document.getElementById(id);
  (part?.querySelector<HTMLElement>('h1') ?? part)?.focus();
}

/** Restores, once, the scroll position and the focus that this page was left with, when it is filled again. */
export function useRestored(filled: unknown): void {
  useEffect(() => {
    if (filled !== undefined) restore();
  }, [filled]);
}

/** What the next screen is to look for. */
let handed = '';

export function handOver(text: string): void {
  handed = text;
}

/** What is typed into a box that searches, looked for after the last letter. `searched` is for those who come back: it may be a name, and browsers store addresses. */
export function useSearched(
  searched: Signal<string>,
  pauseMs: number,
  onSearch: () => void,
): readonly [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(() => {
    if (restored.value === undefined) searched.value = handed;
    handed = '';
    return searched.value;
  });
  useEffect(() => {
    const text = typed.trim();
    if (text === searched.value) return;
    const timer = setTimeout(() => {
      searched.value = text;
      onSearch();
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, searched.value]);
  return [typed, setTyped];
}

function restore(): void {
  const place = restored.value;
  if (place === undefined) return;
  restored.value = undefined;
  requestAnimationFrame(() => {
    scrollTo(0, place.scroll ?? 0);
    const link = place.focus && document.querySelector(`main a[href="${CSS.escape(place.focus)}"]`);
    if (link instanceof HTMLElement) link.focus({ preventScroll: true });
  });
}
