/** Asks which locations are meant by names that mean none, or several. */

import says from 'messages:imports';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { Submitted } from '../../parts/form.tsx';
import { Choice, type Option } from '../../parts/select.tsx';
import { anchor } from '../../records/description.ts';
import { type Shown, titleOf } from '../../records/records.ts';
import { recordsOf } from '../../service/api.ts';

const MAX_LOCATIONS = 1000;

type Chosen = Readonly<Record<string, string>>;

interface PlacesProps {
  readonly unplaced: readonly string[];
  readonly busy: boolean;
  readonly onChosen: (chosen: Chosen) => void;
}

export function Places({ unplaced, busy, onChosen }: PlacesProps): JSX.Element | null {
  const [chosen, setChosen] = useState<Chosen>({});
  const { value } = useLoad('locations and their identifiers', (signal) =>
    recordsOf(anchor?.path ?? '')
      .list({ limit: MAX_LOCATIONS, expand: ['identifiers'] }, { signal })
      .page(),
  );
  if (anchor === undefined || value === undefined) return null;
  const options = [['', says.refuse] as const, ...namesOf(value.data)];
  return (
    <Submitted class="import-places" busy={busy} onSubmit={() => onChosen(chosen)}>
      <h3>{says.places(anchor.singular.toLowerCase())}</h3>
      <p class="hint">{says.placeHint}</p>
      {unplaced.map((cell) => (
        <Choice
          key={cell}
          label={cell}
          options={options}
          value={chosen[cell] ?? ''}
          onChoose={(id) => {
            const { [cell]: _, ...others } = chosen;
            setChosen(id === '' ? others : { ...others, [cell]: id });
          }}
        />
      ))}
      <p>
        <button type="submit" disabled={busy || Object.keys(chosen).length === 0}>
          {says.checkAgain}
        </button>
      </p>
    </Submitted>
  );
}

/** By identifier; those of one name with their own identifiers, too. */
function namesOf(locations: readonly Shown[]): readonly Option[] {
  const resource = anchor;
  if (resource === undefined) return [];
  const named = locations.map((one) => [one, titleOf(resource, one)] as const);
  const counts = Map.groupBy(named, ([, name]) => name);
  return named.map(([one, name]) => {
    const isOnly = counts.get(name)?.length === 1;
    return [one.unique_identifier, isOnly ? name : `${name} · ${ownOf(one)}`];
  });
}

function ownOf({ unique_identifier, identifiers }: Shown): string {
  const own = identifiers as Readonly<Record<string, string>> | undefined;
  return own?.external_identifier ?? unique_identifier;
}
