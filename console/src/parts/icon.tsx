/** Small drawings. */
import type { JSX } from 'preact';
import { pathOf, STONE } from './icon-paths.ts';

export function Icon({ name }: { readonly name: string }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={pathOf(name)} />
    </svg>
  );
}

export function Stone(): JSX.Element {
  return (
    <svg class="stone" viewBox="0 0 24 24" aria-hidden="true">
      <path d={STONE.shape} />
      <path class="lettering" d={STONE.lettering} />
    </svg>
  );
}
