/** Signing in, on top of the page: what was typed there stays. */
import { entry, page as texts } from 'messages';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Button, Stone } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { UserName, useHeard } from '../../parts/heard.tsx';
import { LanguageChoice, takeKept } from '../../parts/language-choice.tsx';
import { Fault, Skeleton, useCountdown } from '../../parts/loading.tsx';
import { ask, isRefusal } from '../../service/api.ts';
import { enter, giveUp, leaveToAnother, session, type Wanted } from '../../service/session.ts';
import { ByName } from './by-name.tsx';
import {
  cameBackWith,
  hasPasskeys,
  leaveToSignIn,
  prove,
  signInBeside,
  useAttempt,
} from './ways-in.ts';

interface Methods {
  readonly passkey?: boolean;
  readonly single_sign_on?: { readonly name: string } | null;
}

const says = entry.signIn;

/** The longest address that people are led back to. */
const MAX_TO = 1_000;

export function SignIn({ why }: { readonly why: Wanted }): JSX.Element {
  const [methods, setMethods] = useState<Methods>();
  const [email, setEmail] = useState(() => session.value?.staff.email ?? takeKept() ?? '');
  const [password, setPassword] = useState('');
  const wait = useCountdown();
  /** Whether single sign-on goes on in another window; where the browser did not open one, its address. */
  const [beside, setBeside] = useState(false);
  const [blocked, setBlocked] = useState<string>();
  const { busy, fault, fail, rest, attempt } = useAttempt(
    () => cameBackWith.value,
    (error) => {
      setPassword('');
      if (isRefusal(error) && error.retryAfter !== undefined) wait.start(error.retryAfter);
    },
  );

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
    ask<Methods>('GET', '/sign_in').then(setMethods, (error: unknown) => {
      setMethods({});
      fail(error);
    });
    return () => {
      cameBackWith.value = undefined;
    };
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
    // Nothing was typed yet.
    if (why === 'sign_in') return attempt(() => leaveToSignIn(to.length <= MAX_TO ? { to } : {}));
    return attempt(async () => {
      setBlocked(undefined);
      const url = await signInBeside();
      setBlocked(url);
      setBeside(url === undefined);
      rest();
    });
  };

  const send = useHeard(() => {
    if (!busy && wait.left === 0) void byPassword();
  });

  // What is offered is there at once, and typing begins in it.
  const isKnown = methods !== undefined;
  useEffect(() => {
    const first = 'dialog.entry[open] form input:not(.unseen *)';
    if (isKnown) document.querySelector<HTMLElement>(first)?.focus();
  }, [isKnown]);

  const { passkey = false, single_sign_on: sso } = methods ?? {};
  const byKey = passkey && hasPasskeys();
  // People without a password are not asked for one.
  const byWord = isKnown && (why !== 'confirm' || session.value?.staff.password);
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
            : why === 'another'
              ? says.another(session.value?.staff.name ?? session.value?.staff.email ?? '')
              : says.confirm}
      </p>
      {!navigator.cookieEnabled && <Fault says={says.noCookies} />}
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
          {wait.left > 0 && ` ${says.waitFor(wait.left)}`}
        </p>
      )}
      {!isKnown && <Skeleton rows={3} />}
      {passkey && !byKey && <ByName />}
      {byKey && <Button class="main" label={says.passkey} disabled={busy} onClick={byPasskey} />}
      {sso !== null && sso !== undefined && (
        <Button label={says.sso(sso.name)} disabled={busy} onClick={bySingleSignOn} />
      )}
      {beside && (
        <p class="hint" role="status">
          {says.beside}
        </p>
      )}
      {blocked !== undefined && (
        <p role="status">
          {says.blocked}{' '}
          <a href={blocked} target="_blank" rel="noreferrer">
            {says.openTab}
          </a>
        </p>
      )}
      {byWord && (byKey || sso) && <p class="or">{says.or}</p>}
      {byWord && (
        <form
          class="fields"
          onSubmit={(event) => {
            event.preventDefault();
            send(event.currentTarget);
          }}
        >
          {why === 'confirm' ? (
            <UserName email={email} />
          ) : (
            <label>
              {says.email}
              <input
                type="email"
                name="email"
                autocomplete="username"
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
      {why === 'another' && (
        <Button class="plain link" label={says.asAnother} onClick={leaveToAnother} />
      )}
      <p class="hint">{says.lost}</p>
      {why === 'sign_in' && <LanguageChoice kept={email} />}
    </Dialog>
  );
}
