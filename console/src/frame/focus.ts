/**
 * Where the focus goes when what had it is gone, or the screen is another one; and what is told of rows that have
 * changed. Screens need not do anything for it.
 */
import { effect } from '@preact/signals';
import { page as texts } from 'messages';
import { tell } from '../parts/told.ts';
import { moved } from '../router.ts';

const FOCUSABLE =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';
/** Nothing is told while these are there. */
const BUSY = '[aria-busy="true"], .skeleton';
/** A search or a request begins, and ends in what can be told. */
const PAUSE_MS = 400;
const FIRST_MS = 900;
/** A button that is at work so long has no more to give. */
const WAITED_MS = 1_200;

interface Held {
  readonly element: HTMLElement;
  /** What it stood in, from the nearest on. */
  readonly around: readonly Element[];
  /** What can have the focus there, in order. */
  readonly order: readonly HTMLElement[];
}

/** What had the focus last. */
let held: Held | undefined;
/** The heading of the screen that was left, until the next one has its own. */
let left: Element | null | undefined;
/** Where rows are about to change. */
let due: Element | undefined;
let telling: ReturnType<typeof setTimeout> | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;
let looks = false;

const content = (): HTMLElement | null => document.getElementById('content');
const heading = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('dialog[open] h2') ??
  content()?.querySelector<HTMLElement>('h1') ??
  null;
const isNowhere = (): boolean =>
  document.activeElement === null ||
  document.activeElement === document.body ||
  document.activeElement === content();
const canHave = (one: HTMLElement): boolean =>
  one.isConnected && !one.matches(':disabled') && one.checkVisibility();

/** Tells how many rows are there, once they are. */
export function tellRows(of: Element | null = content()): void {
  due = of ?? undefined;
  soon(FIRST_MS);
}

export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === content()) return;
    const around: Element[] = [];
    for (let one = target.parentElement; one !== null; one = one.parentElement) around.push(one);
    const scope = target.closest('dialog, nav, main') ?? document.body;
    held = { element: target, around, order: [...scope.querySelectorAll<HTMLElement>(FOCUSABLE)] };
  });
  document.addEventListener('focusout', ({ target }) =>
    queueMicrotask(() => {
      // Somebody has left it.
      if (isNowhere() && target === held?.element && canHave(held.element)) held = undefined;
    }),
  );
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === 'search')
      tellRows(target.closest('.picker, .panel, main'));
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('.reload') !== null) tellRows();
  });
  effect(() => {
    const by = moved.value;
    if (by === undefined) return;
    if (by === 'path') {
      left = content()?.querySelector('h1') ?? null;
      if (document.querySelector('dialog[open]') === null)
        content()?.focus({ preventScroll: true });
      return;
    }
    tellRows();
    if (by === 'page') heading()?.focus({ preventScroll: true });
  });
  new MutationObserver(() => {
    if (due !== undefined) soon(PAUSE_MS);
    if (looks) return;
    looks = true;
    requestAnimationFrame(look);
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'open', 'hidden', 'aria-busy'],
  });
}

function soon(ms: number): void {
  clearTimeout(telling);
  telling = setTimeout(tellNow, ms);
}

function tellNow(): void {
  if (due === undefined || due.querySelector(BUSY) !== null || due.matches(BUSY)) return;
  const says = due.isConnected ? rowsIn(due) : '';
  due = undefined;
  if (says !== '') tell(says);
}

function rowsIn(scope: Element): string {
  const said = scope.querySelector(
    '.tabs [aria-current], .empty .what, .picker .hint, .pages span',
  );
  if (said !== null) return said.textContent;
  const { length } = scope.querySelectorAll('tbody tr, [data-row], .found-by-name li');
  return length === 0 ? '' : texts.list.shown(length);
}

/** After anything has changed on the page. */
function look(): void {
  looks = false;
  if (left !== undefined) arrive();
  if (!isNowhere() || held === undefined || left !== undefined) return;
  const { element } = held;
  clearTimeout(waiting);
  if (canHave(element)) element.focus({ preventScroll: true });
  else if (element.isConnected && element.matches(':disabled'))
    waiting = setTimeout(() => isNowhere() && land(), WAITED_MS);
  else land();
}

/** On what stood next to it, or else on what says where one is. */
function land(): void {
  if (held === undefined) return;
  const { element, around, order } = held;
  const home = around.find((one) => one.isConnected && one.checkVisibility());
  const at = order.indexOf(element);
  const isNear = home !== undefined && content()?.contains(home) && home !== content();
  const near = isNear
    ? [...order.slice(at + 1), ...order.slice(0, Math.max(at, 0)).reverse()].find(
        (one) => home.contains(one) && canHave(one),
      )
    : undefined;
  held = undefined;
  (near ?? heading())?.focus({ preventScroll: true });
  if (due === undefined) tellRows();
}

/** On the heading of another screen; whoever steps from one to the next goes on stepping. */
function arrive(): void {
  const now = content()?.querySelector('h1') ?? null;
  if (now === null || now === left) return;
  left = undefined;
  const name = held?.element.closest('.pair') && held.element.getAttribute('aria-label');
  const step =
    name &&
    content()?.querySelector<HTMLElement>(`button[aria-label="${CSS.escape(name)}"]:enabled`);
  if (isNowhere() && !step) now.focus({ preventScroll: true });
  else {
    if (step && isNowhere()) step.focus({ preventScroll: true });
    tell(now.textContent);
  }
}
