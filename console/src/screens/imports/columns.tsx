/** The meaning of each column and the format of its values, next to its first rows. */
import { imports as says, page as texts } from 'messages';
import { Button } from '../../parts/button.tsx';
import { Check } from '../../parts/choices.tsx';
import { Submitted } from '../../parts/form.tsx';
import { Choice, type Option, Select } from '../../parts/select.tsx';
import { Table } from '../../parts/table.tsx';
import { isZoneKnown } from '../../places/zones.ts';
import { type DescribedResource, fieldOf, resourceNamed } from '../../records/description.ts';
import { targetLabel } from '../../refusals.ts';
import { zoneChoices } from '../../values/format.ts';
import { Parent } from '../edit/create.tsx';
import { ForAll, isParentGiven, lackOf, mappedIn, SAMPLES } from './for-all.tsx';
import { type FileOptions, type Look, namesParent } from './service.ts';

interface ColumnsProps {
  readonly look: Look;
  readonly resource: DescribedResource;
  readonly options: FileOptions;
  readonly busy: boolean;
  readonly onOptions: (options: FileOptions) => void;
  /** Another row names the columns. */
  readonly onHeader: (row: number) => void;
  readonly onCheck: () => void;
  readonly onLeave: () => void;
}

const zones = zoneChoices.map((zone) => [zone, zone] as const);

export function Columns(props: ColumnsProps): JSX.Element {
  const { look, resource, options, busy, onOptions, onHeader, onCheck, onLeave } = props;
  // What all rows belong to is said once.
  const fields = isParentGiven(resource, options)
    ? look.fields.filter(({ name }) => !namesParent(name))
    : look.fields;
  const targets = [
    ['', says.leaveOut] as const,
    ...fields.map((field) => [field.name, targetLabel(field)] as const),
  ];
  const map = options.map ?? {};
  const mapped = mappedIn({ look, resource, options });
  const lack = lackOf({ look, resource, options });
  const { parent } = resource;
  const above = parent && resourceNamed(parent.resource);
  const belongs = above?.parent === undefined ? undefined : above;
  const goesTo = (column: string): JSX.Element => {
    if (column.startsWith('_')) return <span class="hint">{says.passedOver}</span>;
    const field = map[column] ?? '';
    const isJoined =
      fieldOf(resource, field)?.kind === 'date and time' &&
      mapped.filter((name) => name === field).length === 2;
    return (
      <>
        <Select
          aria-label={`${says.field}: ${column}`}
          value={field}
          options={targets}
          onChoose={(chosen) =>
            onOptions({ ...options, map: { ...map, [column]: chosen || null } })
          }
        />
        {look.mapping[column] === null && field === '' && <span class="hint">{says.unsaid}</span>}
        {isJoined && <span class="hint">{says.joined}</span>}
      </>
    );
  };
  const choice = (name: 'dates' | 'time_zone' | 'mode', label: string, of: readonly Option[]) => (
    <Choice
      label={label}
      options={of}
      value={options[name] ?? ''}
      onChoose={(chosen) => onOptions({ ...options, [name]: chosen || undefined })}
    />
  );
  return (
    <Submitted class="stack import-columns" busy={busy} onSubmit={onCheck}>
      <p class="hint">
        <strong>{options.name}</strong> {says.readAs(howRead(look))}
      </p>
      <label class="import-header">
        {says.headerRow}
        <Select
          value={look.header_row}
          options={look.beginning.map(
            (row) => [String(row.number), says.headerRowOf(row)] as const,
          )}
          onChoose={(number) => onHeader(Number(number))}
        />
      </label>
      <Table
        caption={says.columns}
        columns={[
          { label: says.column, cell: ({ column }) => column },
          { label: says.samples, class: 'samples', cell: ({ at }) => samplesOf(look, at) },
          { label: says.field, cell: ({ column }) => goesTo(column) },
        ]}
        rows={look.header.map((column, at) => ({ column, at }))}
        keyOf={({ column }) => column}
      />
      <ForAll look={look} resource={resource} options={options} onOptions={onOptions} />
      <fieldset class="fields import-how">
        <legend>{says.how}</legend>
        {belongs !== undefined && parent !== undefined && (
          <Parent
            resource={belongs}
            label={says.belongs}
            none={says.anyParent(belongs.singular.toLowerCase())}
            chosen={options.set?.[parent.param] || undefined}
            onChoose={(id = '') =>
              onOptions({ ...options, set: { ...options.set, [parent.param]: id } })
            }
          />
        )}
        {choice('dates', says.dates, Object.entries(says.datesAs))}
        {choice('time_zone', says.zone, [
          ['', isZoneKnown.value ? says.ownZone : says.chooseField],
          ...zones,
        ])}
        {choice('mode', texts.nav.records, Object.entries(says.modes))}
        <Check
          label={says.phones}
          isOn={options.us_phones === true}
          onSet={(us_phones) => onOptions({ ...options, us_phones })}
        />
        <Check
          label={says.empty}
          isOn={options.empty === 'remove'}
          onSet={(remove) => onOptions({ ...options, empty: remove ? 'remove' : 'keep' })}
        />
      </fieldset>
      <footer class="actions">
        <button type="submit" class="main" disabled={busy || lack !== undefined}>
          {says.check}
        </button>
        <Button class="plain" label={says.another} onClick={onLeave} />
        {lack !== undefined && (
          <p class="hint" role="status">
            {lack}
          </p>
        )}
      </footer>
    </Submitted>
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
