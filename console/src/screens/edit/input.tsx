/** One field of the form, by its kind, with its fault. */

import says from 'messages:edit';
import texts from 'messages:page';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { DescribedField } from '../../records/description.ts';
import { phoneText, typedPhone } from '../../values/contact.ts';
import { zoneText } from '../../values/format.ts';
import { isPhone } from '../../values/value.tsx';
import { Content } from './content.tsx';
import { Entries } from './entries.tsx';
import { type FieldFault, isContent, isList } from './structured.ts';

interface InputProps {
  readonly field: DescribedField;
  readonly value: string;
  readonly fault: FieldFault | undefined;
  /** The time zone of times. */
  readonly zone: string;
  readonly onType: (value: string) => void;
}

export function Input({ field, value, fault, zone, onType }: InputProps): JSX.Element {
  const id = useId();
  const hint = hintFor(field, value, zone);
  const about =
    `${fault === undefined ? '' : `${id}-fault`} ${hint === undefined ? '' : `${id}-hint`}`.trim();
  const common = {
    id,
    name: field.param,
    'aria-invalid': fault !== undefined,
    'aria-describedby': about === '' ? undefined : about,
  };
  if (isContent(field) || isList(field)) {
    const Rows = isContent(field) ? Content : Entries;
    return (
      <fieldset class="field wide">
        <legend>
          {field.label}
          {field.required === true && <small> {texts.required}</small>}
        </legend>
        <Rows
          field={field}
          value={value}
          describedBy={common['aria-describedby']}
          fault={fault}
          onType={onType}
        />
        {fault !== undefined && (
          <p class="fault" id={`${id}-fault`}>
            {fault.says}
          </p>
        )}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={id}>
        {field.label}
        {field.required === true && <small> {texts.required}</small>}
      </label>
      <Control field={field} value={value} common={common} onType={onType} />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault.says}
        </p>
      )}
    </div>
  );
}

function Control({
  field,
  value,
  common,
  onType,
}: {
  readonly field: DescribedField;
  readonly value: string;
  readonly common: object;
  readonly onType: (value: string) => void;
}): JSX.Element {
  const options = optionsOf(field);
  if (options !== undefined) {
    return (
      <select
        {...common}
        value={value}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
      >
        {options.map(([one, label]) => (
          <option key={one} value={one}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (field.kind === 'text' && (value.includes('\n') || value.length > 80)) {
    return (
      <textarea
        {...common}
        rows={4}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...common}
      // The types of Preact want one kind of input at a time.
      type={(TYPES[field.kind] ?? 'text') as 'tel'}
      inputMode={field.kind === 'whole number' ? 'numeric' : undefined}
      autocomplete="off"
      value={value}
      onInput={({ currentTarget }) => onType(currentTarget.value)}
    />
  );
}

/** The service reports faults, in its words; so an email is typed into a text field. */
const TYPES: Readonly<Record<string, string>> = {
  date: 'date',
  'date and time': 'datetime-local',
  'E.164 phone number': 'tel',
  'US phone number': 'tel',
};

function optionsOf(field: DescribedField): readonly (readonly [string, string])[] | undefined {
  const none = ['', texts.unknown] as const;
  if (field.kind === 'boolean') return [none, ['true', texts.yes], ['false', texts.no]];
  if (field.kind === 'only `true`')
    return [
      ['', texts.no],
      ['true', texts.yes],
    ];
  return field.choices === undefined
    ? undefined
    : [none, ...field.choices.map((one) => [String(one), String(one)] as const)];
}

function hintFor(field: DescribedField, value: string, zone: string): string | undefined {
  if (field.kind === 'date and time') return says.zone(zoneText(zone));
  if (!isPhone(field) || value === '') return undefined;
  const stored = phoneText(typedPhone(value));
  return stored === value ? undefined : says.stored(stored);
}
