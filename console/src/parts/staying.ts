/** What is typed and not saved, or under way, and the ways out of it: each asks first. */
import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The words of the question, where something other than typed text would be lost. */
export interface Sure {
  readonly title: string;
  readonly stay: string;
  readonly leave: string;
}

export interface Kept {
  /** Whether something would be lost now. */
  readonly isThere: () => boolean;
  readonly sure?: () => Sure | undefined;
  /** Closes what it stands in, when it is given up. */
  readonly close?: () => void;
  /** Whether it is there still on other screens, and goes only with the page. */
  readonly lasts?: boolean;
}

interface Asked {
  readonly sure: Sure | undefined;
  readonly leave: () => void;
}

/** The question that is open now. */
export const asked = signal<Asked | undefined>(undefined);

const all = new Set<Kept>();

function askBrowser(event: BeforeUnloadEvent): void {
  if (keptNow(true) !== undefined) event.preventDefault();
}

function keptNow(goes: boolean): Kept | undefined {
  return [...all].findLast((one) => (goes || one.lasts !== true) && one.isThere());
}

/** Has every way out ask, until the answer is called. */
export function keep(one: Kept): () => void {
  all.add(one);
  addEventListener('beforeunload', askBrowser);
  return () => {
    all.delete(one);
    // Some browsers cache no page that listens.
    if (all.size === 0) removeEventListener('beforeunload', askBrowser);
  };
}

/** Has every way out ask while something would be lost. */
export function useStay(isThere: () => boolean, more: Omit<Kept, 'isThere'> = {}): void {
  const now = useRef({ isThere, ...more });
  now.current = { isThere, ...more };
  useLayoutEffect(
    () =>
      keep({
        isThere: () => now.current.isThere(),
        sure: () => now.current.sure?.(),
        close: () => now.current.close?.(),
        lasts: more.lasts === true,
      }),
    [],
  );
}

/** Whether a way out has to ask. `goes`: the page itself would go. */
export function mustAsk(goes = false): boolean {
  return keptNow(goes) !== undefined;
}

export function askFirst(sure: Sure | undefined, leave: () => void): void {
  asked.value = {
    sure,
    leave() {
      asked.value = undefined;
      leave();
    },
  };
}

/** Takes a way out: at once where nothing would be lost, else when the person says so. */
export function leaveBy(way: () => void, { goes = false } = {}): void {
  const found = keptNow(goes);
  if (found === undefined) {
    way();
    return;
  }
  askFirst(found.sure?.(), () => {
    for (const one of all) if (one.isThere()) one.close?.();
    way();
  });
}

/** The person has said that the page may go. */
export function letGo(): void {
  all.clear();
}
