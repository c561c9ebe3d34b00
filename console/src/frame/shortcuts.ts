/** Keyboard shortcuts: inactive in fields and dialogs, and for people who switch them off. */
import { signal } from '@preact/signals';
import { moveByRow } from '../parts/table.tsx';
import { go, hrefOf } from '../router.ts';

export const shortcutsOn = signal(localStorage.getItem('shortcuts') !== 'off');
export const helpOpen = signal(false);

export function switchShortcuts(on: boolean): void {
  shortcutsOn.value = on;
  localStorage.setItem('shortcuts', on ? 'on' : 'off');
}

/** What keys do on one screen alone; given back when it goes. */
const own = new Map<string, () => void>();

export function onKeys(keys: Readonly<Record<string, () => void>>): () => void {
  for (const [key, run] of Object.entries(keys)) own.set(key, run);
  return () => {
    for (const [key, run] of Object.entries(keys)) if (own.get(key) === run) own.delete(key);
  };
}

/** After `g`, for this long a letter leads to a screen. */
const CHORD_MS = 1500;

/** `screens`: the letter of each, and where it is. */
export function startShortcuts(screens: () => ReadonlyMap<string, string>): void {
  let chordAt = Number.NEGATIVE_INFINITY;
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    const isFind = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    if (isFind && !event.altKey && shortcutsOn.value) {
      event.preventDefault();
      find();
      return;
    }
    if (!shortcutsOn.value || event.ctrlKey || event.metaKey || event.altKey) return;
    const chord = event.timeStamp - chordAt < CHORD_MS;
    chordAt = Number.NEGATIVE_INFINITY;
    const target = chord ? screens().get(event.key) : undefined;
    if (target !== undefined) go(hrefOf(target));
    else if (event.key === 'g') chordAt = event.timeStamp;
    else if (event.key === '/') find();
    else if (event.key === '?') helpOpen.value = true;
    else if (own.has(event.key)) own.get(event.key)?.();
    else if (event.key !== 'j' && event.key !== 'k') return;
    else if (!moveByRow(event.key === 'j' ? 1 : -1)) return;
    event.preventDefault();
  });
}

function find(): void {
  const box = document.querySelector<HTMLInputElement>('input[data-find]');
  if (box === null) go(hrefOf('find'));
  else box.select();
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return (
    target instanceof Element &&
    target.closest('input, select, textarea, [contenteditable]') !== null
  );
}
