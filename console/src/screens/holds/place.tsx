/** Places a hold: on a record that is looked at, on a location, or on everything. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { useAct } from '../../parts/act.ts';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Labelled } from '../../parts/labelled.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { usualZone } from '../../places/zones.ts';
import { resourceOf } from '../../records/description.ts';
import { refusalText } from '../../refusals.ts';
import { api, recordsOf } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';
import { useNameOf } from './held.tsx';
import { says } from './texts.ts';

interface PlaceProps {
  /** The unique identifier of the record that is looked at. */
  readonly record: string | undefined;
  readonly onClose: () => void;
  readonly onPlaced: () => void;
}

export function Place({ record, onClose, onPlaced }: PlaceProps): JSX.Element {
  const accounts = session.value?.accounts ?? [];
  const locations = useLocationNames();
  const name = useNameOf(record);
  /** A location or an account. */
  const [chosen, setChosen] = useState(accounts[0]?.unique_identifier ?? '');
  const [matter, setMatter] = useState('');
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  const held = record ?? chosen;
  const account = useAccountOf(held);
  const act = useAct();
  const zone = usualZone.value;
  const tomorrow = withOffset(midnight(zone, new Date(), 1), zone).slice(0, 10);
  const place = async (): Promise<void> => {
    const placed = await act.run(() =>
      api.holds.create({
        account: account ?? '',
        matter: matter.trim(),
        ...(held === account ? {} : { record: held }),
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
        ...(until === '' ? {} : { until: withOffset(momentIn(zone, until), zone) }),
      }),
    );
    if (placed !== undefined) onPlaced();
  };
  const fault = (param: string, label: string): string | undefined =>
    act.faults[param] && refusalText(act.faults[param], label);
  return (
    <Dialog title={says.place} onClose={onClose} filled={matter !== '' || reason !== ''}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void place();
        }}
      >
        <p>{says.placeHint}</p>
        <Fault says={act.fault} />
        {record === undefined ? (
          <Labelled label={says.what} hint={says.service} fault={undefined}>
            {(common) => (
              <select
                {...common}
                value={chosen}
                onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              >
                {accounts.map((one) => (
                  <option key={one.unique_identifier} value={one.unique_identifier}>
                    {says.everything(one.name)}
                  </option>
                ))}
                {[...locations].map(([id, called]) => (
                  <option key={id} value={id}>
                    {called}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        ) : (
          <p>
            {says.what}: <strong>{name}</strong>
          </p>
        )}
        <Labelled label={says.matter} hint={says.matterHint} fault={fault('matter', says.matter)}>
          {(common) => (
            <input
              {...common}
              autocomplete="off"
              maxLength={200}
              value={matter}
              onInput={({ currentTarget }) => setMatter(currentTarget.value)}
            />
          )}
        </Labelled>
        <Labelled label={says.reason} fault={fault('reason', says.reason)}>
          {(common) => (
            <textarea
              {...common}
              rows={2}
              maxLength={1000}
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
        </Labelled>
        <Labelled label={says.until} hint={says.untilHint} fault={fault('until', says.until)}>
          {(common) => (
            <input
              {...common}
              type="date"
              min={tomorrow}
              value={until}
              onInput={({ currentTarget }) => setUntil(currentTarget.value)}
            />
          )}
        </Labelled>
        <footer>
          <Cancel />
          <button
            type="submit"
            class="main"
            disabled={act.busy || matter.trim() === '' || account === undefined}
          >
            {says.place}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Its history tells the account of a record, where there is more than one. */
function useAccountOf(record: string): string | undefined {
  const accounts = session.value?.accounts ?? [];
  const [only, ...others] = accounts.map(({ unique_identifier }) => unique_identifier);
  const resource = resourceOf(record);
  const isKnown = others.length === 0 || accounts.some((one) => one.unique_identifier === record);
  const { value } = useLoad(isKnown ? undefined : `account of ${record}`, async (signal) => {
    const history = recordsOf(resource?.path ?? '').history(record, { limit: 1 }, { signal });
    return (await history.page()).data[0]?.account;
  });
  if (!isKnown) return value;
  return others.length === 0 ? only : record;
}
