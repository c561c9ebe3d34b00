/** Says that a day is quiet, or what an account that has only begun does first. */
import { today as says } from 'messages';
import { Empty } from '../../parts/loading.tsx';
import { NextStep } from '../../parts/next-step.tsx';
import { chosenLocation, useLocations } from '../../places/locations.ts';

export function Nothing(): JSX.Element {
  const { value: locations } = useLocations();
  const isNew = chosenLocation.value === undefined && locations?.data.length === 0;
  return (
    <Empty
      title={isNew ? says.noLocations : says.nothing}
      hint={isNew ? says.noLocationsHint : says.nothingHint}
    >
      <NextStep />
    </Empty>
  );
}
