/** The people who may sign in. */

import texts from 'messages:page';
import says from 'messages:staff';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { idOf, Listed } from '../../parts/listed.tsx';
import { LocationsOf } from '../../parts/location-checks.tsx';
import { say } from '../../parts/notice.tsx';
import { Once } from '../../parts/once.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { type PageOf, ask as request } from '../../service/api.ts';
import { type Staff, session } from '../../service/session.ts';
import { agoText } from '../../values/format.ts';
import { Allowed } from '../keys/allowed.tsx';
import { ChangeGrant } from './change.tsx';
import { Invite } from './invite.tsx';

type Doing = 'change' | 'invite' | 'disable' | 'enable' | 'end_sessions' | 'remove';

export function StaffScreen(): JSX.Element {
  const list = useLoad('staff', (signal) =>
    request<PageOf<Staff>>('GET', '/staff', undefined, { signal }),
  );
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<string>();
  const [changing, setChanging] = useState<Staff>();
  const { busy, fault, question, perform, ask } = useActions();
  const act = (staff: Staff, doing: Doing): void => {
    const send = (): Promise<{ link?: string }> =>
      request('POST', `/staff/${staff.unique_identifier}/${doing}`, {});
    const onDone = (answer: { link?: string }): void => {
      if (answer.link !== undefined) setLink(answer.link);
      else say(says.done[doing] ?? texts.done);
      list.reload();
    };
    if (doing === 'change') setChanging(staff);
    else if (doing === 'enable') void perform(send, onDone);
    else
      ask({
        title: says.asks.sure[doing](staff.name ?? staff.email),
        hint: says.asks.hints[doing === 'invite' && staff.status === 'invited' ? 'invited' : doing],
        submit: says.doings[doing],
        danger: true,
        send,
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
        add={[says.invite, () => setInviting(true)]}
        after={idOf}
      >
        {(all) => (
          <Table caption={texts.nav.staff} columns={columns(busy, act)} rows={all} keyOf={idOf} />
        )}
      </Listed>
      {question}
      {changing !== undefined && (
        <ChangeGrant
          staff={changing}
          onClose={() => setChanging(undefined)}
          onChanged={() => {
            setChanging(undefined);
            say(says.done.change ?? texts.done);
            list.reload();
          }}
        />
      )}
      {inviting && (
        <Invite
          onClose={() => setInviting(false)}
          onInvited={(made) => {
            setInviting(false);
            setLink(made);
            list.reload();
          }}
        />
      )}
      <Once
        title={says.link}
        hint={says.linkHint}
        secret={link}
        onClose={() => setLink(undefined)}
      />
    </>
  );
}

const DOINGS: Readonly<Record<string, readonly Doing[]>> = {
  active: ['change', 'end_sessions', 'invite', 'disable'],
  invited: ['change', 'invite', 'disable'],
  // Only after that, so that one wrong click removes no one.
  disabled: ['enable', 'change', 'remove'],
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
      label: says.name,
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
      cell: ({ status }) => <span class={`status ${status}`}>{says.statuses[status]}</span>,
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
          <RowMenu
            of={staff.name ?? staff.email}
            busy={busy}
            items={(DOINGS[staff.status] ?? []).map((doing) => ({
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
