// Generated from console/src/features/ by "npm run generate"; do not edit.

import type { Screens } from '../screen.ts';
import { Screen as doNotContactScreen } from './do-not-contact/screen.tsx';
import { keeper as holdsKeeper } from './holds/keeper.ts';
import { Screen as holdsScreen } from './holds/screen.tsx';
import { keeper as retentionKeeper } from './retention/keeper.ts';
import { Screen as retentionScreen } from './retention/screen.tsx';
import type { Keeper } from './spots.ts';

export const featureScreens: Screens = {
  'do-not-contact': doNotContactScreen,
  holds: holdsScreen,
  retention: retentionScreen,
};

export const featureKeepers: readonly Keeper[] = [holdsKeeper, retentionKeeper];
