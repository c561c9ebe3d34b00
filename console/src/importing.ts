/** Screens on which files are taken in: one script, which only those who may import load. */
import './refusal-words.ts';
import { featureScreens } from './features/importing.ts';
import type { Screens } from './screen.ts';

export const screens: Screens = featureScreens;
