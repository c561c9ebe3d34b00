/** A person's own name, ways to sign in, and sessions. */

import says from 'messages:account';
import invitation from 'messages:entry';
import texts from 'messages:page';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Passkey } from '../../generated/objects.ts';
import { useLoad } from '../../load.ts';
import { useAct } from '../../parts/act.ts';
import { Fault } from '../../parts/fault.tsx';
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
  const account = useLoad('account', (signal) =>
    ask<StaffAccount>('GET', '/account', undefined, { signal }),
  );
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

function Name({
  staff,
  onSaved,
}: {
  readonly staff: Staff;
  readonly onSaved: () => void;
}): JSX.Element {
  const [name, setName] = useState(staff.name ?? '');
  const act = useAct();
  const save = async (): Promise<void> => {
    const saved = await act.run(() => ask<Staff>('POST', '/account', { name: name.trim() }));
    if (saved === undefined) return;
    if (session.value !== undefined) session.value = { ...session.value, staff: saved };
    say(texts.saved);
    onSaved();
  };
  return (
    <section aria-label={says.name}>
      <h2>{says.name}</h2>
      <Fault says={act.fault} />
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <input
          aria-label={says.name}
          autocomplete="name"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" disabled={act.busy || name.trim() === (staff.name ?? '')}>
          {texts.save}
        </button>
      </form>
    </section>
  );
}

function Password({
  staff,
  onSaved,
}: {
  readonly staff: Staff;
  readonly onSaved: () => void;
}): JSX.Element | null {
  const [password, setPassword] = useState('');
  const act = useAct();
  if (staff.role === 'administrator') return null;
  const save = async (): Promise<void> => {
    const entered = await act.run(() => ask<Session>('POST', '/account/password', { password }));
    if (entered === undefined) return;
    enter(entered);
    setPassword('');
    say(says.passwordSaved);
    onSaved();
  };
  return (
    <section aria-label={texts.signIn.password}>
      <h2>{texts.signIn.password}</h2>
      <p class="hint">{`${staff.password ? says.hasPassword : says.noPassword} ${invitation.passwordHint}`}</p>
      <Fault says={act.fault} />
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <input
          type="password"
          aria-label={says.newPassword}
          placeholder={says.newPassword}
          autocomplete="new-password"
          minLength={15}
          required
          value={password}
          onInput={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <button type="submit" disabled={act.busy}>
          {texts.save}
        </button>
      </form>
    </section>
  );
}
