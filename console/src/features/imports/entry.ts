/** Where the screen of imports is, and who sees it. */
import type { FeatureEntry } from '../../entry.ts';

export const entry: FeatureEntry = {
  path: 'import',
  group: 'more',
  letter: 'i',
  isFor: ({ permissions, locations }) => permissions.includes('write') && locations === null,
  script: 'importing',
  icon: 'M10 12V3M6.500 6.500 10 3l3.500 3.500M4 12v4.500h12V12',
};
