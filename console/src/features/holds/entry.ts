/** Where the screen of holds is, and who sees it. */
import type { FeatureEntry } from '../../entry.ts';

export const entry: FeatureEntry = {
  path: 'holds',
  group: 'people',
  right: 'hold',
  script: 'officers',
  icon: 'M5 9.500h10V17H5zM7 9.500V6.500a3 3 0 0 1 6 0v3M10 12.500v2',
  ofRecord: { place: '' },
};
