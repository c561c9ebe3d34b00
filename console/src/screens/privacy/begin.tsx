/** Begins a request: what is known of the person, by which their records are found. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { useAct } from '../../parts/act.ts';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Labelled } from '../../parts/labelled.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { usualZone } from '../../places/zones.ts';
import { resourceOf } from '../../records/description.ts';
import { titleOf, valueIn } from '../../records/records.ts';
import { refusalText } from '../../refusals.ts';
import { api, recordsOf } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';
import { phoneText, typedPhone } from '../../values/format.ts';
import { isEmail, isPhone } from '../../values/value.tsx';
import { Names, NO_NAME, sentNames, type TypedName } from './names.tsx';
import { says } from './texts.ts';

interface BeginProps {
  /** The unique identifier of a record that is the person's. */
  readonly record: string | undefined;
  readonly onClose: () => void;
  readonly onBegun: (begun: Erasure) => void;
}

const { form } = says;

interface Typed {
  readonly phone_numbers: string;
  readonly email_addresses: string;
}

const NOTHING: Typed = { phone_numbers: '', email_addresses: '' };
const FIELDS = [
  ['phone_numbers', form.phones, form.aLine],
  ['email_addresses', form.emails, form.aLine],
] as const;

/** What the record says of the person is filled in: it finds their other records. */
export function Begin({ record, onClose, onBegun }: BeginProps): JSX.Element {
  const { value, error, reload } = useLoad(
    record === undefined ? undefined : `person of ${record}`,
    (signal) => knownOf(record ?? '', signal),
  );
  const isThere = record === undefined || value !== undefined;
  const [filled, setFilled] = useState(false);
  return (
    <Dialog title={says.begin} onClose={onClose} wide filled={filled}>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {!isThere && error === undefined && <Skeleton rows={4} />}
      {isThere && (
        <Form record={record} known={value} onBegun={onBegun} onFill={() => setFilled(true)} />
      )}
    </Dialog>
  );
}

interface Known {
  readonly account?: string;
  readonly title: string;
  readonly typed: Typed;
}

async function knownOf(id: string, signal: AbortSignal): Promise<Known> {
  const resource = resourceOf(id);
  if (resource === undefined) return { title: id, typed: NOTHING };
  const records = recordsOf(resource.path);
  const [record, { data }] = await Promise.all([
    records.retrieve(id, { signal }),
    records.history(id, { limit: 1 }, { signal }).page(),
  ]);
  const account = data[0]?.account;
  const textsOf = (wanted: typeof isPhone): readonly string[] =>
    resource.fields.flatMap((field) => {
      const value = wanted(field) ? valueIn(resource, record, field) : undefined;
      return typeof value === 'string' && value !== '' ? [value] : [];
    });
  return {
    ...(account === undefined ? {} : { account }),
    title: titleOf(resource, record),
    typed: {
      phone_numbers: textsOf(isPhone).map(phoneText).join('\n'),
      email_addresses: textsOf(isEmail).join('\n'),
    },
  };
}

function Form({
  record,
  known,
  onBegun,
  onFill,
}: Omit<BeginProps, 'onClose'> & {
  readonly known: Known | undefined;
  readonly onFill: () => void;
}): JSX.Element {
  const accounts = session.value?.accounts ?? [];
  const zone = usualZone.value;
  const today = withOffset(midnight(zone), zone).slice(0, 10);
  const [account, setAccount] = useState(known?.account ?? accounts[0]?.unique_identifier ?? '');
  const [typed, setTyped] = useState(known?.typed ?? NOTHING);
  const [typedNames, setTypedNames] = useState<readonly TypedName[]>([NO_NAME]);
  const [reference, setReference] = useState('');
  const [received, setReceived] = useState(today);
  const act = useAct();
  const lines = (name: keyof Typed): readonly string[] =>
    typed[name]
      .split('\n')
      .map((line) => (name === 'phone_numbers' ? typedPhone(line) : line.trim()))
      .filter((line) => line !== '');
  const names = sentNames(typedNames);
  const isEmpty =
    record === undefined &&
    names.length === 0 &&
    FIELDS.every(([name]) => lines(name).length === 0);
  const begin = async (): Promise<void> => {
    const begun = await act.run(() =>
      api.erasures.create({
        account,
        ...Object.fromEntries(
          FIELDS.flatMap(([name]) => (lines(name).length === 0 ? [] : [[name, lines(name)]])),
        ),
        ...(names.length === 0 ? {} : { names }),
        ...(record === undefined ? {} : { records: [record] }),
        ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
        ...(received === today || received === ''
          ? {}
          : { received_at: withOffset(momentIn(zone, received), zone) }),
      }),
    );
    if (begun !== undefined) onBegun(begun);
  };
  /** The first of a field's lines that was refused. */
  const faultOf = (name: string, label: string): string | undefined => {
    const found = Object.entries(act.faults).find(([param]) => param.split('.')[0] === name);
    return found && refusalText(found[1], label);
  };
  const isNamed = [...FIELDS.map(([name]) => name), 'names', 'reference'].some(
    (name) => faultOf(name, '') !== undefined,
  );
  return (
    <form
      class="fields asked-of"
      onInput={onFill}
      onSubmit={(event) => {
        event.preventDefault();
        void begin();
      }}
    >
      <p>{form.hint}</p>
      {!isNamed && <Fault says={act.fault} />}
      {known !== undefined && (
        <p>
          {form.records}: <strong>{known.title}</strong>
        </p>
      )}
      {accounts.length > 1 && (
        <label>
          {says.account}
          <select value={account} onChange={({ currentTarget }) => setAccount(currentTarget.value)}>
            {accounts.map(({ unique_identifier: id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <Names
        names={typedNames}
        fault={faultOf('names', form.names)}
        onType={(next) => {
          setTypedNames(next);
          onFill();
        }}
      />
      {FIELDS.map(([name, label, hint]) => (
        <Labelled key={name} label={label} hint={hint} fault={faultOf(name, label)}>
          {(common) => (
            <textarea
              {...common}
              rows={2}
              autocomplete="off"
              spellcheck={false}
              value={typed[name]}
              onInput={({ currentTarget: { value } }) => setTyped({ ...typed, [name]: value })}
            />
          )}
        </Labelled>
      ))}
      <Labelled
        label={form.reference}
        hint={form.referenceHint}
        fault={faultOf('reference', form.reference)}
      >
        {(common) => (
          <input
            {...common}
            autocomplete="off"
            maxLength={200}
            value={reference}
            onInput={({ currentTarget }) => setReference(currentTarget.value)}
          />
        )}
      </Labelled>
      <label>
        {form.receivedOn}
        <input
          type="date"
          max={today}
          value={received}
          onInput={({ currentTarget }) => setReceived(currentTarget.value)}
        />
      </label>
      <footer>
        {isEmpty && <span class="hint">{form.missing}</span>}
        <Cancel />
        <button type="submit" class="main" disabled={act.busy || isEmpty}>
          {form.submit}
        </button>
      </footer>
    </form>
  );
}
