/** Signing in, on top of the page: what was typed there stays. */
import { page as texts } from 'messages';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Button, Stone } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { later } from '../../parts/later.tsx';
import { useCountdown } from '../../parts/loading.tsx';
import { ask, isRefusal } from '../../service/api.ts';
import { enter, giveUp, session } from '../../service/session.ts';
import { hasPasskeys, leaveToSignIn, prove, useAttempt } from './ways-in.ts';

interface Methods {
  readonly passkey?: boolean;
  readonly single_sign_on?: { readonly name: string } | null;
}

const LanguageChoice = later((seldom) => seldom.LanguageChoice, null);

const says = texts.signIn;

export function SignIn({ why }: { readonly why: 'sign_in' | 'again' | 'confirm' }): JSX.Element {
  const [methods, setMethods] = useState<Methods>();
  const [email, setEmail] = useState(session.value?.staff.email ?? '');
  const [password, setPassword] = useState('');
  const wait = useCountdown();
  const { busy, fault, fail, attempt } = useAttempt(comeBackWith, (error) => {
    setPassword('');
    if (isRefusal(error) && error.retryAfter !== undefined) wait.start(error.retryAfter);
  });

  // It hides what a family has sent, even whose record is open.
  useLayoutEffect(() => {
    if (why === 'confirm') return;
    const { title } = document;
    document.title = `${says.title} · ${texts.product}`;
    return () => {
      document.title = title;
    };
  }, [why]);
  useEffect(() => {
    ask<Methods>('GET', '/sign_in').then(setMethods, fail);
  }, []);

  const base = why === 'confirm' ? '/reauthenticate' : '/sign_in';
  const byPasskey = (): Promise<void> =>
    attempt(async () =>
      enter(await ask('POST', `${base}/passkey`, await prove(`${base}/passkey/begin`))),
    );
  const byPassword = (): Promise<void> =>
    attempt(async () =>
      enter(await ask('POST', base, why === 'confirm' ? { password } : { email, password })),
    );
  const bySingleSignOn = (): Promise<void> => {
    const to = location.pathname + location.search;
    return attempt(() => leaveToSignIn(why === 'sign_in' ? { to } : { to, again: true }));
  };

  const { passkey = false, single_sign_on: sso } = methods ?? {};
  const byKey = passkey && hasPasskeys();
  // People without a password are not asked for one.
  const byWord = why !== 'confirm' || session.value?.staff.password;
  return (
    <Dialog
      title={why === 'confirm' ? says.confirmSubmit : says.title}
      class={why === 'confirm' ? 'entry' : 'entry alone'}
      closable={why === 'confirm'}
      onClose={giveUp}
    >
      {why !== 'confirm' && <Stone />}
      <p class="quiet">
        {why === 'sign_in'
          ? `${texts.product}, ${says.lead}`
          : why === 'again'
            ? says.again
            : says.confirm}
      </p>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
          {wait.left > 0 && ` ${says.waitFor(wait.left)}`}
        </p>
      )}
      {byKey && <Button class="main" label={says.passkey} disabled={busy} onClick={byPasskey} />}
      {sso !== null && sso !== undefined && (
        <Button label={says.sso(sso.name)} disabled={busy} onClick={bySingleSignOn} />
      )}
      {byWord && (byKey || sso) && <p class="or">{says.or}</p>}
      {byWord && (
        <form
          class="fields"
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy && wait.left === 0) void byPassword();
          }}
        >
          {why !== 'confirm' && (
            <label>
              {says.email}
              <input
                type="email"
                name="email"
                autocomplete="username webauthn"
                required
                value={email}
                onInput={({ currentTarget }) => setEmail(currentTarget.value)}
              />
            </label>
          )}
          <label>
            {says.password}
            <input
              type="password"
              name="password"
              autocomplete="current-password"
              required
              value={password}
              onInput={({ currentTarget }) => setPassword(currentTarget.value)}
            />
          </label>
          <button type="submit" class={byKey ? undefined : 'main'} disabled={busy || wait.left > 0}>
            {why === 'confirm' ? says.confirmSubmit : says.submit}
          </button>
        </form>
      )}
      <p class="hint">{says.lost}</p>
      {why === 'sign_in' && <LanguageChoice />}
    </Dialog>
  );
}

/** What was wrong with a single sign-on, from which the browser comes back with a code. */
function comeBackWith(): string | undefined {
  const code = /^#\/sign_in\?error=(\w+)$/.exec(location.hash)?.[1];
  if (code === undefined) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return says.errors[code] ?? says.ssoFailed;
}
