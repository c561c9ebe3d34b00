/** What a key or a person may do: at which locations, or in which region, and the rights that they were given by name. */
import { keys, staff as says, page as texts } from 'messages';
import { useLocationNames } from '../places/locations.ts';
import { regions } from '../places/zones.ts';
import { resourceAt } from '../records/description.ts';
import { AllOrSome, type AllOrSomeProps, type Choice, isSaid } from './choices.tsx';
import type { OwnField } from './form.tsx';
import { Select } from './select.tsx';

export interface Places {
  /** Locations that it has now, where there is a region. */
  readonly locations: Choice;
  readonly region: string | null;
}

/** As the service takes them; `undefined` while nothing is said. */
export function sentPlaces({ locations, region }: Places): object | undefined {
  if (region !== null) return { region };
  return isSaid(locations) ? { locations } : undefined;
}

export function placesField(): OwnField<Places> {
  return {
    label: says.locations,
    isReady: (places) => sentPlaces(places) !== undefined,
    own: ({ value, onChange }) => <PlaceChecks places={value} onChoose={onChange} />,
  };
}

export function LocationChecks(
  props: Pick<AllOrSomeProps, 'choice' | 'onChoose' | 'other'>,
): JSX.Element {
  return (
    <AllOrSome
      legend={says.locations}
      all={says.allLocations}
      some={says.onlyLocations}
      options={[...useLocationNames()]}
      {...props}
    />
  );
}

interface PlaceChecksProps {
  readonly places: Places;
  readonly onChoose: (places: Places) => void;
}

export function PlaceChecks({ places, onChoose }: PlaceChecksProps): JSX.Element {
  const { locations, region } = places;
  const all = [...new Set([...regions.value, ...(region === null ? [] : [region])])];
  const [first] = all;
  const choose = (name: string): void => onChoose({ locations: undefined, region: name });
  const other = first !== undefined && {
    says: says.ofRegion,
    chosen: region !== null,
    onChoose: () => choose(first),
    more: (
      <Select
        aria-label={texts.region}
        value={region ?? first}
        options={all.map((one) => [one, one] as const)}
        onChoose={choose}
      />
    ),
  };
  return (
    <LocationChecks
      choice={region === null ? locations : undefined}
      onChoose={(choice) => onChoose({ locations: choice, region: null })}
      {...(other && { other })}
    />
  );
}

interface LocationsOfProps {
  readonly of: readonly string[] | null;
  readonly region: string | null;
}

/** Names the locations of a key or a person; many are counted, and those of a region. */
export function LocationsOf({ of, region }: LocationsOfProps): JSX.Element {
  const names = useLocationNames();
  if (of === null) return <>{texts.allLocations}</>;
  const named = of.map((id) => names.get(id) ?? id).join(', ');
  const all = of.length > FEW || region !== null ? texts.locations(of.length) : named;
  const shown = of.length === 0 ? says.noLocation : all;
  return (
    <span title={named}>
      {region === null ? shown : says.inRegion({ region, locations: shown })}
    </span>
  );
}

const FEW = 3;

const AUTHORITATIVE = 'authoritative:';

export function Allowed({ of }: { readonly of: readonly string[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <span class="line rights">
      {of.map((right) => (
        <span key={right} class="tag">
          {wordsOf(right)}
        </span>
      ))}
    </span>
  );
}

function wordsOf(right: string): string {
  if (!right.startsWith(AUTHORITATIVE)) return keys.allowed[right] ?? right;
  const path = right.slice(AUTHORITATIVE.length);
  return keys.decides(resourceAt(path)?.plural ?? path);
}
