/**
 * All screens: their addresses, names, and audiences. A new one is a file, and a line here. Rarely opened screens are
 * loaded on demand.
 */

import texts from 'messages:page';
import { laterScreen, officersScreen } from './parts/later.tsx';
import { described } from './records/description.ts';
import { inOrder } from './records/order.ts';
import type { ScreenEntry } from './screen.ts';
import { FindScreen } from './screens/find/find.tsx';
import { RecordsScreen } from './screens/records.tsx';
import { TodayScreen } from './screens/today/today.tsx';
import type { Session } from './service/session.ts';

const own: readonly ScreenEntry[] = [
  {
    path: '',
    title: texts.nav.today,
    group: 'home',
    icon: 'today',
    letter: 't',
    component: TodayScreen,
  },
  {
    path: 'find',
    title: texts.nav.find,
    group: 'home',
    icon: 'find',
    letter: 'f',
    component: FindScreen,
  },
  {
    path: 'feeds',
    title: texts.nav.feeds,
    group: 'integration',
    icon: 'feeds',
    letter: 'd',
    visible: ({ allow }) => allow.includes('requests'),
    component: laterScreen(texts.nav.feeds, (seldom) => seldom.FeedsScreen),
  },
  {
    path: 'requests',
    title: texts.nav.requests,
    group: 'integration',
    icon: 'requests',
    letter: 'r',
    visible: ({ allow }) => allow.includes('requests'),
    component: laterScreen(texts.nav.requests, (seldom) => seldom.RequestsScreen),
  },
  {
    path: 'keys',
    title: texts.nav.keys,
    group: 'integration',
    icon: 'keys',
    letter: 'k',
    visible: ({ may_administer }) => may_administer,
    component: laterScreen(texts.nav.keys, (seldom) => seldom.KeysScreen),
  },
  {
    path: 'staff',
    title: texts.nav.staff,
    group: 'people',
    icon: 'staff',
    letter: 'p',
    visible: ({ may_administer }) => may_administer,
    component: laterScreen(texts.nav.staff, (seldom) => seldom.StaffScreen),
  },
  {
    path: 'privacy',
    title: texts.nav.privacy,
    group: 'people',
    icon: 'privacy',
    letter: 'y',
    visible: ({ allow }) => allow.includes('erase'),
    component: officersScreen(texts.nav.privacy, (officers) => officers.PrivacyScreen),
  },
  {
    path: 'holds',
    title: texts.nav.holds,
    group: 'people',
    icon: 'holds',
    visible: ({ allow }) => allow.includes('hold'),
    component: officersScreen(texts.nav.holds, (officers) => officers.HoldsScreen),
  },
  {
    path: 'retention',
    title: texts.nav.retention,
    group: 'people',
    icon: 'retention',
    visible: ({ allow }) => allow.includes('erase'),
    component: officersScreen(texts.nav.retention, (officers) => officers.RetentionScreen),
  },
  {
    path: 'audit',
    title: texts.nav.audit,
    group: 'people',
    icon: 'audit',
    visible: ({ allow }) => allow.includes('audit'),
    component: officersScreen(texts.nav.audit, (officers) => officers.AuditScreen),
  },
  {
    path: 'account',
    title: texts.nav.account,
    group: 'hidden',
    icon: 'account',
    component: laterScreen(texts.nav.account, (seldom) => seldom.AccountScreen),
  },
  {
    path: 'webhooks',
    title: texts.nav.webhooks,
    group: 'integration',
    icon: 'webhooks',
    letter: 'w',
    visible: ({ allow }) => allow.includes('webhooks'),
    component: laterScreen(texts.nav.webhooks, (seldom) => seldom.WebhooksScreen),
  },
  {
    path: 'import',
    title: texts.nav.import,
    group: 'more',
    icon: 'import',
    letter: 'i',
    visible: ({ permissions, locations }) => permissions.includes('write') && locations === null,
    component: laterScreen(texts.nav.import, (seldom) => seldom.ImportScreen),
  },
  {
    path: 'export',
    title: texts.nav.export,
    group: 'more',
    icon: 'export',
    letter: 'x',
    component: laterScreen(texts.nav.export, (seldom) => seldom.ExportScreen),
  },
];

const removed: ScreenEntry = {
  path: 'removed',
  title: texts.nav.removed,
  group: 'more',
  icon: 'removed',
  letter: 'z',
  component: laterScreen(texts.nav.removed, (seldom) => seldom.RemovedScreen),
};

const proposals: ScreenEntry = {
  path: 'proposals',
  title: texts.nav.proposals,
  group: 'more',
  icon: 'again',
  component: laterScreen(texts.nav.proposals, (seldom) => seldom.ProposalsScreen),
};

const taken = new Set([...own, removed].map(({ letter }) => letter));

export const screens: readonly ScreenEntry[] = [
  ...own,
  ...inOrder(described).map((resource): ScreenEntry => {
    // People see their accounts next to their name, and no menu leads there.
    const isHidden = resource.parent === undefined;
    const letter = isHidden
      ? undefined
      : [...resource.plural.toLowerCase()].find((one) => /[a-z]/.test(one) && !taken.has(one));
    taken.add(letter);
    return {
      path: resource.path,
      title: resource.plural,
      group: isHidden ? 'hidden' : 'records',
      icon: resource.path,
      ...(letter === undefined ? {} : { letter }),
      component: RecordsScreen,
    };
  }),
  proposals,
  removed,
];

export function visibleScreens(session: Session | undefined): readonly ScreenEntry[] {
  return screens.filter(
    ({ visible }) => visible === undefined || (session !== undefined && visible(session)),
  );
}
