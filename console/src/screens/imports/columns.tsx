/** The meaning of each column and the format of its values, next to its first rows. */

import says from 'messages:imports';
import type { JSX } from 'preact';
import { Choice } from '../../parts/choice.tsx';
import { isZoneKnown } from '../../places/homes.ts';
import { type DescribedResource, fieldOf, resourceNamed } from '../../records/description.ts';
import { targetLabel } from '../../refusals.ts';
import { zoneChoices } from '../../values/format.ts';
import { Belongs } from './belongs.tsx';
import { ForAll, isParentGiven, lackOf, mappedIn } from './for-all.tsx';
import { type FileOptions, type Look, namesParent } from './service.ts';

interface ColumnsProps {
  readonly look: Look;
  readonly resource: DescribedResource;
  readonly asked: FileOptions;
  readonly busy: boolean;
  readonly onAsked: (asked: FileOptions) => void;
  /** Another row names the columns. */
  readonly onHeader: (row: number) => void;
  readonly onCheck: () => void;
  readonly onLeave: () => void;
}

const zoneWords = Object.fromEntries(zoneChoices.map((zone) => [zone, zone]));

/** Sample rows of a column. */
const SAMPLES = 3;

export function Columns(props: ColumnsProps): JSX.Element {
  const { look, resource, asked, busy, onAsked, onHeader, onCheck, onLeave } = props;
  // What all rows belong to is said once.
  const fields = isParentGiven(resource, asked)
    ? look.fields.filter(({ name }) => !namesParent(name))
    : look.fields;
  const map = asked.map ?? {};
  const mapped = mappedIn({ look, resource, asked });
  const lack = lackOf({ look, resource, asked });
  const { parent } = resource;
  const above = parent && resourceNamed(parent.resource);
  const belongs = above?.parent === undefined ? undefined : above;
  return (
    <form
      class="import-columns"
      onSubmit={(event) => {
        event.preventDefault();
        onCheck();
      }}
    >
      <p class="hint">
        <strong>{asked.name}</strong> {says.readAs(howRead(look))}
      </p>
      <label class="import-header">
        {says.headerRow}
        <select
          value={look.header_row}
          onChange={({ currentTarget }) => onHeader(Number(currentTarget.value))}
        >
          {look.beginning.map(({ number, text }) => (
            <option key={number} value={number}>
              {says.headerRowOf({ number, text })}
            </option>
          ))}
        </select>
      </label>
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
                    <>
                      <Target
                        column={column}
                        value={map[column] ?? ''}
                        fields={fields}
                        onTarget={(field) =>
                          onAsked({ ...asked, map: { ...map, [column]: field } })
                        }
                      />
                      {look.mapping[column] === null && !map[column] && (
                        <span class="hint">{says.unsaid}</span>
                      )}
                      {fieldOf(resource, map[column] ?? '')?.kind === 'date and time' &&
                        mapped.filter((name) => name === map[column]).length === 2 && (
                          <span class="hint">{says.joined}</span>
                        )}
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ForAll look={look} resource={resource} asked={asked} onAsked={onAsked} />
      <fieldset class="import-how">
        <legend>{says.how}</legend>
        {belongs !== undefined && parent !== undefined && (
          <Belongs
            parent={belongs}
            value={asked.set?.[parent.param] ?? ''}
            onChoice={(id) => onAsked({ ...asked, set: { ...asked.set, [parent.param]: id } })}
          />
        )}
        <Choice
          label={says.dates}
          words={says.datesAs}
          value={asked.dates ?? ''}
          onChoice={(dates) => onAsked({ ...asked, dates: dates || undefined })}
        />
        <Choice
          label={says.zone}
          words={{ '': isZoneKnown.value ? says.ownZone : says.chooseField, ...zoneWords }}
          value={asked.time_zone ?? ''}
          onChoice={(zone) => onAsked({ ...asked, time_zone: zone || undefined })}
        />
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
        <button type="submit" class="main" disabled={busy || lack !== undefined}>
          {says.check}
        </button>
        <button type="button" class="plain" onClick={onLeave}>
          {says.another}
        </button>
        {lack !== undefined && (
          <p class="hint" role="status">
            {lack}
          </p>
        )}
      </footer>
    </form>
  );
}

/** How the file was read: `utf-8, commas`. */
function howRead({ read: { encoding, delimiter, sheet, header_row: row } }: Look): string {
  return [
    encoding ?? '',
    delimiter === undefined ? '' : (says.delimiters[delimiter] ?? delimiter).toLowerCase(),
    sheet === undefined ? '' : says.sheetNamed(sheet),
    row === undefined ? '' : says.headerIn(row),
  ]
    .filter((word) => word !== '')
    .join(', ');
}

function samplesOf({ rows }: Look, at: number): string {
  const cells = rows.map((cells) => cells[at] ?? '').filter((cell) => cell !== '');
  return [...new Set(cells)].slice(0, SAMPLES).join(' · ');
}

function Target({
  column,
  value,
  fields,
  onTarget,
}: {
  readonly column: string;
  readonly value: string;
  readonly fields: Look['fields'];
  readonly onTarget: (field: string | null) => void;
}): JSX.Element {
  return (
    <select
      aria-label={`${says.field}: ${column}`}
      value={value}
      onChange={({ currentTarget }) => onTarget(currentTarget.value || null)}
    >
      <option value="">{says.leaveOut}</option>
      {fields.map((field) => (
        <option key={field.name} value={field.name}>
          {targetLabel(field)}
        </option>
      ))}
    </select>
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
