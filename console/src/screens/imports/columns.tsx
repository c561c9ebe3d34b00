/** What each column is for, beside what its first rows hold, and how values are written. */
import type { JSX } from 'preact';
import { anchor, type DescribedResource, fieldOf } from '../../description.ts';
import { useLocations } from '../../locations.ts';
import { titleOf } from '../../records.ts';
import { texts } from '../../texts.ts';
import type { Asked, Look } from './service.ts';
import { says } from './texts.ts';

interface ColumnsProps {
  readonly look: Look;
  readonly resource: DescribedResource;
  readonly asked: Asked;
  readonly busy: boolean;
  readonly onAsked: (asked: Asked) => void;
  readonly onCheck: () => void;
  readonly onLeave: () => void;
}

/** Rows beside a column. */
const SAMPLES = 3;

export function Columns(props: ColumnsProps): JSX.Element {
  const { look, resource, asked, busy, onAsked, onCheck, onLeave } = props;
  const map = asked.map ?? {};
  const mapped = new Set(Object.values(map).map((name) => name?.split('.')[0]));
  const needed = look.required.filter((name) => !mapped.has(name));
  const labelOf = (name: string): string =>
    name === 'external_identifier'
      ? texts.record.identifier
      : (fieldOf(resource, name)?.label ?? name);
  const { value: locations } = useLocations();
  const owner = `${anchor?.name}_unique_identifier`;
  const belongs = anchor !== undefined && resource.parent?.resource === anchor.name;
  const names = Object.fromEntries(
    (locations?.data ?? []).map((one) => [one.unique_identifier, titleOf(anchor ?? resource, one)]),
  );
  return (
    <form
      class="import-columns"
      onSubmit={(event) => {
        event.preventDefault();
        onCheck();
      }}
    >
      <p class="hint">
        <strong>{asked.name}</strong> {says.readAs(look.read)}
      </p>
      <section class="rows" aria-label={says.columns}>
        <table>
          <caption class="unseen">{says.columns}</caption>
          <thead>
            <tr>
              <th scope="col">{says.column}</th>
              <th scope="col">{says.samples}</th>
              <th scope="col">{says.field}</th>
            </tr>
          </thead>
          <tbody>
            {look.header.map((column, at) => (
              <tr key={column}>
                <th scope="row">{column}</th>
                <td class="samples">{samplesOf(look, at)}</td>
                <td>
                  {column.startsWith('_') ? (
                    <span class="hint">{says.passedOver}</span>
                  ) : (
                    <Target
                      column={column}
                      value={map[column] ?? ''}
                      fields={look.fields}
                      resource={resource}
                      onTarget={(field) => onAsked({ ...asked, map: { ...map, [column]: field } })}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {needed.length > 0 && (
        <p class="hint" role="status">
          {says.needed(needed.map(labelOf).join(', '))}
        </p>
      )}
      <fieldset class="import-how">
        <legend>{says.how}</legend>
        {belongs && (
          <Choice
            label={says.location}
            words={{ '': says.anyLocation, ...names }}
            value={asked.set?.[owner] ?? ''}
            onChoice={(id) => onAsked({ ...asked, set: id === '' ? undefined : { [owner]: id } })}
          />
        )}
        <Choice
          label={says.dates}
          words={says.datesAs}
          value={asked.dates ?? ''}
          onChoice={(dates) => onAsked({ ...asked, dates: dates || undefined })}
        />
        <label>
          {says.zone}
          <input
            list="zones"
            value={asked.time_zone ?? ''}
            onInput={({ currentTarget }) =>
              onAsked({ ...asked, time_zone: currentTarget.value || undefined })
            }
          />
          <datalist id="zones">
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </label>
        <Choice
          label={says.mode}
          words={says.modes}
          value={asked.mode ?? ''}
          onChoice={(mode) => onAsked({ ...asked, mode: mode || undefined })}
        />
        <Check
          label={says.phones}
          value={asked.us_phones === true}
          onCheck={(us_phones) => onAsked({ ...asked, us_phones })}
        />
        <Check
          label={says.empty}
          value={asked.empty === 'remove'}
          onCheck={(remove) => onAsked({ ...asked, empty: remove ? 'remove' : 'keep' })}
        />
      </fieldset>
      <footer class="actions">
        <button type="submit" class="main" disabled={busy || needed.length > 0}>
          {says.check}
        </button>
        <button type="button" class="plain" onClick={onLeave}>
          {says.another}
        </button>
      </footer>
    </form>
  );
}

function samplesOf({ rows }: Look, at: number): string {
  const cells = rows.map((cells) => cells[at] ?? '').filter((cell) => cell !== '');
  return [...new Set(cells)].slice(0, SAMPLES).join(' · ');
}

function Target({
  column,
  value,
  fields,
  resource,
  onTarget,
}: {
  readonly column: string;
  readonly value: string;
  readonly fields: readonly string[];
  readonly resource: DescribedResource;
  readonly onTarget: (field: string | null) => void;
}): JSX.Element {
  return (
    <select
      aria-label={`${says.field}: ${column}`}
      value={value}
      onChange={({ currentTarget }) => onTarget(currentTarget.value || null)}
    >
      <option value="">{says.leaveOut}</option>
      {fields.map((name) => {
        const label = fieldOf(resource, name)?.label;
        return (
          <option key={name} value={name}>
            {label === undefined ? name : `${label} (${name})`}
          </option>
        );
      })}
    </select>
  );
}

function Choice({
  label,
  words,
  value,
  onChoice,
}: {
  readonly label: string;
  readonly words: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChoice: (value: string) => void;
}): JSX.Element {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        {Object.entries(words).map(([name, says]) => (
          <option key={name} value={name}>
            {says}
          </option>
        ))}
      </select>
    </label>
  );
}

function Check({
  label,
  value,
  onCheck,
}: {
  readonly label: string;
  readonly value: boolean;
  readonly onCheck: (value: boolean) => void;
}): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
