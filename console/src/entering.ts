/** What people meet who are not signed in: one script, which the page also loads when it is idle. */
import './refusal-words.ts';
import type { PathsIn } from './entries.ts';
import type { Screens } from './screen.ts';
import { SignedInScreen } from './screens/entry/signed-in.tsx';

export { Invitation } from './screens/entry/invitation.tsx';
export { SignIn } from './screens/entry/sign-in.tsx';
export { warnOfEnd } from './service/ending.ts';

export const screens: Screens<PathsIn<'entering'>> = { signed_in: SignedInScreen };
