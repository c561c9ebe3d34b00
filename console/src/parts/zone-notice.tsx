/** Says once that no time zone is set, and offers administrators that of their browser: nothing is guessed. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { learnSettings, unset } from '../places/homes.ts';
import { api } from '../service/api.ts';
import { session } from '../service/session.ts';
import { texts } from '../texts.ts';
import { readersZone, zoneText } from '../values/format.ts';
import { useAct } from './act.ts';

const NAME = 'zone notice';
const says = texts.times;

export function ZoneNotice(): JSX.Element | null {
  const [isRead, setRead] = useState(localStorage.getItem(NAME) !== null);
  const act = useAct();
  const accounts = (session.value?.accounts ?? []).filter((one) =>
    unset.value.includes(one.unique_identifier),
  );
  if (isRead || accounts.length === 0) return null;
  const mayChange = session.value?.may_administer === true && session.value.locations === null;
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
      {mayChange && readersZone !== 'UTC' && (
        <button
          type="button"
          class="main"
          disabled={act.busy}
          onClick={() => void put(readersZone)}
        >
          {says.use(zoneText(readersZone))}
        </button>
      )}
      {mayChange && (
        <button type="button" disabled={act.busy} onClick={() => void put('UTC')}>
          {says.keep}
        </button>
      )}
      <button
        type="button"
        class="plain"
        onClick={() => {
          localStorage.setItem(NAME, '1');
          setRead(true);
        }}
      >
        {says.later}
      </button>
    </div>
  );
}
