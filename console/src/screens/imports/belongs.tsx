/** Chooses by name what all rows of a file belong to. */

import says from 'messages:imports';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { Choice } from '../../parts/select.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import type { DescribedResource } from '../../records/description.ts';
import { at, type Shown, titleOf } from '../../records/records.ts';
import { recordsCalled, recordsOf } from '../../service/api.ts';
import { timeText } from '../../values/format.ts';

/** The newest; others are found by name. */
const LISTED = 100;
const FOUND = 50;
/** After the last letter, before the request is sent. */
const PAUSE_MS = 200;

interface BelongsProps {
  readonly parent: DescribedResource;
  /** The identifier of the record; `''`: a column names it. */
  readonly value: string;
  readonly onChoice: (id: string) => void;
}

export function Belongs({ parent, value, onChoice }: BelongsProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  const [chosen, setChosen] = useState<Shown>();
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { value: found = [] } = useLoad(`${parent.path} called ${asked}`, (signal) =>
    asked === '' ? listed(parent, signal) : recordsCalled(parent, asked, { limit: FOUND }, signal),
  );
  const ids = found.map(({ unique_identifier }) => unique_identifier);
  const choices = chosen === undefined || ids.includes(value) ? found : [chosen, ...found];
  return (
    <div class="belongs">
      <Choice
        label={says.belongs}
        value={value}
        options={[
          ['', says.anyParent(parent.singular.toLowerCase())],
          ...choices.map((one) => [one.unique_identifier, nameOf(parent, one)] as const),
        ]}
        onChoose={(id) => {
          setChosen(choices.find(({ unique_identifier }) => unique_identifier === id));
          onChoice(id);
        }}
      />
      <label>
        {says.findParent(parent.singular.toLowerCase())}
        <input
          type="search"
          autocomplete="off"
          maxLength={200}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      </label>
      {asked !== '' && found.length === 0 && (
        <p class="hint" role="status">
          {says.noParent(asked)}
        </p>
      )}
    </div>
  );
}

async function listed({ path }: DescribedResource, signal: AbortSignal): Promise<readonly Shown[]> {
  const { data } = await recordsOf(path).list({ limit: LISTED }, { signal }).page();
  return data;
}

/** With its date, where it has one: two services may be for people of one name. */
function nameOf(resource: DescribedResource, record: Shown): string {
  const when = resource.fields.find(({ kind }) => kind === 'date and time');
  const time = when && at(record, when.at);
  const title = titleOf(resource, record);
  return typeof time === 'string' ? `${title}, ${timeText(time, zoneOfRecord(record))}` : title;
}
