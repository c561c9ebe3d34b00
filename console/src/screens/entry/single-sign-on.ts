/** The way to the provider of single sign-on; the browser comes back to the page that it left. */
import { ask } from '../../service/api.ts';

interface Errand {
  /** The token of an invitation that is to be taken up. */
  readonly token?: string;
  /** The provider must authenticate the person again, even if they are signed in there. */
  readonly again?: boolean;
  readonly to?: string;
}

export async function leaveToSignIn(errand: Errand): Promise<void> {
  const { url } = await ask<{ readonly url: string }>('POST', '/single_sign_on/begin', errand);
  location.assign(url);
}
