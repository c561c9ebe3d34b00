/** Rarely opened screens, and parts of others: one script, loaded after the page. */

import './refusal-words.ts';
import type { SeldomPaths } from './entries.ts';
import { featureScreens } from './features/seldom.ts';
import type { Screens } from './screen.ts';
import { RemovedScreen } from './screens/removed/removed.tsx';

export { Features } from './features/features.tsx';
export { Help } from './frame/help.tsx';
export { DeviceNotice } from './parts/device-notice.tsx';
export { NextStep } from './parts/next-step.tsx';
export { ZoneNotice } from './parts/zone-notice.tsx';
export { Cards } from './screens/cards/cards.tsx';
export { Create } from './screens/edit/create.tsx';
export { Found } from './screens/find/found.tsx';
export { Beside } from './screens/list/beside.tsx';
export { FilterForm } from './screens/list/filter-form.tsx';
export { Fresh } from './screens/list/fresh.tsx';
export { TakeAway } from './screens/list/take-away.tsx';
export { CardImage } from './screens/record/images.tsx';
export { RecordScreen } from './screens/record/record.tsx';
export { Nothing } from './screens/today/nothing.tsx';

const own: Screens<SeldomPaths> = {
  removed: RemovedScreen,
};

export const screens: Screens = { ...own, ...featureScreens };
