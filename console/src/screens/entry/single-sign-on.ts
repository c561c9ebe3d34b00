/** The way to the provider of single sign-on; the browser comes back to the page that it left. */
import { ask } from '../../api.ts';

interface Errand {
  /** Of an invitation that is to be taken up. */
  readonly token?: string;
  /** The provider is to ask who it is, also where it knows. */
  readonly again?: boolean;
  readonly to?: string;
}

export async function leaveToSignIn(errand: Errand): Promise<void> {
  const { url } = await ask<{ readonly url: string }>('POST', '/single_sign_on/begin', errand);
  location.assign(url);
}
