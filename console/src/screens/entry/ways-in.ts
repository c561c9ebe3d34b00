/** Ways in: passkeys by the browser's own JSON methods, single sign-on, and why one failed. */
import { page as texts } from 'messages';
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

export const hasPasskeys = (): boolean =>
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

/** `failed`: why one before failed; `onFail`: what else happens where one does. */
export function useAttempt(failed?: () => string | undefined, onFail?: (error: unknown) => void) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState(failed);
  const fail = (error: unknown): void => {
    onFail?.(error);
    setFault(error instanceof DOMException ? texts.signIn.passkeyFailed : sentenceOf(error));
    setBusy(false);
  };
  return {
    busy,
    fault,
    fail,
    /** Stays busy where it succeeds: the page or the dialog goes then. */
    async attempt(work: () => Promise<void>): Promise<void> {
      setBusy(true);
      setFault(undefined);
      await work().catch(fail);
    },
  };
}

/** `token`: of an invitation that is to be taken up. `again`: the provider must authenticate the person again, even if they are signed in there. */
export async function leaveToSignIn(errand: {
  readonly token?: string;
  readonly again?: boolean;
  readonly to?: string;
}): Promise<void> {
  const { url } = await ask<{ readonly url: string }>('POST', '/single_sign_on/begin', errand);
  location.assign(url);
}
