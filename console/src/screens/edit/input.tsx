/** One field of the form, by its kind, with its fault. */
import { edit as says, page as texts } from 'messages';
import { Control, type ControlProps, Labelled } from '../../parts/labelled.tsx';
import type { Option } from '../../parts/select.tsx';
import type { DescribedField } from '../../records/description.ts';
import { phoneText, typedPhone } from '../../values/contact.ts';
import { zoneText } from '../../values/format.ts';
import { isPhone } from '../../values/value.tsx';
import { Content, Entries } from './content.tsx';
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
  const isRows = isContent(field) || isList(field);
  const Rows = isContent(field) ? Content : Entries;
  return (
    <Labelled
      label={field.label}
      isRequired={field.required}
      isGroup={isRows}
      hint={hintFor(field, value, zone)}
      fault={fault?.says}
    >
      {(common) =>
        isRows ? (
          <Rows
            field={field}
            value={value}
            describedBy={common['aria-describedby']}
            fault={fault}
            onType={onType}
          />
        ) : (
          <Control
            common={common}
            name={field.param}
            of={controlOf(field, value)}
            rows={4}
            value={value}
            onType={onType}
          />
        )
      }
    </Labelled>
  );
}

/** The service reports faults, in its words; so an email is typed into a text field. */
const TYPES: Readonly<Record<string, ControlProps['of']>> = {
  date: 'date',
  'date and time': 'datetime-local',
  'E.164 phone number': 'tel',
  'US phone number': 'tel',
  'whole number': 'number',
};

function controlOf(field: DescribedField, value: string): ControlProps['of'] {
  const isLong = field.kind === 'text' && (value.includes('\n') || value.length > 80);
  return optionsOf(field) ?? (isLong ? 'lines' : TYPES[field.kind]);
}

function optionsOf(field: DescribedField): readonly Option[] | undefined {
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
