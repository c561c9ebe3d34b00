/** Accepting an invitation: with a passkey, or a password where that is allowed. */
import { entry as says, page as texts } from 'messages';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Invitation as Invited } from '../../generated/objects.ts';
import { Button, Stone } from '../../parts/button.tsx';
import { Check } from '../../parts/choices.tsx';
import { LanguageChoice } from '../../parts/language-choice.tsx';
import { Failure, Fault, Skeleton } from '../../parts/loading.tsx';
import { ask } from '../../service/api.ts';
import type { Session } from '../../service/session.ts';
import { create, hasPasskeys, leaveToSignIn, useAttempt } from './ways-in.ts';

export function Invitation({ token }: { readonly token: string }): JSX.Element {
  const [invited, setInvited] = useState<Invited>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    document.title = `${says.title} · ${texts.product}`;
    ask<Invited>('POST', '/invitations/look', { token }).then(setInvited, setError);
  }, [token]);
  return (
    <main class="stack welcoming">
      <Stone />
      <h1>{says.title}</h1>
      {error !== undefined && <Failure error={error} />}
      {error === undefined && invited === undefined && <Skeleton rows={3} />}
      {invited !== undefined && <Taking token={token} invited={invited} />}
      <LanguageChoice />
    </main>
  );
}

function Taking(props: { readonly token: string; readonly invited: Invited }): JSX.Element {
  const { token, invited } = props;
  const [name, setName] = useState(invited.name ?? '');
  const [password, setPassword] = useState('');
  const [byPassword, setByPassword] = useState(false);
  const [shown, setShown] = useState(false);
  const { busy, fault, attempt } = useAttempt();
  const [passkeys, setPasskeys] = useState(false);
  const [provider, setProvider] = useState<string>();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    first.current?.focus();
    ask<{ passkey?: boolean; single_sign_on?: { name: string } | null }>('GET', '/sign_in').then(
      ({ passkey = false, single_sign_on }) => {
        setPasskeys(passkey && hasPasskeys());
        setProvider(single_sign_on?.name);
      },
      () => {},
    );
  }, []);
  const named = name.trim() === '' ? {} : { name: name.trim() };

  const take = (proof: () => Promise<object>): Promise<void> =>
    attempt(async () => {
      await ask<Session>('POST', '/invitations/redeem', { token, ...named, ...(await proof()) });
      location.replace('/console/');
    });
  const takeByPasskey = (): Promise<void> => take(() => create('/invitations/passkey', { token }));

  const group = invited.accounts.join(', ');
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (byPassword) void take(async () => ({ password }));
        else if (passkeys && !busy) void takeByPasskey();
      }}
    >
      <div>
        <p>
          {invited.invited_by === null
            ? says.from(group)
            : says.fromBy({ by: invited.invited_by, group })}
        </p>
        <p>{says.lead(invited.email)}</p>
      </div>
      <Fault says={fault} />
      <input type="hidden" name="email" autocomplete="username" value={invited.email} />
      <label>
        {says.name}
        <input
          ref={first}
          name="name"
          autocomplete="name"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      {passkeys && (
        <>
          <Button class="main" label={says.passkey} disabled={busy} onClick={takeByPasskey} />
          <p class="hint">{says.passkeyHint}</p>
        </>
      )}
      {provider !== undefined && (
        <Button
          label={texts.signIn.sso(provider)}
          disabled={busy}
          onClick={() => void attempt(() => leaveToSignIn({ token }))}
        />
      )}
      {invited.password_allowed ? (
        <details
          class="instead"
          open={!passkeys}
          onToggle={({ currentTarget }) => setByPassword(currentTarget.open)}
        >
          <summary>{says.password}</summary>
          <div class="fields">
            <label>
              {texts.signIn.password}
              <input
                // The types of Preact want one kind of input at a time.
                type={(shown ? 'text' : 'password') as 'password'}
                name="password"
                autocomplete="new-password"
                minLength={15}
                required={byPassword}
                aria-describedby="password-hint"
                value={password}
                onInput={({ currentTarget }) => setPassword(currentTarget.value)}
              />
            </label>
            <p class="hint" id="password-hint">
              {says.passwordHint}
            </p>
            <Check label={says.show} isOn={shown} onSet={setShown} />
            <button type="submit" disabled={busy}>
              {says.submit}
            </button>
          </div>
        </details>
      ) : (
        <p class="hint">{says.onlyPasskey}</p>
      )}
    </form>
  );
}
