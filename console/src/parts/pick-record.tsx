/** Chooses a record by its name: those that are near at first, then what is found. */
import { page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { chosenLocation } from '../places/locations.ts';
import { usualZone } from '../places/zones.ts';
import { aboveOf, anchor, type DescribedResource } from '../records/description.ts';
import { detailsOf } from '../records/details.ts';
import { type Shown, titleOf } from '../records/records.ts';
import { listed, recordsCalled } from '../service/api.ts';
import { midnight, withOffset } from '../values/days.ts';
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
  const { value, error, reload } = useLoad(`${resource.path} like ${text}`, (signal) =>
    text === '' ? nearest(resource, signal) : foundBy(resource, text, signal),
  );
  return (
    <div class="picker">
      <input
        type="search"
        value={typed}
        placeholder={texts.nav.find}
        aria-label={`${texts.nav.find}: ${resource.singular}`}
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
      {value?.length === 0 && <p class="hint">{texts.search.nothing(text)}</p>}
      <ul class="found-by-name">
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
  const from = withOffset(midnight(zone, new Date(), NEAR_DAYS), zone);
  const near = order === undefined ? {} : { order, [`${order}[gte]`]: from };
  const params = { ...near, limit: SHOWN, expand: aboveOf(resource) };
  return (await listed(resource.path, params, signal)).data;
}

function foundBy(resource: DescribedResource, text: string, signal: AbortSignal) {
  const location = resource.name === anchor?.name ? undefined : chosenLocation.value;
  const params = { limit: SHOWN, expand: aboveOf(resource), location };
  return recordsCalled(resource, text, params, signal);
}
