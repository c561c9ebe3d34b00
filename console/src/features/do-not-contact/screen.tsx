/** The register of whom nobody is to contact: who is in it, and who is entered, alone or by a list. */

import { doNotContact as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import type { DoNotContact } from '../../../../client/src/generated/objects.d.ts';
import { toJson } from '../../../../client/src/json.ts';
import { now } from '../../clock.ts';
import * as bounds from '../../generated/bounds.ts';
import { useLoad, useRecord } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { acts, folded, Listed, named, PAGE, times } from '../../parts/listed.tsx';
import { say } from '../../parts/notice.tsx';
import type { Column } from '../../parts/table.tsx';
import { usualZone } from '../../places/zones.ts';
import { resourceOf } from '../../records/description.ts';
import { nameOf } from '../../records/key-names.ts';
import { titleOf } from '../../records/records.ts';
import { hrefOf, query, setQuery } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { typedPhone } from '../../values/contact.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';
import { dayText } from '../../values/format.ts';
import { useLift } from './lift.tsx';
import { ListDialog } from './list-dialog.tsx';
import { whoOf } from './who.ts';

type Asked = 'phone_number' | 'email_address';

export function Screen({ path, title }: ScreenProps): JSX.Element {
  const value = (name: string) => query.value.get(name) ?? undefined;
  const [q, record, starting_after] = [value('q'), value('record'), value('starting_after')];
  const lifted = query.value.has('lifted') || undefined;
  const params = {
    ...{ limit: PAGE, lifted, starting_after },
    ...(q === undefined ? (record !== undefined ? { record } : {}) : contactIn(q)),
  };
  const list = useLoad(`do not contact ${toJson(params)}`, (signal) =>
    api.do_not_contact.list(params, { signal }).page(),
  );
  const [open, setOpen] = useState<'one' | 'list' | undefined>(
    query.value.has('add') ? 'one' : undefined,
  );
  const { dialog, fault, lift } = useLift(list.reload);
  const leave = (): void => {
    setOpen(undefined);
    setQuery({ add: undefined }, { instead: true });
  };
  const done = (text: string): void => {
    leave();
    say(text);
    list.reload();
  };
  const isOfOne = q !== undefined || record !== undefined;
  return (
    <>
      <Listed
        title={title}
        about={
          isOfOne ? (
            <>
              {says.asked} · <a href={hrefOf(path)}>{says.all}</a>
            </>
          ) : (
            <>
              {lifted ? says.aboutLifted : says.about} ·{' '}
              <a href={hrefOf(path, lifted ? {} : { lifted: 'true' })}>
                {lifted ? says.all : says.lifted}
              </a>
            </>
          )
        }
        of={list}
        none={
          isOfOne
            ? { title: says.notThere, hint: says.notThereHint }
            : { title: says.none, hint: says.noneHint }
        }
        add={[says.add, () => setOpen('one')]}
        acts={<Button label={says.list} asks onClick={() => setOpen('list')} />}
        above={<Find />}
        columns={lifted ? LIFTED : standing(lift)}
      />
      {fault}
      {open === 'one' && <Enter record={record} onClose={leave} onDone={() => done(says.done)} />}
      {open === 'list' && (
        <ListDialog onClose={leave} onDone={(count) => done(says.listDone(count))} />
      )}
      {dialog}
    </>
  );
}

/** A number as the API takes it, or an address. */
function contactIn(text: string): Partial<Record<Asked, string>> {
  return text.includes('@') ? { email_address: text } : { phone_number: typedPhone(text) };
}

function Find(): JSX.Element {
  const [text, setText] = useState(query.value.get('q') ?? '');
  return (
    <form
      class="ask-one"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery({
          ...{ q: text.trim() || undefined, record: undefined },
          ...{ starting_after: undefined, lifted: undefined },
        });
      }}
    >
      <input
        type="search"
        aria-label={says.find}
        placeholder={says.find}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit">{says.ask}</button>
    </form>
  );
}

const WHO: readonly Column<DoNotContact>[] = [
  { label: says.who, class: 'name', cell: (one) => <Who of={one} /> },
  named(says.what, ({ channels }) =>
    channels === null
      ? says.everything
      : channels.map((one) => says.channels[one as 'calls']).join(', '),
  ),
  folded(says.reason, ({ reason, source }) => (
    <>
      {reason}
      <small class="under quiet">{says.sources[source as 'list']}</small>
    </>
  )),
  times(says.since, ({ inserted_at, said_by }) => <When at={inserted_at} by={said_by} />),
];

function standing(onLift: (one: DoNotContact) => void): readonly Column<DoNotContact>[] {
  return [
    ...WHO,
    named(texts.list.until, ({ until }) =>
      until === null ? says.untilLifted : dayText(new Date(until)),
    ),
    acts((one) => (
      <Button class="plain" label={says.lift} of={whoOf(one)} asks onClick={() => onLift(one)} />
    )),
  ];
}

const LIFTED: readonly Column<DoNotContact>[] = [
  ...WHO,
  times(says.liftedAt, ({ lifted_at, lifted_by }) =>
    lifted_at === null ? null : <When at={lifted_at} by={lifted_by} />,
  ),
  folded(texts.why, ({ lifted_because }) => lifted_because ?? says.lapsed),
];

function When({ at, by }: { readonly at: string; readonly by: string | null }): JSX.Element {
  return (
    <>
      {dayText(new Date(at))}
      {by !== null && <small class="under quiet">{texts.record.by(nameOf(by))}</small>}
    </>
  );
}

function Who({ of: one }: { readonly of: DoNotContact }): JSX.Element {
  const { record } = one;
  const resource = record === null ? undefined : resourceOf(record);
  const { value } = useRecord(resource, resource && (record ?? undefined));
  const name = resource && value && titleOf(resource, value);
  return (
    <>
      {whoOf(one)}
      {name !== undefined && (
        <small class="under">
          <a href={hrefOf(`${resource?.path}/${record}`)}>{name}</a>
        </small>
      )}
    </>
  );
}

interface EnterProps {
  readonly record: string | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Enter({ record, onClose, onDone }: EnterProps): JSX.Element {
  const resource = record === undefined ? undefined : resourceOf(record);
  const { value } = useRecord(resource, record);
  const name = resource && value && titleOf(resource, value);
  const zone = usualZone.value;
  const accounts = session.value?.accounts ?? [];
  const ofAll = accounts.map((one) => [one.unique_identifier, one.name] as const);
  return (
    <FormDialog
      title={name === undefined ? says.add : says.addOf(name)}
      bounds={bounds.create_do_not_contact}
      hint={record === undefined ? says.addHint : says.addOfHint}
      submit={says.add}
      begin={{
        ...{ account: accounts[0]?.unique_identifier ?? '', phone_number: '' },
        ...{ channels: 'all', reason: '', until: '' },
      }}
      fields={{
        ...(record === undefined && {
          ...(ofAll.length > 1 && { account: { label: texts.account, of: ofAll } }),
          phone_number: { label: says.find, needed: true },
        }),
        channels: {
          label: says.what,
          of: [['all', says.everything], ...Object.entries(says.channels)],
        },
        reason: { label: says.reason, of: 'lines', placeholder: says.reasonPlaceholder },
        until: {
          label: texts.list.until,
          hint: says.untilHint,
          of: 'date',
          days: { min: withOffset(midnight(zone, now(), 1), zone).slice(0, 10) },
        },
      }}
      send={({ account, phone_number: text, channels, reason, until }) =>
        api.do_not_contact.create({
          ...(record === undefined ? { account, ...contactIn(text) } : { record }),
          ...(channels !== 'all' && { channels: [channels as 'calls'] }),
          ...(reason && { reason }),
          ...(until && { until: withOffset(momentIn(zone, until), zone) }),
        })
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}
