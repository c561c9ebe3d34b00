/** Ways in: passkeys by the browser's own JSON methods, single sign-on, and why one failed. */
import { signal } from '@preact/signals';
import { entry } from 'messages';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../../parts/loading.tsx';
import { ask } from '../../service/api.ts';

interface Ceremony {
  readonly ceremony: string;
  readonly options: unknown;
}

interface Proof {
  readonly ceremony: string;
  readonly credential: unknown;
}

/** Browsers make passkeys for names, and for no addresses of numbers. */
const isByNumber = /^[\d.]+$|^\[/.test(location.hostname);

export const hasPasskeys = (): boolean =>
  !isByNumber &&
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** Signs in with a passkey; the ceremony begins at `path`. */
export async function prove(path: string): Promise<Proof> {
  const { ceremony, options } = await ask<Ceremony>('POST', path, {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  return proofOf(ceremony, await navigator.credentials.get({ publicKey }));
}

export async function create(path: string, body: object): Promise<Proof> {
  const { ceremony, options } = await ask<Ceremony>('POST', path, body);
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  return proofOf(ceremony, await navigator.credentials.create({ publicKey }));
}

function proofOf(ceremony: string, credential: Credential | null): Proof {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('', 'NotAllowedError');
  return { ceremony, credential: credential.toJSON() };
}

function failedBy({ name }: DOMException): string {
  return entry.signIn.passkeyErrors[name] ?? entry.signIn.passkeyFailed;
}

/** This page at this machine's name, where it was opened at its number. */
export function addressByName(): URL | undefined {
  const isOwn = /^127\.|^\[::1\]$/.test(location.hostname);
  return isOwn ? Object.assign(new URL(location.href), { hostname: 'localhost' }) : undefined;
}

/** `failed`: why one before failed; `onFail`: what else happens where one does. */
export function useAttempt(failed?: () => string | undefined, onFail?: (error: unknown) => void) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState(failed);
  const fail = (error: unknown): void => {
    onFail?.(error);
    setFault(error instanceof DOMException ? failedBy(error) : sentenceOf(error));
    setBusy(false);
  };
  return {
    busy,
    fault,
    fail,
    rest: () => setBusy(false),
    /** Stays busy where it succeeds: the page or the dialog goes then, unless it can be tried again. */
    async attempt(work: () => Promise<void>): Promise<void> {
      setBusy(true);
      setFault(undefined);
      await work().catch(fail);
    },
  };
}

/** Leaves the page for the provider. `token`: that of the invitation being accepted; `name`: the name its holder typed. */
export async function leaveToSignIn(errand: {
  readonly token?: string;
  readonly name?: string;
  readonly to?: string;
}): Promise<void> {
  const { url } = await ask<{ readonly url: string }>('POST', '/single_sign_on/begin', errand);
  location.assign(url);
}

/** The screen that a window ends on in which somebody has signed in for another tab. */
export const SIGNED_IN = '/console/signed_in';

/**
 * Goes to the provider in a window of its own, so that this page stays, and what was typed in it. Gives the address of
 * the provider where the browser has not opened one.
 */
export async function signInBeside(): Promise<string | undefined> {
  // Browsers open windows only while they answer a click.
  const beside = window.open('about:blank', '_blank', 'popup,width=560,height=720');
  try {
    const errand = { to: SIGNED_IN, again: true };
    const { url } = await ask<{ readonly url: string }>('POST', '/single_sign_on/begin', errand);
    if (beside === null) return url;
    // The provider reaches nothing of this page.
    beside.opener = null;
    beside.location.replace(url);
    return undefined;
  } catch (error) {
    beside?.close();
    throw error;
  }
}

/**
 * What was wrong with a single sign-on, from which the browser has come back with a code, until somebody is signed in.
 * The dialog and the screen below it both say it: which of them is there first is a matter of time.
 */
export const cameBackWith = signal(takeCode());

function takeCode(): string | undefined {
  const code = /^#\/sign_in\?error=(\w+)$/.exec(location.hash)?.[1];
  if (code === undefined) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return entry.signIn.errors[code] ?? entry.signIn.ssoFailed;
}
