/** The locations that a key or a person is limited to, or all of them. */
import type { JSX } from 'preact';
import { useLocationNames } from '../places/locations.ts';
import { texts } from '../texts.ts';
import { AllOrSome, type Choice } from './all-or-some.tsx';

interface LocationChecksProps {
  readonly choice: Choice;
  readonly onChoose: (choice: Choice) => void;
}

export function LocationChecks({ choice, onChoose }: LocationChecksProps): JSX.Element {
  return (
    <AllOrSome
      legend={texts.staff.locations}
      all={texts.staff.allLocations}
      some={texts.staff.onlyLocations}
      options={[...useLocationNames()]}
      choice={choice}
      onChoose={onChoose}
    />
  );
}

/** Those of a key or a person by name; many are counted. */
export function LocationsOf({ of }: { readonly of: readonly string[] | null }): JSX.Element {
  const names = useLocationNames();
  if (of === null) return <>{texts.allLocations}</>;
  const named = of.map((id) => names.get(id) ?? id).join(', ');
  return <span title={named}>{of.length > FEW ? texts.locations(of.length) : named}</span>;
}

const FEW = 3;
