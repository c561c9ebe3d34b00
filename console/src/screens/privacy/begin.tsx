/** Begins a request: what is known of the person, by which their records are found. */

import { privacy as says, page as texts } from 'messages';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import * as bounds from '../../generated/bounds.ts';
import { useLoad } from '../../load.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { DateInput } from '../../parts/date-input.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { accountField, FormDialog, firstAccount } from '../../parts/form.tsx';
import { Loading } from '../../parts/loading.tsx';
import { usualZone } from '../../places/zones.ts';
import { resourceOf } from '../../records/description.ts';
import { titleOf, valueIn } from '../../records/records.ts';
import { api, recordsOf } from '../../service/api.ts';
import { phoneText, typedPhone } from '../../values/contact.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';
import { labelled } from '../../values/format.ts';
import { isEmail, isPhone } from '../../values/value.tsx';
import { isYearShort } from '../../values/years.ts';

interface BeginProps {
  /** The unique identifier of a record that is the person's. */
  readonly record: string | undefined;
  readonly onClose: () => void;
  readonly onBegun: (begun: Erasure) => void;
}

const { form } = says;
const NOTHING = { title: '', account: undefined, phones: '', emails: '' };

/** What the record says of the person is filled in: it finds their other records. */
export function Begin({ record, onClose, onBegun }: BeginProps): JSX.Element {
  const load = useLoad(record && `person of ${record}`, (signal) => knownOf(record ?? '', signal));
  if (record === undefined || load.value !== undefined)
    return (
      <Form record={record} known={load.value ?? NOTHING} onClose={onClose} onBegun={onBegun} />
    );
  return (
    <Dialog title={says.begin} onClose={onClose} wide>
      <Loading of={load} rows={4} />
    </Dialog>
  );
}

async function knownOf(id: string, signal: AbortSignal) {
  const resource = resourceOf(id);
  if (resource === undefined) return { ...NOTHING, title: id };
  const records = recordsOf(resource.path);
  const [record, { data }] = await Promise.all([
    records.retrieve(id, { signal }),
    records.history(id, { limit: 1 }, { signal }).page(),
  ]);
  const textsOf = (wanted: typeof isPhone): readonly string[] =>
    resource.fields.flatMap((field) => {
      const value = wanted(field) ? valueIn(resource, record, field) : undefined;
      return typeof value === 'string' && value !== '' ? [value] : [];
    });
  return {
    account: data[0]?.account,
    title: titleOf(resource, record),
    phones: textsOf(isPhone)
      .map((one) => phoneText(one))
      .join('\n'),
    emails: textsOf(isEmail).join('\n'),
  };
}

function Form(props: BeginProps & { readonly known: Awaited<ReturnType<typeof knownOf>> }) {
  const { record, known, onClose, onBegun } = props;
  const zone = usualZone.value;
  const today = withOffset(midnight(zone, now()), zone).slice(0, 10);
  return (
    <FormDialog
      title={says.begin}
      bounds={bounds.begin_erasure}
      wide
      hint={
        <>
          <p>{form.hint}</p>
          {record !== undefined && (
            <p>
              {labelled(texts.record.tabs.fields)} <strong>{known.title}</strong>
            </p>
          )}
        </>
      }
      submit={form.submit}
      begin={{
        names: [NO_NAME] as readonly TypedName[],
        account: known.account ?? firstAccount(),
        phone_numbers: known.phones,
        email_addresses: known.emails,
        reference: '',
        received_at: today,
      }}
      fields={{
        names: {
          label: form.names,
          own: ({ value, isWrong, onChange }) => (
            <Names names={value} isWrong={isWrong} onType={onChange} />
          ),
          isUnclear: (names) =>
            names.some((one) => isYearShort(one.birth_date) || isYearShort(one.service_date)),
        },
        ...accountField(),
        phone_numbers: { label: form.phones, hint: form.aLine, of: 'lines' },
        email_addresses: { label: form.emails, hint: form.aLine, of: 'lines' },
        reference: { label: form.reference, hint: form.referenceHint },
        received_at: { label: form.receivedOn, of: 'date', days: { max: today } },
      }}
      missing={form.missing}
      isReady={(typed) =>
        record !== undefined ||
        sentNames(typed.names).length > 0 ||
        typed.phone_numbers + typed.email_addresses !== ''
      }
      send={({ account, reference, received_at, ...typed }) => {
        const names = sentNames(typed.names);
        const phone_numbers = linesOf(typed.phone_numbers).map((one) => typedPhone(one));
        const email_addresses = linesOf(typed.email_addresses);
        return api.erasures.create({
          account,
          ...(phone_numbers.length === 0 ? {} : { phone_numbers }),
          ...(email_addresses.length === 0 ? {} : { email_addresses }),
          ...(names.length === 0 ? {} : { names }),
          ...(record === undefined ? {} : { records: [record] }),
          ...(reference === '' ? {} : { reference }),
          ...(received_at === today || received_at === ''
            ? {}
            : { received_at: withOffset(momentIn(zone, received_at), zone) }),
        });
      }}
      onDone={onBegun}
      onClose={onClose}
    />
  );
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}

interface TypedName {
  readonly full_name: string;
  readonly birth_date: string;
  readonly service_date: string;
}

const NO_NAME: TypedName = { full_name: '', birth_date: '', service_date: '' };

const INPUTS = [
  ['full_name', texts.record.name, 'text'],
  ['birth_date', form.born, 'date'],
  ['service_date', form.service, 'date'],
] as const;

/** Picks the names that were typed, without empty dates. */
function sentNames(names: readonly TypedName[]): readonly { readonly full_name: string }[] {
  return names.flatMap(({ full_name, ...dates }) => {
    const said = Object.entries(dates).filter(([, date]) => date !== '');
    const name = full_name.trim();
    return name === '' ? [] : [{ full_name: name, ...Object.fromEntries(said) }];
  });
}

function NameInput(props: {
  readonly label: string;
  readonly type: 'text' | 'date';
  /** Which of several names it is of. */
  readonly named: string | undefined;
  readonly isWrong: boolean;
  readonly value: string;
  readonly onType: (text: string) => void;
}): JSX.Element {
  const { label, type, named, isWrong, value, onType } = props;
  const given = { 'aria-label': named, 'aria-invalid': isWrong, autocomplete: 'off', value };
  if (type === 'date') return <DateInput {...given} label={label} type="date" onType={onType} />;
  return (
    <label>
      {label}
      <input
        {...given}
        maxLength={200}
        spellcheck={false}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  );
}

interface NamesProps {
  readonly names: readonly TypedName[];
  readonly isWrong: boolean;
  readonly onType: (names: readonly TypedName[]) => void;
}

function Names({ names, isWrong, onType }: NamesProps): JSX.Element {
  const put = (at: number, changes: Partial<TypedName>): void =>
    onType(names.map((one, index) => (index === at ? { ...one, ...changes } : one)));
  return (
    <fieldset class="field known-names">
      <legend>{form.names}</legend>
      {names.map((one, at) => (
        <div key={at}>
          {INPUTS.map(([member, label, type]) => (
            <NameInput
              key={member}
              label={label}
              type={type}
              named={names.length === 1 ? undefined : form.nameAt({ what: label, number: at + 1 })}
              isWrong={isWrong}
              value={one[member]}
              onType={(text) => put(at, { [member]: text })}
            />
          ))}
          {names.length > 1 && (
            <IconButton
              class="plain"
              icon="close"
              label={form.withoutName(at + 1)}
              onClick={() => onType(names.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      <Button class="link plain" label={form.addName} onClick={() => onType([...names, NO_NAME])} />
      <p class="hint">{form.namesHint}</p>
    </fieldset>
  );
}
