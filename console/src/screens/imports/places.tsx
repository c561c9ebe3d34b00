/** Asks which locations are meant by names that mean none, or several. */
import { imports as says } from 'messages';
import { useLoad } from '../../load.ts';
import { Form } from '../../parts/form.tsx';
import type { Option } from '../../parts/select.tsx';
import { anchor } from '../../records/description.ts';
import { type Shown, titleOf } from '../../records/records.ts';
import { recordsOf } from '../../service/api.ts';

const MAX_LOCATIONS = 1000;

interface PlacesProps {
  readonly unplaced: readonly string[];
  readonly busy: boolean;
  readonly onChosen: (chosen: Readonly<Record<string, string>>) => void;
}

export function Places({ unplaced, busy, onChosen }: PlacesProps): JSX.Element | null {
  const { value } = useLoad('locations and their identifiers', (signal) =>
    recordsOf(anchor?.path ?? '')
      .list({ limit: MAX_LOCATIONS, expand: ['identifiers'] }, { signal })
      .page(),
  );
  if (anchor === undefined || value === undefined) return null;
  const of = [['', says.refuse] as const, ...namesOf(value.data)];
  return (
    <Form
      class="fields import-places"
      isSmall
      hint={
        <div>
          <h3>{says.places(anchor.singular.toLowerCase())}</h3>
          <p class="hint">{says.placeHint}</p>
        </div>
      }
      begin={Object.fromEntries(unplaced.map((cell) => [cell, '']))}
      fields={Object.fromEntries(unplaced.map((cell) => [cell, { label: cell, of }]))}
      submit={says.checkAgain}
      isReady={(typed) => !busy && Object.values(typed).some((id) => id !== '')}
      send={async (typed) =>
        Object.fromEntries(Object.entries(typed).filter(([, id]) => id !== ''))
      }
      onDone={onChosen}
    />
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
