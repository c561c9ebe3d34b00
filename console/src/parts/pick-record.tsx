/** Chooses a record by its name: those that are near at first, then what is found. */

import { found, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { now } from '../clock.ts';
import { useLoad } from '../load.ts';
import { chosenLocation } from '../places/locations.ts';
import { usualZone } from '../places/zones.ts';
import { aboveOf, anchor, type DescribedResource } from '../records/description.ts';
import { detailsOf } from '../records/details.ts';
import { type Shown, titleOf } from '../records/records.ts';
import { listed, recordsCalled } from '../service/api.ts';
import { midnight, withOffset } from '../values/days.ts';
import { labelled } from '../values/format.ts';
import { Failure } from './loading.tsx';

const SHOWN = 6;
/** What began yesterday is near, too. */
const NEAR_DAYS = -1;

export interface PickRecordProps {
  readonly resource: DescribedResource;
  readonly fault?: string | undefined;
  readonly onPick: (record: Shown) => void;
}

export function PickRecord({ resource, fault, onPick }: PickRecordProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const { value, error, busy, reload } = useLoad(`${resource.path} like ${text}`, (signal) =>
    text === '' ? nearest(resource, signal) : foundBy(resource, text, signal),
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows go between what is in it
    <div
      class="picker"
      onKeyDown={(event) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (by === undefined || event.defaultPrevented) return;
        const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .item')];
        const at = stops.indexOf(document.activeElement as HTMLElement);
        stops[Math.max(at + by, 0)]?.focus();
        event.preventDefault();
      }}
    >
      <input
        type="search"
        value={typed}
        placeholder={texts.nav.find}
        aria-label={labelled(texts.nav.find, resource.singular)}
        aria-invalid={fault !== undefined}
        autocomplete="off"
        // It may stand in a form, which it does not send.
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
        }}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {fault !== undefined && <p class="fault">{fault}</p>}
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {value?.length === 0 && text !== '' && <p class="hint">{found.nothing(text)}</p>}
      <ul class="found-by-name" aria-busy={busy}>
        {value?.map((record) => (
          <li key={record.unique_identifier}>
            <button type="button" class="plain item" onClick={() => onPick(record)}>
              <span>
                {titleOf(resource, record)} <small>{detailsOf(resource, record).join(' · ')}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

async function nearest(resource: DescribedResource, signal: AbortSignal) {
  const order = resource.orders.find((one) => one !== 'name');
  const zone = usualZone.value;
  const from = withOffset(midnight(zone, now(), NEAR_DAYS), zone);
  const near = order === undefined ? {} : { order, [`${order}[gte]`]: from };
  const params = { ...near, limit: SHOWN, expand: aboveOf(resource) };
  return (await listed(resource.path, params, signal)).data;
}

function foundBy(resource: DescribedResource, text: string, signal: AbortSignal) {
  const location = resource.name === anchor?.name ? undefined : chosenLocation.value;
  const params = { limit: SHOWN, expand: aboveOf(resource), location };
  return recordsCalled(resource, text, params, signal);
}
