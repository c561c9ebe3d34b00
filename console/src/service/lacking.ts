/** What could not be loaded: where no part of the page says so, the page does, in one place. */
import { computed, signal } from '@preact/signals';

interface Lack {
  readonly error: unknown;
  /** Loads it again. */
  reload(): void;
}

const lacks = signal<readonly Lack[]>([]);
/** Errors that stand where they belong, as often as they do. */
const said = signal<readonly unknown[]>([]);

/** What the page lacks without a word. */
export const lacking = computed(() =>
  lacks.value.filter(({ error }) => !said.value.includes(error)),
);

/** Gives what takes it back. */
export function lack(one: Lack): () => void {
  lacks.value = [...lacks.value, one];
  return () => {
    lacks.value = lacks.value.filter((other) => other !== one);
  };
}

/** Gives what takes it back. */
export function saysItself(error: unknown): () => void {
  said.value = [...said.value, error];
  return () => {
    said.value = said.value.toSpliced(said.value.indexOf(error), 1);
  };
}
