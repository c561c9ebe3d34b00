/** A way in that is tried, and why the last one failed; the browser comes back from single sign-on to the page that it left. */
import { page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../../parts/loading.tsx';
import { ask } from '../../service/api.ts';

interface Attempts {
  readonly busy: boolean;
  readonly fault: string | undefined;
  fail(error: unknown): void;
  /** Stays busy where it succeeds: the page or the dialog goes then. */
  attempt(work: () => Promise<void>): Promise<void>;
}

/** `failed`: why one before failed; `onFail`: what else happens where one does. */
export function useAttempt(
  failed?: () => string | undefined,
  onFail?: (error: unknown) => void,
): Attempts {
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
    async attempt(work) {
      setBusy(true);
      setFault(undefined);
      await work().catch(fail);
    },
  };
}

interface Errand {
  /** The token of an invitation that is to be taken up. */
  readonly token?: string;
  /** The provider must authenticate the person again, even if they are signed in there. */
  readonly again?: boolean;
  readonly to?: string;
}

/** Goes to the provider of single sign-on. */
export async function leaveToSignIn(errand: Errand): Promise<void> {
  const { url } = await ask<{ readonly url: string }>('POST', '/single_sign_on/begin', errand);
  location.assign(url);
}
