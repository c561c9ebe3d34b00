/** Where the screen of the register is, and who sees it. */
import type { FeatureEntry } from '../../entry.ts';

export const entry: FeatureEntry = {
  path: 'do-not-contact',
  group: 'people',
  right: 'do_not_contact',
  isSeldom: ({ may_administer, allow }) => !may_administer && !allow.includes('erase'),
  script: 'officers',
  icon: 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M5.200 5.200l9.600 9.600',
  ofRecord: { add: '' },
  ofRecordsThat: 'do_not_contact',
};
