/** The people who may sign in. */
import { entry, staff as says, page as texts } from 'messages';
import { useActions } from '../../parts/actions.tsx';
import { checksField, Radios } from '../../parts/choices.tsx';
import type { FieldsOf } from '../../parts/form.tsx';
import { Allowed, LocationsOf, type Places, placesField, sentPlaces } from '../../parts/grants.tsx';
import { acts, folded, Listed, statuses } from '../../parts/listed.tsx';
import { ActMenu } from '../../parts/menu.tsx';
import { say } from '../../parts/notice.tsx';
import { useAll } from '../../parts/polled.ts';
import type { Column } from '../../parts/table.tsx';
import { ask as request } from '../../service/api.ts';
import { type Staff, session } from '../../service/session.ts';
import { agoText } from '../../values/format.ts';

interface Answer {
  readonly link?: string;
}

type Action = 'grant' | 'invite' | 'disable' | 'enable' | 'end_sessions' | 'remove';

export function StaffScreen(): JSX.Element {
  const list = useAll<Staff>('/staff');
  const { busy, fault, dialog, perform, ask, once } = useActions();
  const done = ({ link = '' }: Answer, said = texts.done): void => {
    if (link === '') say(said);
    else once({ title: says.link, hint: says.linkHint, secret: link });
    list.reload();
  };
  const invite = (): void =>
    ask({
      title: says.invite,
      submit: says.invite,
      begin: { email: '', name: '', ...grantOf() },
      fields: (typed) => ({
        email: { label: entry.signIn.email, of: 'email', needed: true },
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
    folded(says.role, ({ role, allow }) => (
      <>
        {says.roles[role]}
        <Allowed of={allow} />
      </>
    )),
    folded(texts.location, ({ locations, region }) => (
      <LocationsOf of={locations} region={region} />
    )),
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

const ROLES = ['viewer', 'editor', 'administrator'] as const;

interface Grant extends Pick<Staff, 'role'> {
  readonly accounts: readonly string[];
  readonly places: Places;
}

/** What a person may do now; a new one works everywhere, at places to be chosen. */
function grantOf(staff?: Staff): Grant {
  if (staff === undefined) {
    const accounts = (session.value?.accounts ?? []).map((one) => one.unique_identifier);
    return { role: 'editor', accounts, places: { locations: undefined, region: null } };
  }
  const { role, accounts, locations, region } = staff;
  return { role, accounts, places: { locations, region } };
}

function sentGrant({ role, accounts, places }: Grant): object {
  return {
    role,
    accounts,
    ...(role === 'administrator' ? { locations: null } : sentPlaces(places)),
  };
}

function grantFields({ role }: Grant): FieldsOf<Grant> {
  const all = session.value?.accounts ?? [];
  return {
    role: {
      label: says.role,
      own: ({ value, onChange }) => (
        <Radios
          legend={says.role}
          options={ROLES.map((one) => [one, says.roles[one], says.roleHints[one]] as const)}
          value={value}
          onChoose={onChange}
        />
      ),
    },
    ...(all.length > 1 && {
      accounts: checksField(
        says.accounts,
        all.map(({ unique_identifier: id, name }) => [id, name]),
        true,
      ),
    }),
    ...(role !== 'administrator' && { places: placesField() }),
  };
}
