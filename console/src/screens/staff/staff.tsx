/** The people who may sign in. */
import { staff as says, page as texts } from 'messages';
import { useGet } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { acts, statuses } from '../../parts/columns.tsx';
import { Once } from '../../parts/copy.tsx';
import { Listed } from '../../parts/listed.tsx';
import { LocationsOf } from '../../parts/location-checks.tsx';
import { ActMenu } from '../../parts/menu.tsx';
import { say } from '../../parts/notice.tsx';
import type { Column } from '../../parts/table.tsx';
import { type PageOf, ask as request } from '../../service/api.ts';
import { type Staff, session } from '../../service/session.ts';
import { agoText } from '../../values/format.ts';
import { Allowed } from '../keys/allowed.tsx';
import { grantFields, grantOf, sentGrant } from './grant.tsx';

interface Answer {
  readonly link?: string;
}

type Action = 'grant' | 'invite' | 'disable' | 'enable' | 'end_sessions' | 'remove';

export function StaffScreen(): JSX.Element {
  const list = useGet<PageOf<Staff>>('/staff');
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
  const act = (staff: Staff, action: Action): void => {
    const send = (body: object = {}): Promise<Answer> =>
      request('POST', `/staff/${staff.unique_identifier}/${action}`, body);
    const onDone = (answer: Answer): void => done(answer, says.done[action]);
    if (action === 'enable') void perform(send, onDone);
    else if (action === 'grant')
      ask({
        title: says.mayDo(staff.name ?? staff.email),
        submit: texts.save,
        begin: grantOf(staff),
        fields: grantFields,
        send: (grant) => send(sentGrant(grant)),
        onDone,
      });
    else
      ask({
        title: says.sure[action](staff.name ?? staff.email),
        hint: says.hints[action === 'invite' && staff.status === 'invited' ? 'invited' : action],
        submit: says.doings[action],
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

const ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  active: ['grant', 'end_sessions', 'invite', 'disable'],
  invited: ['grant', 'invite', 'disable'],
  // Only after that, so that one wrong click removes no one.
  disabled: ['enable', 'grant', 'remove'],
};

/** These take something away. */
const DANGEROUS: readonly Action[] = ['invite', 'disable', 'end_sessions', 'remove'];

function isSelf(id: string): boolean {
  return id === session.value?.staff.unique_identifier;
}

function columns(
  busy: boolean,
  onAction: (staff: Staff, action: Action) => void,
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
    statuses(says.statuses),
    {
      label: says.lastIn,
      class: 'time',
      cell: ({ last_signed_in_at: at }) => (at === null ? texts.never : agoText(at)),
    },
    acts((staff) =>
      isSelf(staff.unique_identifier) ? null : (
        <ActMenu
          of={staff.name ?? staff.email}
          busy={busy}
          acts={(ACTIONS[staff.status] ?? []).map((action) => ({
            label: says.doings[action],
            asks: action !== 'enable',
            danger: DANGEROUS.includes(action),
            run: () => onAction(staff, action),
          }))}
        />
      ),
    ),
  ];
}
