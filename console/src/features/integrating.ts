// Generated from console/src/features/ by "npm run generate"; do not edit.

import type { Screens } from '../screen.ts';

import { Screen as exportsScreen } from './exports/screen.tsx';
import { Screen as webhooksScreen } from './webhooks/screen.tsx';

export const featureScreens: Screens = { export: exportsScreen, webhooks: webhooksScreen };
