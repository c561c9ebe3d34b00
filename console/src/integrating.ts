/** Screens of people who let others in, connect systems, decide what these propose and take data away, and of one's own account: one script, loaded when the page is idle. */
import './refusal-words.ts';
import type { PathsIn } from './entries.ts';
import { featureScreens } from './features/integrating.ts';
import type { Screens } from './screen.ts';
import { AccountScreen } from './screens/account/account.tsx';
import { FeedsScreen } from './screens/feeds/feeds.tsx';
import { KeysScreen } from './screens/keys/keys.tsx';
import { ProposalsScreen } from './screens/proposals/proposals.tsx';
import { RequestsScreen } from './screens/requests/requests.tsx';
import { StaffScreen } from './screens/staff/staff.tsx';

const own: Screens<PathsIn<'integrating'>> = {
  account: AccountScreen,
  staff: StaffScreen,
  feeds: FeedsScreen,
  requests: RequestsScreen,
  keys: KeysScreen,
  proposals: ProposalsScreen,
};

export const screens: Screens = { ...own, ...featureScreens };
