/** The form of a record: its fields in their groups, with what is wrong beside each. */
import { edit as says, page as texts } from 'messages';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Cancel } from '../../parts/dialog.tsx';
import { Submitted } from '../../parts/form.tsx';
import { Control, type ControlProps, Labelled } from '../../parts/labelled.tsx';
import { Fault, sentenceOf } from '../../parts/loading.tsx';
import type { Option } from '../../parts/select.tsx';
import { type DescribedField, type DescribedResource, fieldOf } from '../../records/description.ts';
import { groupsOf, isFree } from '../../records/order.ts';
import { refusalText } from '../../refusals.ts';
import { isRefusal } from '../../service/api.ts';
import { phoneText, typedPhone } from '../../values/contact.ts';
import { hasZone } from '../../values/days.ts';
import { currencySign, zoneText } from '../../values/format.ts';
import { isMoney, isPhone, textOfValue } from '../../values/value.tsx';
import { Content, Entries } from './content.tsx';
import { type FieldFault, isContent, isList, sentFor, type Typed, withCurrency } from './typed.ts';

interface Faults {
  readonly whole: string | undefined;
  /** By the parameter of their field. */
  readonly fields: Readonly<Record<string, FieldFault>>;
}

const NO_FAULTS: Faults = { whole: undefined, fields: {} };

/** `begin` gives what stands in it until somebody types, as it is shown by then: the plans of phone numbers may come later. */
export function useRecordForm(resource: DescribedResource, begin: () => Typed) {
  const [own, setTyped] = useState<Typed>();
  const typed = own ?? begin();
  const [faults, setFaults] = useState(NO_FAULTS);
  const [busy, setBusy] = useState(false);
  /** How often something was refused. */
  const [refused, setRefused] = useState(0);
  const complain = (found: Faults): void => {
    setFaults(found);
    setRefused((before) => before + 1);
  };
  return {
    typed,
    faults,
    busy,
    refused,
    setTyped,
    put(param: string, value: string): void {
      setTyped((before = begin()) => withCurrency(resource, { ...before, [param]: value }, param));
      setFaults(({ fields: { [param]: _, ...fields } }) => ({ whole: undefined, fields }));
    },
    /** Shows what is wrong; where the first fault is, typing goes on. */
    complain,
    async attempt(work: () => Promise<void>, values: Typed): Promise<void> {
      setBusy(true);
      setFaults(NO_FAULTS);
      try {
        await work();
      } catch (error) {
        complain(faultsOf(resource, error, values));
      } finally {
        setBusy(false);
      }
    },
  };
}

interface RecordFormProps {
  readonly resource: DescribedResource;
  readonly form: ReturnType<typeof useRecordForm>;
  readonly zone: string;
  readonly label?: string;
  readonly hint: string;
  readonly submit?: string | undefined;
  /** Whether it stands beside a card, and in its order. */
  readonly onCard?: boolean;
  readonly onSubmit: () => void;
  readonly children?: ComponentChildren;
}

export function RecordForm(props: RecordFormProps): JSX.Element {
  const { resource, form, zone, submit = texts.save, onCard = false } = props;
  const { faults, busy } = form;
  const input = (field: DescribedField): JSX.Element => (
    <Input
      key={field.param}
      field={field}
      value={form.typed[field.param] ?? ''}
      fault={faults.fields[field.param]}
      zone={zone}
      onType={(value) => form.put(field.param, value)}
    />
  );
  const images = onCard ? fieldOf(resource, resource.images ?? '') : undefined;
  return (
    <Submitted
      class={onCard ? 'stack edit beside' : 'stack edit'}
      label={props.label}
      busy={busy}
      refused={form.refused}
      onSubmit={props.onSubmit}
      // From the fields beside a card to the keys that go from card to card.
      onEscape={() => onCard && document.querySelector<HTMLElement>('.card h2')?.focus()}
    >
      <Fault says={faults.whole} />
      {props.children}
      {(onCard ? cardGroupsOf : groupsOf)(resource).map(
        ({ heading: named, fields: params }, at) => {
          const heading = named ?? (resource.groups.length > 1 ? texts.record.details : undefined);
          const fields = params.flatMap((param) => fieldOf(resource, param) ?? []);
          if (fields.length === 0) return null;
          return (
            <fieldset key={at}>
              <legend class={heading === undefined || onCard ? 'unseen' : undefined}>
                {heading ?? resource.singular}
              </legend>
              {fields.map(input)}
            </fieldset>
          );
        },
      )}
      {images !== undefined && (
        <details open={faults.fields[images.param] !== undefined}>
          <summary>{images.label}</summary>
          {input(images)}
        </details>
      )}
      <p class="hint">{props.hint}</p>
      <footer>
        <span class="hint by-keys">{says.ctrlEnter}</span>
        {!onCard && <Cancel />}
        <button type="submit" class="main" disabled={busy}>
          {busy ? says.saving : submit}
        </button>
      </footer>
    </Submitted>
  );
}

/** Faults stand next to their fields; those of no field stand above them all. */
function faultsOf(resource: DescribedResource, error: unknown, typed: Typed): Faults {
  if (!isRefusal(error)) return { ...NO_FAULTS, whole: sentenceOf(error) };
  const fields: Record<string, FieldFault> = {};
  let beside = 0;
  for (const refusal of error.errors) {
    const { param = '' } = refusal;
    const field = fieldAt(resource, param);
    if (field === undefined) continue;
    beside += 1;
    const inside = param.slice(field.param.length + 1);
    const row = /^\d+$/.test(inside) ? Number(inside) : undefined;
    // People know the field by its label, and count its entries from 1.
    const called = `${field.label} ${row === undefined ? inside : row + 1}`.trim();
    const words = inWordsOfForm(field, typed) ?? refusalText(refusal, called);
    // The first of a field is the one to begin with.
    fields[field.param] ??= { says: words, ...(row === undefined ? {} : { row }) };
  }
  if (beside === 0) return { ...NO_FAULTS, whole: sentenceOf(error) };
  return { whole: beside === error.errors.length ? says.faults : sentenceOf(error), fields };
}

const EXTENSION = /(?:ext(?:ension|\.)?|x|#)\W*\d+(?=\W*$)/i;

/** What the service says of these is for programs. */
function inWordsOfForm(field: DescribedField, typed: Typed): string | undefined {
  const isEmpty = (typed[field.param] ?? '').trim() === '';
  if (isEmpty && !isContent(field) && !isList(field)) return says.needed(field.label);
  if (!isPhone(field)) return undefined;
  const [extension] = EXTENSION.exec(typed[field.param] ?? '') ?? [];
  return extension === undefined
    ? says.noPhone(field.label)
    : says.extension({ label: field.label, extension });
}

function fieldAt(resource: DescribedResource, param: string): DescribedField | undefined {
  return (
    fieldOf(resource, param) ??
    resource.fields.find(
      (field) => (isContent(field) || isList(field)) && param.startsWith(`${field.param}.`),
    )
  );
}

type Group = DescribedResource['groups'][number];

/** Groups the fields as a card is filled in: the name, where the person lives, how to reach them, what else stands on it. The images are before one's eyes. */
function cardGroupsOf(resource: DescribedResource): readonly Group[] {
  const [{ heading, fields } = { fields: [] }, ...others] = groupsOf(resource);
  const [name = '', ...rest] = fields.filter((param) => param !== resource.images);
  const kinds = new Map(resource.fields.map(({ param, kind }) => [param, kind]));
  const isLast = (group: Group): boolean => group.fields.some((param) => isFree(kinds.get(param)));
  return [
    { ...(heading && { heading }), fields: [name] },
    ...others.filter((group) => !isLast(group)),
    { ...(heading && { heading }), fields: rest },
    ...others.filter(isLast),
  ].map((group) => ({
    ...group,
    fields: group.fields.filter((param) => param !== resource.images),
  }));
}

interface InputProps {
  readonly field: DescribedField;
  readonly value: string;
  readonly fault: FieldFault | undefined;
  readonly zone: string;
  readonly onType: (value: string) => void;
}

function Input({ field, value, fault, zone, onType }: InputProps): JSX.Element {
  const isRows = isContent(field) || isList(field);
  const Rows = isContent(field) ? Content : Entries;
  return (
    <Labelled
      label={isMoney(field) ? `${field.label} (${currencySign()})` : field.label}
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
  'money in cents': 'amount',
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
  if (field.kind === 'date and time')
    return hasZone(zone) ? says.zone(zoneText(zone)) : says.zoneLacked(zoneText(zone));
  if (isMoney(field) && value.trim() !== '') {
    const sent = sentFor(value, field, zone);
    return typeof sent === 'number' ? says.stored(textOfValue(sent, field)) : undefined;
  }
  if (!isPhone(field) || value === '') return undefined;
  const stored = phoneText(typedPhone(value, zone), zone);
  return stored === value ? undefined : says.stored(stored);
}
