/** What was read again after records were erased, and what is left to do. */
import { privacy as says } from 'messages';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';
import { type Pair, Pairs } from './pairs.tsx';

const { proof } = says;

const BEYOND = '/docs/personal-data#what-an-erasure-does-not-reach';

/** On the request, where something may be to do about it. */
export function Proof({ of }: { readonly of: Erasure }): JSX.Element | null {
  if (!wasRead(of)) return null;
  return (
    <section class="told">
      <Pairs
        title={proof.title}
        hint={
          <a href={BEYOND} target="_blank" rel="noopener">
            {proof.beyond}
          </a>
        }
        all={placesOf(of)}
      />
    </section>
  );
}

/** What waits for a hold alone was not erased anywhere. */
export function wasRead({ places }: Pick<Erasure, 'places'>): boolean {
  return places.some(({ checked }) => checked > 0);
}

export function placesOf({ places }: Pick<Erasure, 'places'>): readonly Pair[] {
  const foundIn = (checked: number): string => (checked === 0 ? proof.none : proof.clean(checked));
  return places.map(({ place, checked, found }) => [
    proof.places[place] ?? place,
    found > 0 ? <span class="why">{proof.found(found)}</span> : foundIn(checked),
  ]);
}
