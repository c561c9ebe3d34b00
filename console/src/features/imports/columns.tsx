/** The first step: the meaning of each column, next to its first rows, and what no column says. */
import { imports as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Check } from '../../parts/choices.tsx';
import { Submitted } from '../../parts/form.tsx';
import { Choice, type Option, Select } from '../../parts/select.tsx';
import { Table } from '../../parts/table.tsx';
import { type DescribedResource, fieldOf } from '../../records/description.ts';
import { labelled } from '../../values/format.ts';
import { Combine } from './combine.tsx';
import { Noticed } from './fix/noticed.tsx';
import {
  ForAll,
  isParentGiven,
  labelFor,
  labelIn,
  lackOf,
  lacksOf,
  mappedIn,
  partsOfName,
  SAMPLES,
  valuesIn,
} from './for-all.tsx';
import { columnsFor } from './refused.ts';
import { type FileOptions, type Look, namesParent } from './service.ts';

interface ColumnsProps {
  readonly look: Look;
  readonly resource: DescribedResource;
  readonly options: FileOptions;
  readonly busy: boolean;
  readonly onOptions: (options: FileOptions) => void;
  /** Another row names the columns. */
  readonly onHeader: (row: number) => void;
  /** Its letters are encoded otherwise. */
  readonly onEncoding: (encoding: string) => void;
  readonly onCheck: () => void;
  readonly onLeave: () => void;
}

export function Columns(props: ColumnsProps): JSX.Element {
  const { look, resource, options, busy, onOptions, onHeader, onEncoding, onCheck, onLeave } =
    props;
  const [combining, setCombining] = useState(false);
  // What all rows belong to is said once.
  const fields = isParentGiven(resource, options)
    ? look.fields.filter(({ name }) => !namesParent(name))
    : look.fields;
  const labels = fields.map((field) => [field.name, labelFor(resource, field)] as const);
  const targets = [['', says.leaveOut] as const, ...labels];
  const map = options.map ?? {};
  const chosen = { look, resource, options };
  const mapped = mappedIn(chosen);
  const values = valuesIn(chosen);
  const lacks = lacksOf(chosen);
  const lack = lackOf(chosen, lacks);
  const partOf = (column: string): string | undefined =>
    Object.keys(values).find((name) => columnsFor(values[name] ?? '').includes(column));
  /** Among them what it is for now, as a heading may say itself what it is a detail of. */
  const optionsFor = (column: string, field: string): readonly Option[] => {
    const detail = look.details[column];
    const all = targets.filter(([name]) => name === field || !detail?.startsWith(`${name}.`));
    const isListed = field === detail || all.some(([name]) => name === field);
    const own = field.slice(field.indexOf('.') + 1);
    return [
      ...all,
      ...(isListed ? [] : [[field, says.detail(own)] as const]),
      ...(detail === undefined ? [] : [[detail, says.detail(column)] as const]),
    ];
  };
  const goesTo = (column: string): JSX.Element => {
    if (column.startsWith('_')) return <span class="hint">{says.passedOver}</span>;
    const field = map[column] ?? '';
    const whole = field === '' ? partOf(column) : undefined;
    const isJoined =
      fieldOf(resource, field)?.kind === 'date and time' &&
      mapped.filter((name) => name === field).length === 2;
    const isTwice = field !== '' && field === lacks.twice;
    return (
      <>
        <Select
          aria-label={labelled(says.field, column)}
          value={field}
          options={optionsFor(column, field)}
          onChoose={(chosen) =>
            onOptions({ ...options, map: { ...map, [column]: chosen || null } })
          }
        />
        {whole !== undefined ? (
          <span class="hint">{says.partOf(labelIn(chosen, whole))}</span>
        ) : (
          look.mapping[column] === null && field === '' && <span class="hint">{says.unsaid}</span>
        )}
        {isJoined && <span class="hint">{says.joined}</span>}
        {isTwice && <span class="fault">{says.both(labelIn(chosen, field))}</span>}
      </>
    );
  };
  const choice = (name: 'dates' | 'mode', label: string, of: readonly Option[]) => (
    <Choice
      label={label}
      options={of}
      value={options[name] ?? ''}
      onChoose={(chosen) => onOptions({ ...options, [name]: chosen || undefined })}
    />
  );
  return (
    <Submitted class="stack import-columns" busy={busy} onSubmit={() => !lack && onCheck()}>
      <div>
        <p class="hint">
          <strong>{options.name}</strong> {says.readAs(howRead(look))}
        </p>
        {look.like !== undefined && <p class="hint like">{says.asIn(look.like.name)}</p>}
      </div>
      <Noticed of={look} onEncoding={onEncoding} />
      <div class="import-header">
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
        <Button label={says.combine} asks onClick={() => setCombining(true)} />
      </div>
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
      <ForAll {...chosen} lacks={lacks} onOptions={onOptions} />
      <fieldset class="fields import-how">
        <legend>{says.how}</legend>
        {choice('dates', says.dates, Object.entries(says.datesAs))}
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
      {combining && (
        <Combine
          look={look}
          fields={labels.filter(([name]) => !namesParent(name))}
          begin={beginning(chosen)}
          onClose={() => setCombining(false)}
          onDone={(field, value) => {
            setCombining(false);
            const freed = Object.entries(map).map(
              ([column, name]) => [column, name === field ? null : name] as const,
            );
            const set = { ...options.set, [field]: value };
            onOptions({ ...options, map: Object.fromEntries(freed), set });
          }}
        />
      )}
    </Submitted>
  );
}

/** The parts of a name, for whom a record is called by. */
function beginning({ look, resource, options }: Parameters<typeof lacksOf>[0]) {
  const named = look.fields.map(({ name }) => name);
  const [field = ''] = resource.title.filter((name) => named.includes(name));
  return { field, value: options.set?.[field] ?? partsOfName(look) };
}

/** How the file was read: `utf-8, commas`. */
function howRead({ read: { encoding, delimiter, sheet, header_row: row } }: Look): string {
  return [
    // What every program writes needs no word.
    encoding === 'utf-8' ? '' : (encoding ?? ''),
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
