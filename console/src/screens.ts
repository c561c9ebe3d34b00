/** Every screen: where it is, what it is called, and who sees it. A new one is a file, and a line here. */
import { type DescribedResource, described } from './description.ts';
import type { ScreenEntry } from './screen.ts';
import { AccountScreen } from './screens/account/account.tsx';
import { ExportScreen } from './screens/exports/exports.tsx';
import { FeedsScreen } from './screens/feeds/feeds.tsx';
import { FindScreen } from './screens/find/find.tsx';
import { ImportScreen } from './screens/imports/imports.tsx';
import { KeysScreen } from './screens/keys/keys.tsx';
import { RecordsScreen } from './screens/records.tsx';
import { RequestsScreen } from './screens/requests/requests.tsx';
import { StaffScreen } from './screens/staff/staff.tsx';
import { TodayScreen } from './screens/today/today.tsx';
import { WebhooksScreen } from './screens/webhooks/webhooks.tsx';
import type { Session } from './session.ts';
import { texts } from './texts.ts';

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
    component: FeedsScreen,
  },
  {
    path: 'requests',
    title: texts.nav.requests,
    group: 'integration',
    icon: 'requests',
    letter: 'r',
    visible: ({ allow }) => allow.includes('requests'),
    component: RequestsScreen,
  },
  {
    path: 'keys',
    title: texts.nav.keys,
    group: 'integration',
    icon: 'keys',
    letter: 'k',
    visible: ({ may_administer }) => may_administer,
    component: KeysScreen,
  },
  {
    path: 'staff',
    title: texts.nav.staff,
    group: 'people',
    icon: 'staff',
    letter: 'p',
    visible: ({ may_administer }) => may_administer,
    component: StaffScreen,
  },
  {
    path: 'account',
    title: texts.nav.account,
    group: 'hidden',
    icon: 'account',
    component: AccountScreen,
  },
  {
    path: 'webhooks',
    title: texts.nav.webhooks,
    group: 'integration',
    icon: 'webhooks',
    letter: 'w',
    visible: ({ allow }) => allow.includes('webhooks'),
    component: WebhooksScreen,
  },
  {
    path: 'import',
    title: texts.nav.import,
    group: 'integration',
    icon: 'import',
    letter: 'i',
    visible: ({ permissions, locations }) => permissions.includes('write') && locations === null,
    component: ImportScreen,
  },
  {
    path: 'export',
    title: texts.nav.export,
    group: 'integration',
    icon: 'export',
    letter: 'x',
    component: ExportScreen,
  },
];

/** Families first: what belongs to something, in the order of the declarations; then what everything belongs to. */
const ordered: readonly DescribedResource[] = [
  ...described.filter(({ parent, anchor }) => parent !== undefined && anchor === undefined),
  ...described.filter(({ anchor }) => anchor),
  ...described.filter(({ parent }) => parent === undefined),
];

const taken = new Set(own.map(({ letter }) => letter));

export const screens: readonly ScreenEntry[] = [
  ...own,
  ...ordered.map((resource): ScreenEntry => {
    const letter = [...resource.plural.toLowerCase()].find((one) => !taken.has(one));
    taken.add(letter);
    return {
      path: resource.path,
      title: resource.plural,
      // Who is signed in sees their accounts beside their name.
      group: resource.parent === undefined ? 'hidden' : 'records',
      icon: resource.path,
      ...(letter === undefined ? {} : { letter }),
      component: RecordsScreen,
    };
  }),
];

export function visibleScreens(session: Session | undefined): readonly ScreenEntry[] {
  return screens.filter(
    ({ visible }) => visible === undefined || (session !== undefined && visible(session)),
  );
}
