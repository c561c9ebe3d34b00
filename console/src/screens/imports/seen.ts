/** Brings what has come about to where the eye is: scrolled to, and focused, so that it is read out. */
import type { Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** For an element with `tabIndex`; again whenever `what` changes. */
export function useSeen<E extends HTMLElement>(what: unknown): Ref<E> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (what === undefined) return;
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: 'start' });
  }, [what]);
  return element;
}
