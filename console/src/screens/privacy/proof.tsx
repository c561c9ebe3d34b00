/** What was read again after records were erased, and what is left to do. */
import { privacy as says } from 'messages';
import type { ComponentChildren } from 'preact';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';

const { proof } = says;

const BEYOND = '/docs/personal-data#what-an-erasure-does-not-reach';

/** On the request, where something may be to do about it. */
export function Proof({ of }: { readonly of: Erasure }): JSX.Element | null {
  if (!wasRead(of)) return null;
  return (
    <section class="told">
      <h2>{proof.title}</h2>
      <p class="hint">
        <a href={BEYOND} target="_blank" rel="noopener">
          {proof.beyond}
        </a>
      </p>
      <Places of={of} />
    </section>
  );
}

/** What waits for a hold alone was not erased anywhere. */
export function wasRead({ places }: Pick<Erasure, 'places'>): boolean {
  return places.some(({ checked }) => checked > 0);
}

export function Places({
  of: { places },
  children,
}: {
  readonly of: Pick<Erasure, 'places'>;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <ul>
      {places.map(({ place, checked, found }) => (
        <li key={place}>
          <span>{proof.places[place] ?? place}</span>
          {found > 0 ? (
            <span class="why">{proof.found(found)}</span>
          ) : (
            <span>{checked === 0 ? proof.none : proof.clean(checked)}</span>
          )}
        </li>
      ))}
      {children}
    </ul>
  );
}
