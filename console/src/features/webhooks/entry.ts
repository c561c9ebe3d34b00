/** Where the screen of webhook endpoints is, and who sees it. */
import type { FeatureEntry } from '../../entry.ts';

export const entry: FeatureEntry = {
  path: 'webhooks',
  group: 'integration',
  letter: 'w',
  right: 'webhooks',
  script: 'integrating',
  icon: 'M6.500 13.500a3 3 0 1 1-2-5M10 4a3 3 0 0 1 2.500 4.500L10 12M13.500 15.500a3 3 0 1 0 0-6',
  ofKeys: true,
};
