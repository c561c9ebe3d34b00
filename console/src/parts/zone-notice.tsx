/** Says that no time zone is set, and asks administrators for it: nothing is guessed. */
import { zones as says } from 'messages';
import { useState } from 'preact/hooks';
import { learnSettings, unset } from '../places/zones.ts';
import { api } from '../service/api.ts';
import { session } from '../service/session.ts';
import { always } from '../stored.ts';
import { zoneText } from '../values/format.ts';
import { offeredZone, zoneOptions } from '../values/zone-options.ts';
import { useAct } from './act.ts';
import { Button } from './button.tsx';
import { Select } from './select.tsx';

const NAME = 'zone notice';

export function ZoneNotice(): JSX.Element | null {
  const [isRead, setRead] = useState(always.get(NAME) !== undefined);
  const [zone, setZone] = useState(offeredZone);
  const act = useAct();
  const accounts = (session.value?.accounts ?? []).filter((one) =>
    unset.value.includes(one.unique_identifier),
  );
  const mayChange = session.value?.may_administer === true && session.value.locations === null;
  if ((isRead && !mayChange) || accounts.length === 0) return null;
  const put = (time_zone: string): Promise<unknown> =>
    act.run(async () => {
      for (const { unique_identifier: id } of accounts)
        learnSettings(await api.patchAccountSettings(id, { time_zone }));
    });
  return (
    <div class="zone-notice">
      <p>
        {says.unset(accounts.map(({ name }) => name).join(', '))} {!mayChange && says.ask}
        {act.fault !== undefined && <strong> {act.fault}</strong>}
      </p>
      {mayChange ? (
        <>
          <Select
            aria-label={says.choose}
            value={zone}
            options={zoneOptions(zone)}
            onChoose={setZone}
          />
          <Button
            class="main"
            label={says.use(zoneText(zone))}
            disabled={act.busy}
            onClick={() => void put(zone)}
          />
        </>
      ) : (
        <Button
          class="plain"
          label={says.later}
          onClick={() => {
            always.set(NAME, '1');
            setRead(true);
          }}
        />
      )}
    </div>
  );
}
