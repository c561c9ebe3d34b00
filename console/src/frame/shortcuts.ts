/** Keys: one that is held acts once. Shortcuts are inactive in fields and dialogs, and for people who switch them off. */
import { signal } from '@preact/signals';
import { undoLast } from '../parts/notice.tsx';
import { leaveBy } from '../parts/staying.ts';
import { moveByRow } from '../parts/table.tsx';
import { go, hrefOf } from '../router.ts';
import { always } from '../stored.ts';

export const shortcutsOn = signal(always.get('shortcuts') !== 'off');
export const helpOpen = signal(false);

export function switchShortcuts(on: boolean): void {
  shortcutsOn.value = on;
  always.set('shortcuts', on ? 'on' : 'off');
}

type Keys = Readonly<Record<string, () => void>>;
/** What keys do, in words, for the help. */
type Says = Readonly<Record<string, string>>;

interface OwnKey {
  readonly run: () => void;
  /** Whether it only leads somewhere, so that it may be held. */
  readonly moves: boolean;
  readonly says?: string | undefined;
}

/** What keys do on one screen alone; given back when it goes. */
const own = new Map<string, OwnKey>();

/** Keys that act: each press once. */
export function onKeys(keys: Keys, says: Says = {}): () => void {
  return register(keys, false, says);
}

/** The keys of the screen that is shown, each with what it does. */
export function ownKeys(): readonly (readonly [key: string, says: string])[] {
  return [...own].flatMap(([key, { says }]) => (says === undefined ? [] : [[key, says] as const]));
}

/** Keys that lead from one thing to the next, for as long as they are held. */
export function onMoveKeys(keys: Keys): () => void {
  return register(keys, true);
}

function register(keys: Keys, moves: boolean, says: Says = {}): () => void {
  const added = Object.entries(keys).map(
    ([key, run]) => [key, { run, moves, says: says[key] }] as const,
  );
  for (const [key, one] of added) own.set(key, one);
  return () => {
    for (const [key, one] of added) if (own.get(key) === one) own.delete(key);
  };
}

/** Whether a held key would press a button, send a form or leave a dialog again. */
function actsAgain({ repeat, key, target, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (!repeat) return false;
  if (key === 'Escape') return true;
  const isLine = target instanceof HTMLTextAreaElement && !ctrlKey && !metaKey;
  return key === 'Enter' && !isLine;
}

/** `screens`: the letter of each, and where it is. */
export function startShortcuts(screens: () => ReadonlyMap<string, string>): void {
  // Before anything that listens, and before what the browser does by itself.
  addEventListener(
    'keydown',
    (event) => {
      // The Enter that ends a word in Japanese is no command.
      if (event.isComposing) return event.stopImmediatePropagation();
      if (!actsAgain(event)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
  /** After `g` a letter leads to a screen, or nowhere: there is no hurry. */
  let isChord = false;
  document.addEventListener('pointerdown', () => {
    isChord = false;
  });
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    const isControl = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.toLowerCase();
    // As everywhere: also for those who have switched the keys of this page off.
    if (isControl && key === 'z' && !event.shiftKey && !event.repeat) {
      if (undoLast()) event.preventDefault();
      return;
    }
    if (isControl && key === 'k' && shortcutsOn.value) {
      event.preventDefault();
      find();
      return;
    }
    if (!shortcutsOn.value || event.ctrlKey || event.metaKey || event.altKey) return;
    if (ofModifier(event.key)) return;
    if (isChord) {
      isChord = event.repeat;
      const target = isChord ? undefined : screens().get(event.key);
      if (target !== undefined) leaveBy(() => go(hrefOf(target)));
      // Other keys, such as Tab, stay what they are.
      if (event.key.length === 1) event.preventDefault();
      return;
    }
    if (act(event)) event.preventDefault();
  });
  const act = ({ key, repeat }: KeyboardEvent): boolean => {
    const found = own.get(key);
    if (found?.moves ?? false) found?.run();
    else if (found === undefined && (key === 'j' || key === 'k'))
      return moveByRow(key === 'j' ? 1 : -1);
    // What acts does so once, and a held key is no other key meanwhile.
    else if (repeat) return found !== undefined;
    else if (found !== undefined) found.run();
    else if (key === 'g') isChord = true;
    else if (key === '/') find();
    else if (key === '?') helpOpen.value = true;
    else return false;
    return true;
  };
}

function ofModifier(key: string): boolean {
  return ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'].includes(key);
}

function find(): void {
  const box = document.querySelector<HTMLInputElement>('input[data-find]');
  if (box === null) leaveBy(() => go(hrefOf('find')));
  else box.select();
}

function isTyping(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]') !== null) return true;
  return (
    target instanceof Element &&
    target.closest('input, select, textarea, [contenteditable]') !== null
  );
}
