/** Whether there is room for a list next to what it leads to. */
import { signal } from '@preact/signals';

const room = matchMedia('(width >= 100rem)');

export const isWide = signal(room.matches);

room.addEventListener('change', ({ matches }) => {
  isWide.value = matches;
});
