// Generated from console/src/features/ by "npm run generate"; do not edit.

import type { Screens } from '../screen.ts';

import { Screen as importsScreen } from './imports/screen.tsx';

export const featureScreens: Screens = { import: importsScreen };
