/** Screens of people with rights that no role has: one script, which the others never load. */
import './refusal-words.ts';
import type { PathsIn } from './entries.ts';
import { featureScreens } from './features/officers.ts';
import type { Screens } from './screen.ts';
import { AuditScreen } from './screens/audit/audit.tsx';
import { PrivacyScreen } from './screens/privacy/request.tsx';

const own: Screens<PathsIn<'officers'>> = { privacy: PrivacyScreen, audit: AuditScreen };

export const screens: Screens = { ...own, ...featureScreens };
