/** Asks which locations are meant by what stands in cells, and adds those that do not exist yet. */
import { imports as says } from 'messages';
import { useState } from 'preact/hooks';
import { useLoad } from '../../../load.ts';
import { Button } from '../../../parts/button.tsx';
import { FormDialog, firstAccount } from '../../../parts/form.tsx';
import { say } from '../../../parts/notice.tsx';
import { Choice, type Option } from '../../../parts/select.tsx';
import { anchor } from '../../../records/description.ts';
import { type Shown, titleOf } from '../../../records/records.ts';
import { newIdentifier } from '../../../screens/edit/create.tsx';
import { ask, listed } from '../../../service/api.ts';
import type { FileOptions } from '../service.ts';

const MAX_LOCATIONS = 1000;

export interface PlacesProps {
  readonly cells: readonly string[];
  readonly title: string;
  readonly hint: string;
  /** Whether a location can be added for a name. */
  readonly adds: boolean;
  readonly options: FileOptions;
  readonly onChosen: (cell: string, location: string) => void;
}

export function Places(props: PlacesProps): JSX.Element | null {
  const { cells, title, hint, adds, options, onChosen } = props;
  const [adding, setAdding] = useState<string>();
  const { value, reload } = useLoad('locations and their identifiers', (signal) =>
    listed(anchor?.path ?? '', { limit: MAX_LOCATIONS, expand: ['identifiers'] }, signal),
  );
  if (anchor === undefined || value === undefined) return null;
  const of = [['', says.fix.unchosen] as const, ...namesOf(value.data)];
  const isOpen = cells.some((cell) => !options.chosen?.[cell]);
  return (
    <li class={`kind ${isOpen ? 'open' : 'good'}`}>
      <h3>{title}</h3>
      {isOpen ? <p class="hint">{hint}</p> : <Mended />}
      <div class="fields import-places">
        {cells.map((cell) => (
          <div key={cell} class="place">
            <Choice
              label={cell}
              options={of}
              value={options.chosen?.[cell] ?? ''}
              onChoose={(id) => onChosen(cell, id)}
            />
            {adds && !options.chosen?.[cell] && (
              <Button label={says.addPlaceCalled(cell)} onClick={() => setAdding(cell)} />
            )}
          </div>
        ))}
      </div>
      {adding !== undefined && (
        <AddPlace
          name={adding}
          account={options.account}
          onClose={() => setAdding(undefined)}
          onDone={(id) => {
            setAdding(undefined);
            reload();
            onChosen(adding, id);
          }}
        />
      )}
    </li>
  );
}

/** What is said of a kind of which nothing is left to do. */
export function Mended(): JSX.Element {
  return <p class="hint">✓ {says.fix.mended}</p>;
}

/** A new location, by its name alone. */
export function AddPlace(props: {
  readonly name: string;
  readonly account: string | undefined;
  readonly onClose: () => void;
  readonly onDone: (id: string) => void;
}): JSX.Element {
  const { name, account = firstAccount(), onClose, onDone } = props;
  // Sent again after a lost answer, it is the same one.
  const [external_identifier] = useState(newIdentifier);
  const resource = anchor;
  const [field = ''] = resource?.title ?? [];
  return (
    <FormDialog
      title={says.addPlace}
      submit={says.addPlace}
      begin={{ [field]: name }}
      fields={{ [field]: { label: says.placeName, needed: true } }}
      send={(typed) =>
        ask<Shown>('POST', `/v1/${resource?.path}/upsert`, {
          [resource?.parent?.param ?? '']: account,
          external_identifier,
          ...typed,
        })
      }
      onDone={({ unique_identifier }) => {
        say(says.placeAdded);
        onDone(unique_identifier);
      }}
      onClose={onClose}
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
