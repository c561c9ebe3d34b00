/** The people who may sign in. */
import { staff as says, page as texts } from 'messages';
import type { JSX } from 'preact';
import { useLoad } from '../../load.ts';
import { ActMenu } from '../../parts/act-menu.tsx';
import { useActions } from '../../parts/actions.tsx';
import { Status } from '../../parts/fact.tsx';
import { Listed } from '../../parts/listed.tsx';
import { LocationsOf } from '../../parts/location-checks.tsx';
import { say } from '../../parts/notice.tsx';
import { Once } from '../../parts/once.tsx';
import type { Column } from '../../parts/table.tsx';
import { type PageOf, ask as request } from '../../service/api.ts';
import { type Staff, session } from '../../service/session.ts';
import { agoText } from '../../values/format.ts';
import { Allowed } from '../keys/allowed.tsx';
import { grantFields, grantOf, sentGrant } from './grant.tsx';

interface Answer {
  readonly link?: string;
}

type Doing = 'grant' | 'invite' | 'disable' | 'enable' | 'end_sessions' | 'remove';

export function StaffScreen(): JSX.Element {
  const list = useLoad('staff', (signal) =>
    request<PageOf<Staff>>('GET', '/staff', undefined, { signal }),
  );
  const { busy, fault, dialog, perform, ask, open } = useActions();
  const done = ({ link = '' }: Answer, said = texts.done): void => {
    if (link === '') say(said);
    else
      open((close) => (
        <Once title={says.link} hint={says.linkHint} secret={link} onClose={close} />
      ));
    list.reload();
  };
  const invite = (): void =>
    ask({
      title: says.invite,
      submit: says.invite,
      begin: { email: '', name: '', ...grantOf() },
      fields: (typed) => ({
        email: { label: texts.signIn.email, of: 'email', needed: true },
        name: { label: texts.record.name },
        ...grantFields(typed),
      }),
      send: ({ email, name, ...grant }) =>
        request<Answer>('POST', '/staff/invite', {
          email,
          ...sentGrant(grant),
          ...(name === '' ? {} : { name }),
        }),
      onDone: done,
    });
  const act = (staff: Staff, doing: Doing): void => {
    const send = (body: object = {}): Promise<Answer> =>
      request('POST', `/staff/${staff.unique_identifier}/${doing}`, body);
    const onDone = (answer: Answer): void => done(answer, says.done[doing]);
    if (doing === 'enable') void perform(send, onDone);
    else if (doing === 'grant')
      ask({
        title: says.asks.change(staff.name ?? staff.email),
        submit: texts.save,
        begin: grantOf(staff),
        fields: grantFields,
        send: (grant) => send(sentGrant(grant)),
        onDone,
      });
    else
      ask({
        title: says.asks.sure[doing](staff.name ?? staff.email),
        hint: says.asks.hints[doing === 'invite' && staff.status === 'invited' ? 'invited' : doing],
        submit: says.doings[doing],
        danger: true,
        send: () => send(),
        onDone,
      });
  };
  return (
    <>
      <Listed
        title={texts.nav.staff}
        about={says.about}
        above={fault}
        of={list}
        none={{ title: texts.none }}
        add={[says.invite, invite]}
        columns={columns(busy, act)}
      />
      {dialog}
    </>
  );
}

const DOINGS: Readonly<Record<string, readonly Doing[]>> = {
  active: ['grant', 'end_sessions', 'invite', 'disable'],
  invited: ['grant', 'invite', 'disable'],
  // Only after that, so that one wrong click removes no one.
  disabled: ['enable', 'grant', 'remove'],
};

/** These take something away. */
const DANGEROUS: readonly Doing[] = ['invite', 'disable', 'end_sessions', 'remove'];

function isSelf(id: string): boolean {
  return id === session.value?.staff.unique_identifier;
}

function columns(
  busy: boolean,
  onDo: (staff: Staff, doing: Doing) => void,
): readonly Column<Staff>[] {
  return [
    {
      label: texts.record.name,
      cell: ({ name, email, unique_identifier }) => (
        <>
          {name ?? email} {isSelf(unique_identifier) && <span class="tag">{says.you}</span>}
          {name !== null && <small class="under">{email}</small>}
        </>
      ),
    },
    {
      label: says.role,
      folds: true,
      cell: ({ role, allow }) => (
        <>
          {says.roles[role]}
          <Allowed of={allow} />
        </>
      ),
    },
    {
      label: texts.location,
      folds: true,
      cell: ({ locations, region }) => <LocationsOf of={locations} region={region} />,
    },
    {
      label: texts.status,
      folds: true,
      cell: ({ status }) => <Status of={status} words={says.statuses} />,
    },
    {
      label: says.lastIn,
      class: 'time',
      cell: ({ last_signed_in_at: at }) => (at === null ? texts.never : agoText(at)),
    },
    {
      label: texts.record.more,
      class: 'acts',
      cell: (staff) =>
        isSelf(staff.unique_identifier) ? null : (
          <ActMenu
            of={staff.name ?? staff.email}
            busy={busy}
            acts={(DOINGS[staff.status] ?? []).map((doing) => ({
              label: says.doings[doing],
              asks: doing !== 'enable',
              danger: DANGEROUS.includes(doing),
              run: () => onDo(staff, doing),
            }))}
          />
        ),
    },
  ];
}
