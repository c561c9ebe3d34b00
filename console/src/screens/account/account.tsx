/** A person's own name, ways to sign in, and sessions. */
import { entry as invitation, account as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import type { Passkey } from '../../generated/objects.ts';
import { useGet } from '../../load.ts';
import { Form } from '../../parts/form.tsx';
import { Heading } from '../../parts/heading.tsx';
import { LanguageChoice } from '../../parts/language-choice.tsx';
import { Loading } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { ask } from '../../service/api.ts';
import { enter, type Session, type Staff, session } from '../../service/session.ts';
import { Passkeys } from './passkeys.tsx';
import { type SessionEntry, Sessions } from './sessions.tsx';

interface StaffAccount {
  readonly staff: Staff;
  readonly passkeys: readonly Passkey[];
  readonly sessions: readonly SessionEntry[];
}

export function AccountScreen(): JSX.Element {
  const account = useGet<StaffAccount>('/account');
  const { reload } = account;
  return (
    <>
      <Heading title={texts.nav.account} about={account.value?.staff.email} />
      <Loading of={account} rows={8}>
        {(value) => (
          <div class="settings">
            <Name staff={value.staff} onSaved={reload} />
            <section aria-label={texts.language}>
              <h2>{texts.language}</h2>
              <LanguageChoice />
            </section>
            <Passkeys passkeys={value.passkeys} onChanged={reload} />
            <Password staff={value.staff} onSaved={reload} />
            <Sessions sessions={value.sessions} onChanged={reload} />
          </div>
        )}
      </Loading>
    </>
  );
}

interface OwnProps {
  readonly staff: Staff;
  readonly onSaved: () => void;
}

function Name({ staff, onSaved }: OwnProps): JSX.Element {
  return (
    <section aria-label={invitation.name}>
      <h2>{invitation.name}</h2>
      <Form
        key={staff.name}
        class="inline"
        isSmall
        submit={texts.save}
        begin={{ name: staff.name ?? '' }}
        fields={{ name: { label: invitation.name, autocomplete: 'name' } }}
        isReady={({ name }) => name.trim() !== (staff.name ?? '')}
        send={({ name }) => ask<Staff>('POST', '/account', { name })}
        onDone={(saved) => {
          if (session.value !== undefined) session.value = { ...session.value, staff: saved };
          say(texts.saved);
          onSaved();
        }}
      />
    </section>
  );
}

function Password({ staff, onSaved }: OwnProps): JSX.Element | null {
  const [saved, setSaved] = useState(0);
  if (staff.role === 'administrator') return null;
  return (
    <section aria-label={texts.signIn.password}>
      <h2>{texts.signIn.password}</h2>
      <p class="hint">{`${staff.password ? says.hasPassword : says.noPassword} ${invitation.passwordHint}`}</p>
      <Form
        key={saved}
        class="inline"
        isSmall
        submit={texts.save}
        begin={{ password: '' }}
        fields={{
          password: {
            label: says.newPassword,
            placeholder: says.newPassword,
            of: 'password',
            autocomplete: 'new-password',
            needed: true,
          },
        }}
        send={({ password }) => ask<Session>('POST', '/account/password', { password })}
        onDone={(entered) => {
          enter(entered);
          setSaved(saved + 1);
          say(says.passwordSaved);
          onSaved();
        }}
      />
    </section>
  );
}
