// Generated from console/src/features/ by "npm run generate"; do not edit.

import type { Screens } from '../screen.ts';
import { RecordPanel as doNotContactRecordPanel } from './do-not-contact/record.tsx';
import { FeedsPanel as expectationsFeedsPanel } from './expectations/feeds.tsx';
import { TodayNote as expectationsTodayNote } from './expectations/today.tsx';
import { ListTakeAway as exportsListTakeAway } from './exports/list.tsx';
import { RecordPanel as followUpRecordPanel } from './follow-up/record.tsx';
import { TodayPanel as followUpTodayPanel } from './follow-up/today.tsx';
import { FeedsFoot as selfTestsFeedsFoot } from './self-tests/feeds.tsx';
import type { InSpots } from './spots.ts';

export const featureScreens: Screens = {};
export const featureSpots: InSpots = {
  RecordPanel: [doNotContactRecordPanel, followUpRecordPanel],
  TodayNote: [expectationsTodayNote],
  TodayPanel: [followUpTodayPanel],
  FeedsPanel: [expectationsFeedsPanel],
  FeedsFoot: [selfTestsFeedsFoot],
  ListTakeAway: [exportsListTakeAway],
};
