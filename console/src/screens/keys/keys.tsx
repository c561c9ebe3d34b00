/** The API keys of the group's systems, and actions on them. */
import { keys as says, page as texts } from 'messages';
import { featureEntries } from '../../features/entries.ts';
import type { ApiKey } from '../../generated/objects.ts';
import { useActions } from '../../parts/actions.tsx';
import { allOrSomeField, type Choice, checksField } from '../../parts/choices.tsx';
import { Status } from '../../parts/fact.tsx';
import { accountField, firstAccount, question } from '../../parts/form.tsx';
import { Allowed, LocationsOf, type Places, placesField, sentPlaces } from '../../parts/grants.tsx';
import { acts, folded, Listed } from '../../parts/listed.tsx';
import { ActMenu } from '../../parts/menu.tsx';
import { useAll } from '../../parts/polled.ts';
import type { Column } from '../../parts/table.tsx';
import { belowAccounts, resourceAt } from '../../records/description.ts';
import { ask, ask as request } from '../../service/api.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';
import { agoText, dayText, labelled, readersZone } from '../../values/format.ts';

type Action = 'rotate' | 'suspend' | 'resume' | 'revoke';

export function KeysScreen(): JSX.Element {
  const list = useAll<ApiKey>('/keys');
  const { busy, fault, dialog, perform, ask, once } = useActions();
  const done = ({ secret }: ApiKey): void => {
    if (secret !== undefined) once({ title: says.secret, hint: says.secretHint, secret });
    list.reload();
  };
  const act = (key: ApiKey, action: Action): void => {
    const send = (body = {}): Promise<ApiKey> =>
      request('POST', `/keys/${key.unique_identifier}/${action}`, body);
    if (action === 'resume') {
      void perform(send, done);
      return;
    }
    const question = {
      title: says.sure({ doing: says.doings[action], name: nameOf(key) }),
      hint: hintOf(key, action),
      submit: says.doings[action],
      onDone: done,
    };
    if (action === 'rotate')
      ask({
        ...question,
        // A day.
        begin: { overlap: '86400' },
        fields: { overlap: { label: says.overlap, of: Object.entries(says.overlaps) } },
        send: ({ overlap }) => send({ overlap_seconds: Number(overlap) }),
      });
    else ask({ ...question, danger: true, send: () => send() });
  };
  return (
    <>
      <Listed
        title={texts.nav.keys}
        about={says.about}
        above={fault}
        of={list}
        none={{ title: says.none, hint: says.about }}
        add={[says.add, () => ask({ ...newKeyForm(), onDone: done })]}
        columns={columns(busy, act)}
      />
      {dialog}
    </>
  );
}

function nameOf({ name, ending }: ApiKey): string {
  return name ?? `… ${ending}`;
}

/** Says what happens then; what works by the key goes over to its successor, and stops otherwise. */
function hintOf({ used_by: all = [] }: ApiKey, action: Action): string {
  const hint = says.hints[action] ?? '';
  if (action === 'rotate' || all.length === 0) return hint;
  return `${hint} ${says.stops({ count: all.length, names: all.join(', ') })}`;
}

const ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  active: ['rotate', 'suspend', 'revoke'],
  suspended: ['resume', 'revoke'],
};

function columns(
  busy: boolean,
  onAction: (key: ApiKey, action: Action) => void,
): readonly Column<ApiKey>[] {
  return [
    { label: texts.record.name, cell: nameOf },
    folded(says.ending, ({ ending }) => <code>… {ending}</code>),
    folded(texts.status, ({ status, expires_at }) => (
      <>
        <Status of={status} words={says.statuses} />
        {status === 'active' && expires_at !== null && (
          <small> {texts.list.before(dayText(new Date(expires_at)))}</small>
        )}
      </>
    )),
    {
      label: says.may,
      class: 'whole',
      folds: true,
      cell: (key) => (
        <>
          {mayOf(key)}
          <Allowed of={key.allow} />
          {key.locations !== null && (
            <small class="under">
              <LocationsOf of={key.locations} region={key.region} />
            </small>
          )}
        </>
      ),
    },
    {
      label: says.lastUsed,
      class: 'time',
      cell: ({ last_used_at }) => (last_used_at === null ? texts.never : agoText(last_used_at)),
    },
    acts((key) => (
      <ActMenu
        of={nameOf(key)}
        busy={busy}
        acts={(ACTIONS[key.status] ?? []).map((action) => ({
          label: says.doings[action],
          asks: action !== 'resume',
          danger: action === 'suspend' || action === 'revoke',
          run: () => onAction(key, action),
        }))}
      />
    )),
  ];
}

function mayOf(key: ApiKey): string {
  const { permissions, resources, from, requests_a_second, requests_at_once } = key;
  const which =
    resources === null
      ? says.everything
      : resources.map((path) => resourceAt(path)?.plural ?? path).join(', ');
  return [
    labelled(permissions.map((one) => says.permissions[one] ?? one).join(', '), which),
    ...(from === null ? [] : [says.fromShort(from.join(', '))]),
    ...(requests_a_second === null ? [] : [rateText(requests_a_second)]),
    ...(requests_at_once === null ? [] : [says.atOnce(requests_at_once)]),
  ].join(' · ');
}

function rateText(rate: number): string {
  return says.rateShort(rate >= 1 ? { rate, per: 's' } : { rate: Math.round(rate * 60), per: 'm' });
}

const PERMISSIONS = ['read', 'write', 'delete'] as const;
/** Rights beyond records that a key may be given here. */
const GIVEN = [
  'requests',
  ...featureEntries.flatMap(({ right, ofKeys }) => (ofKeys && right !== undefined ? [right] : [])),
];

function newKeyForm() {
  return question({
    title: says.add,
    wide: true,
    submit: says.add,
    begin: {
      account: firstAccount(),
      name: '',
      permissions: ['read', 'write'] as readonly string[],
      resources: undefined as Choice,
      places: { locations: undefined, region: null } as Places,
      allow: [] as readonly string[],
      from: '',
      requests_a_second: '',
      per: 's',
      requests_at_once: '',
      expires_at: '',
    },
    fields: {
      ...accountField(),
      name: { label: texts.record.name, placeholder: says.namePlaceholder },
      permissions: checksField(
        says.may,
        PERMISSIONS.map((one) => [one, says.choices[one]]),
        true,
      ),
      resources: allOrSomeField({
        legend: texts.nav.records,
        all: says.allResources,
        some: says.onlyResources,
        options: belowAccounts.map(({ path, plural }) => [path, plural]),
      }),
      places: placesField(),
      allow: checksField(
        says.also,
        GIVEN.map((one) => [one, says.allowed[one] ?? one]),
      ),
      from: { label: says.from, hint: says.fromHint, placeholder: '203.0.113.0/24' },
      requests_a_second: { label: says.rate, of: 'number' },
      per: {
        label: says.per,
        of: [
          ['s', says.aSecond],
          ['m', says.aMinute],
        ],
      },
      requests_at_once: { label: says.concurrent, of: 'number' },
      expires_at: { label: says.expires, of: 'date' },
    },
    send: ({ account, name, allow, places, from, per, expires_at, ...others }) =>
      ask<ApiKey>('POST', '/keys', {
        accounts: [account],
        permissions: others.permissions,
        resources: others.resources,
        ...sentPlaces(places),
        ...(name === '' ? {} : { name }),
        ...(allow.length === 0 ? {} : { allow }),
        ...(from === '' ? {} : { from: from.split(/[\s,]+/) }),
        ...numbered('requests_a_second', others.requests_a_second, per === 'm' ? 60 : 1),
        ...numbered('requests_at_once', others.requests_at_once, 1),
        ...(expires_at === '' ? {} : { expires_at: endOf(expires_at) }),
      }),
  });
}

/** Anything but a number is sent as it is: the service says what it must be. */
function numbered(name: string, text: string, of: number): object {
  if (text === '') return {};
  const number = Number(text) / of;
  return { [name]: Number.isFinite(number) ? number : text };
}

/** The key ends with its last day, where its maker is. */
function endOf(day: string): string {
  return withOffset(midnight(readersZone, momentIn(readersZone, day), 1), readersZone);
}
