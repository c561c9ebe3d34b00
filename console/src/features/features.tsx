/** What features show in a spot of a screen of others. */
import type { ComponentType } from 'preact';
import { featureSpots } from './seldom.ts';
import type { Spots } from './spots.ts';

export type InSpot = {
  [Spot in keyof Spots]: { readonly at: Spot } & Spots[Spot];
}[keyof Spots];

export function Features({ at, ...props }: InSpot): JSX.Element {
  const parts = featureSpots[at] as readonly ComponentType<object>[];
  return (
    <>
      {parts.map((Part, index) => (
        <Part key={index} {...props} />
      ))}
    </>
  );
}
