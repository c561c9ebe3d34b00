/** Accepting an invitation: with a passkey, or a password where that is allowed. */
import { entry as says, page as texts } from 'messages';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Invitation as Invited } from '../../generated/objects.ts';
import { Button, Stone } from '../../parts/button.tsx';
import { Check } from '../../parts/choices.tsx';
import { UserName, useHeard } from '../../parts/heard.tsx';
import { LanguageChoice, takeKept } from '../../parts/language-choice.tsx';
import { Failure, Fault, Skeleton } from '../../parts/loading.tsx';
import { ask } from '../../service/api.ts';
import type { Session } from '../../service/session.ts';
import { ByName } from './by-name.tsx';
import { create, hasPasskeys, leaveToSignIn, useAttempt } from './ways-in.ts';

/** Characters of a password, at least. */
const SHORTEST = 15;

export function Invitation({ token }: { readonly token: string }): JSX.Element {
  const [invited, setInvited] = useState<Invited>();
  const [ways, setWays] = useState<Ways>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    document.title = `${says.title} · ${texts.product}`;
    ask<Invited>('POST', '/invitations/look', { token }).then(setInvited, setError);
    ask<Ways>('GET', '/sign_in').then(setWays, () => setWays({}));
  }, [token]);
  // Before both are known, nothing is offered that would go again.
  const isKnown = invited !== undefined && ways !== undefined;
  return (
    <main class="stack welcoming">
      <Stone />
      <h1>{says.title}</h1>
      {error !== undefined && <Failure error={error} />}
      {isKnown && <Taking token={token} invited={invited} ways={ways} />}
      {!isKnown && error === undefined && <Skeleton rows={3} />}
      {!isKnown && <LanguageChoice />}
    </main>
  );
}

/** How people sign in here. */
interface Ways {
  readonly passkey?: boolean;
  readonly single_sign_on?: { readonly name: string } | null;
}

function Taking(props: {
  readonly token: string;
  readonly invited: Invited;
  readonly ways: Ways;
}): JSX.Element {
  const { token, invited, ways } = props;
  const [name, setName] = useState(() => takeKept() ?? invited.name ?? '');
  const [password, setPassword] = useState('');
  const [byPassword, setByPassword] = useState(false);
  const [shown, setShown] = useState(false);
  const [short, setShort] = useState(false);
  const { busy, fault, attempt } = useAttempt();
  const passkeys = ways.passkey === true && hasPasskeys();
  const provider = ways.single_sign_on?.name;
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    first.current?.focus();
  }, []);
  const named = name.trim() === '' ? {} : { name: name.trim() };

  const take = (proof: () => Promise<object>): Promise<void> =>
    attempt(async () => {
      await ask<Session>('POST', '/invitations/redeem', { token, ...named, ...(await proof()) });
      location.replace('/console/');
    });
  const takeByPasskey = (): Promise<void> => take(() => create('/invitations/passkey', { token }));

  const secret = useRef<HTMLInputElement>(null);
  const takeByPassword = async (): Promise<void> => {
    const isShort = password.length < SHORTEST;
    setShort(isShort);
    if (!isShort) await take(async () => ({ password }));
    secret.current?.focus();
  };
  const send = useHeard(() => {
    if (byPassword) void takeByPassword();
    else if (passkeys && !busy) void takeByPasskey();
  });
  const wrong = short ? says.passwordHint : byPassword ? fault : undefined;

  const group = invited.accounts.join(', ');
  return (
    <form
      class="fields"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send(event.currentTarget);
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
      <Fault says={byPassword ? undefined : fault} />
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
      {!passkeys && <ByName />}
      {provider !== undefined && (
        <>
          <Button
            label={says.signIn.sso(provider)}
            disabled={busy}
            onClick={() => void attempt(() => leaveToSignIn({ token, ...named }))}
          />
          {invited.role === 'administrator' && <p class="hint">{says.passkeySoon(provider)}</p>}
        </>
      )}
      {invited.password_allowed ? (
        <details
          class="instead"
          open={!passkeys}
          onToggle={({ currentTarget }) => setByPassword(currentTarget.open)}
        >
          <summary>{says.password}</summary>
          <div class="fields">
            <UserName email={invited.email} />
            <label>
              {says.signIn.password}
              <input
                // The types of Preact want one kind of input at a time.
                type={(shown ? 'text' : 'password') as 'password'}
                name="password"
                autocomplete="new-password"
                ref={secret}
                aria-required={byPassword}
                aria-invalid={wrong !== undefined}
                aria-describedby="password-fault password-hint"
                value={password}
                onInput={({ currentTarget }) => setPassword(currentTarget.value)}
              />
            </label>
            {wrong !== undefined && (
              <p class="fault" id="password-fault" role="alert">
                {wrong}
              </p>
            )}
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
      <LanguageChoice kept={name} />
    </form>
  );
}
