/** The locations that a key or a person is kept to; none chosen: all. */
import type { JSX } from 'preact';
import { anchor } from '../description.ts';
import { useLocations } from '../locations.ts';
import { titleOf } from '../records.ts';
import { texts } from '../texts.ts';
import { Checks } from './checks.tsx';

interface LocationChecksProps {
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

export function LocationChecks({ chosen, onChoose }: LocationChecksProps): JSX.Element | null {
  const { value } = useLocations();
  if (anchor === undefined || value === undefined || value.data.length === 0) return null;
  const resource = anchor;
  return (
    <Checks
      legend={texts.staff.onlyLocations}
      options={value.data.map((one) => [one.unique_identifier, titleOf(resource, one)] as const)}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}
