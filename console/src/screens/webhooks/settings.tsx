/** The settings of an endpoint, for a new or an existing one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAct } from '../../parts/act.ts';
import { AllOrSome, type Choice, isSaid } from '../../parts/all-or-some.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Labelled } from '../../parts/labelled.tsx';
import { LocationChecks } from '../../parts/location-checks.tsx';
import { described } from '../../records/description.ts';
import { refusalText } from '../../refusals.ts';
import { ask } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { texts } from '../../texts.ts';
import { type Endpoint, PATH } from './endpoint.ts';
import { says } from './texts.ts';

/** As one choice: with the record or without, or no changes at all. */
type Sends = keyof typeof says.sendsWays;

interface SettingsProps {
  /** `undefined`: a new one. */
  readonly endpoint?: Endpoint;
  readonly onClose: () => void;
  readonly onSaved: (endpoint: Endpoint) => void;
}

export function Settings({ endpoint, onClose, onSaved }: SettingsProps): JSX.Element {
  const accounts = session.value?.accounts ?? [];
  const [account, setAccount] = useState(accounts[0]?.unique_identifier);
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [resources, setResources] = useState<Choice>(() => resourcesIn(endpoint));
  const [locations, setLocations] = useState<Choice>(() => endpoint?.locations);
  const [sends, setSends] = useState<Sends>(() => sendsOf(endpoint));
  const act = useAct();
  const isCustom = endpoint !== undefined && resourcesIn(endpoint) === undefined;
  const save = async (): Promise<void> => {
    const settings = {
      url: url.trim(),
      description: description.trim() || null,
      ...(resources === undefined ? {} : { notifications: notificationsOf(resources) }),
      locations,
      payload: sends,
    };
    const saved = await act.run(() =>
      endpoint === undefined
        ? ask<Endpoint>('POST', PATH, { account, ...settings })
        : ask<Endpoint>('PATCH', `${PATH}/${endpoint.unique_identifier}`, settings),
    );
    if (saved !== undefined) onSaved(saved);
  };
  const fault = act.faults.url && refusalText(act.faults.url, says.url);
  return (
    <Dialog
      title={endpoint === undefined ? says.add : says.change}
      onClose={onClose}
      filled={url !== (endpoint?.url ?? '') || description !== (endpoint?.description ?? '')}
      wide
    >
      <form
        class="fields key-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Fault says={fault === undefined ? act.fault : undefined} />
        <Labelled label={says.url} hint={says.urlHint} fault={fault}>
          {(common) => (
            <input
              {...common}
              type="url"
              required
              autocomplete="off"
              placeholder="https://example.com/webhooks"
              value={url}
              onInput={({ currentTarget }) => setUrl(currentTarget.value)}
            />
          )}
        </Labelled>
        <label>
          {says.description}
          <input
            autocomplete="off"
            placeholder={says.descriptionPlaceholder}
            value={description}
            onInput={({ currentTarget }) => setDescription(currentTarget.value)}
          />
        </label>
        {endpoint === undefined && accounts.length > 1 && (
          <label>
            {says.account}
            <select
              value={account}
              onChange={({ currentTarget }) => setAccount(currentTarget.value)}
            >
              {accounts.map(({ unique_identifier: id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <div>
          <AllOrSome
            legend={says.of}
            all={says.ofAll}
            some={says.ofSome}
            options={described
              .filter(({ parent }) => parent !== undefined)
              .map(({ name, plural }) => [name, plural] as const)}
            choice={resources}
            onChoose={setResources}
          />
          {isCustom && resources === undefined && (
            <p class="hint">{says.ofCustom(endpoint.notifications.join(', '))}</p>
          )}
        </div>
        <LocationChecks choice={locations} onChoose={setLocations} />
        <label>
          {says.sends}
          <select
            value={sends}
            onChange={({ currentTarget }) => setSends(currentTarget.value as Sends)}
          >
            {Object.entries(says.sendsWays).map(([way, label]) => (
              <option key={way} value={way}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <footer>
          <Cancel />
          <button
            type="submit"
            class="main"
            disabled={act.busy || !(isCustom || isSaid(resources)) || !isSaid(locations)}
          >
            {endpoint === undefined ? says.add : texts.save}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function sendsOf(endpoint: Endpoint | undefined): Sends {
  return endpoint?.payload ?? 'thin';
}

/** The resources of which all is sent; `undefined` where it is chosen more finely, or not yet. */
function resourcesIn(endpoint: Endpoint | undefined): Choice {
  if (endpoint === undefined) return undefined;
  const { notifications } = endpoint;
  if (notifications.includes('*')) return null;
  const known = described.filter(({ name }) => notifications.includes(allOf(name)));
  return known.length === notifications.length ? known.map(({ name }) => name) : undefined;
}

function notificationsOf(resources: readonly string[] | null): readonly string[] {
  return resources === null ? ['*'] : resources.map(allOf);
}

function allOf(name: string): string {
  return `${name}.*`;
}
