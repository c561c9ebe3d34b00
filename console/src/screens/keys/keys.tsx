/** The API keys of the group's systems, and actions on them. */
import { keys as says, page as texts } from 'messages';
import type { ApiKey } from '../../generated/objects.ts';
import { useGet } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { acts } from '../../parts/columns.tsx';
import { Once } from '../../parts/copy.tsx';
import { Status } from '../../parts/fact.tsx';
import { Listed } from '../../parts/listed.tsx';
import { LocationsOf } from '../../parts/location-checks.tsx';
import { ActMenu } from '../../parts/menu.tsx';
import type { Column } from '../../parts/table.tsx';
import { resourceAt } from '../../records/description.ts';
import { type PageOf, ask as request } from '../../service/api.ts';
import { agoText, dayText } from '../../values/format.ts';
import { Allowed } from './allowed.tsx';
import { newKeyForm } from './new-key.tsx';

type Action = 'rotate' | 'suspend' | 'resume' | 'revoke';

export function KeysScreen(): JSX.Element {
  const list = useGet<PageOf<ApiKey>>('/keys');
  const { busy, fault, dialog, perform, ask, open } = useActions();
  const done = ({ secret }: ApiKey): void => {
    if (secret !== undefined)
      open((close) => (
        <Once title={says.secret} hint={says.secretHint} secret={secret} onClose={close} />
      ));
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
      hint: says.hints[action],
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
    { label: says.ending, folds: true, cell: ({ ending }) => <code>… {ending}</code> },
    {
      label: texts.status,
      folds: true,
      cell: ({ status, expires_at }) => (
        <>
          <Status of={status} words={says.statuses} />
          {status === 'active' && expires_at !== null && (
            <small> {texts.list.before(dayText(new Date(expires_at)))}</small>
          )}
        </>
      ),
    },
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
    `${permissions.map((one) => says.permissions[one] ?? one).join(', ')}: ${which}`,
    ...(from === null ? [] : [says.fromShort(from.join(', '))]),
    ...(requests_a_second === null ? [] : [rateText(requests_a_second)]),
    ...(requests_at_once === null ? [] : [says.atOnce(requests_at_once)]),
  ].join(' · ');
}

function rateText(rate: number): string {
  return rate >= 1 ? says.rateSecond(rate) : says.rateMinute(Math.round(rate * 60));
}
