/** Where the screen of retention rules is, and who sees it. */
import type { FeatureEntry } from '../../entry.ts';

export const entry: FeatureEntry = {
  path: 'retention',
  group: 'people',
  right: 'erase',
  script: 'officers',
  icon: 'M5.500 3h9M5.500 17h9M7 3v3l3 4 3-4V3M7 17v-3l3-4 3 4v3',
};
