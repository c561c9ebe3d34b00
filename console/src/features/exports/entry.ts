/** Where the screen of exports is. */
import type { FeatureEntry } from '../../entry.ts';

export const entry: FeatureEntry = {
  path: 'export',
  group: 'more',
  letter: 'x',
  script: 'integrating',
  icon: 'M10 3v9M6.500 8.500 10 12l3.500-3.500M4 12v4.500h12V12',
};
