/** Makes an API key. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiKey } from '../../generated/objects.ts';
import { useAct } from '../../parts/act.ts';
import { AllOrSome, type Choice, isSaid } from '../../parts/all-or-some.tsx';
import { Checks } from '../../parts/checks.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { PlaceChecks, type Places, sentPlaces } from '../../parts/location-checks.tsx';
import { described } from '../../records/description.ts';
import { ask } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { Limits, NO_LIMITS, sentLimits } from './limits.tsx';
import { says } from './texts.ts';

const PERMISSIONS = ['read', 'write', 'delete'] as const;

/** Their faults stand next to them. */
const LIMITED = ['from', 'requests_a_second', 'requests_at_once', 'expires_at'];

interface NewKeyProps {
  readonly onClose: () => void;
  readonly onMade: (secret: string) => void;
}

export function NewKey({ onClose, onMade }: NewKeyProps): JSX.Element {
  const accounts = session.value?.accounts ?? [];
  const [name, setName] = useState('');
  const [account, setAccount] = useState(accounts[0]?.unique_identifier ?? '');
  const [permissions, setPermissions] = useState<readonly string[]>(['read', 'write']);
  const [resources, setResources] = useState<Choice>(undefined);
  const [places, setPlaces] = useState<Places>({ locations: undefined, region: null });
  const [allow, setAllow] = useState<readonly string[]>([]);
  const [limits, setLimits] = useState(NO_LIMITS);
  const act = useAct();
  const make = async (): Promise<void> => {
    const made = await act.run(() =>
      ask<ApiKey>('POST', '/keys', {
        accounts: [account],
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        permissions,
        resources,
        ...sentPlaces(places),
        ...(allow.length === 0 ? {} : { allow }),
        ...sentLimits(limits),
      }),
    );
    if (made?.secret !== undefined) onMade(made.secret);
  };
  return (
    <Dialog
      title={says.add}
      onClose={onClose}
      filled={name.trim() !== '' || limits !== NO_LIMITS}
      wide
    >
      <form
        class="fields key-form"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Fault says={LIMITED.some((one) => one in act.faults) ? says.wrong : act.fault} />
        <label>
          {says.name}
          <input
            value={name}
            autocomplete="off"
            placeholder={says.namePlaceholder}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        {accounts.length > 1 && (
          <label>
            {says.account}
            <select
              value={account}
              onChange={({ currentTarget }) => setAccount(currentTarget.value)}
            >
              {accounts.map(({ unique_identifier: id, name: one }) => (
                <option key={id} value={id}>
                  {one}
                </option>
              ))}
            </select>
          </label>
        )}
        <Checks
          legend={says.may}
          options={PERMISSIONS.map((one) => [one, says.choices[one]] as const)}
          chosen={permissions}
          onChoose={setPermissions}
        />
        <AllOrSome
          legend={says.resources}
          all={says.allResources}
          some={says.onlyResources}
          options={described
            .filter(({ parent }) => parent !== undefined)
            .map(({ path, plural }) => [path, plural] as const)}
          choice={resources}
          onChoose={setResources}
        />
        <PlaceChecks places={places} onChoose={setPlaces} />
        <Checks legend={says.also} options={says.rights} chosen={allow} onChoose={setAllow} />
        <Limits typed={limits} faults={act.faults} onType={setLimits} />
        <footer>
          <Cancel />
          <button
            type="submit"
            class="main"
            disabled={
              act.busy ||
              permissions.length === 0 ||
              !isSaid(resources) ||
              sentPlaces(places) === undefined
            }
          >
            {says.add}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
