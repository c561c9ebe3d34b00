/**
 * All screens: their addresses, names, and audiences. A new one is a file, and a line here. Rarely opened screens are
 * loaded on demand.
 */
import { page as texts } from 'messages';
import { laterScreen, officersScreen } from './parts/later.tsx';
import { described } from './records/description.ts';
import { inOrder } from './records/order.ts';
import type { ScreenEntry } from './screen.ts';
import { FindScreen } from './screens/find/find.tsx';
import { RecordsScreen } from './screens/records.tsx';
import { TodayScreen } from './screens/today/today.tsx';
import type { Session } from './service/session.ts';

/** Loads the screen on demand; its title is there at once. */
type Take<Script> = (from: Script) => ScreenEntry['component'];

interface Own extends Pick<ScreenEntry, 'path' | 'letter' | 'visible'> {
  readonly screen?: ScreenEntry['component'];
  readonly seldom?: Take<typeof import('./seldom.ts')>;
  readonly officers?: Take<typeof import('./officers.ts')>;
}

const may =
  (right: string) =>
  ({ allow }: Session): boolean =>
    allow.includes(right);
const administers = ({ may_administer }: Session): boolean => may_administer;
const importer = ({ permissions, locations }: Session): boolean =>
  permissions.includes('write') && locations === null;

const OWN: Readonly<Partial<Record<ScreenEntry['group'], readonly Own[]>>> = {
  home: [
    { path: '', letter: 't', screen: TodayScreen },
    { path: 'find', letter: 'f', screen: FindScreen },
  ],
  people: [
    { path: 'staff', letter: 'p', visible: administers, seldom: (all) => all.StaffScreen },
    { path: 'privacy', letter: 'y', visible: may('erase'), officers: (all) => all.PrivacyScreen },
    { path: 'holds', visible: may('hold'), officers: (all) => all.HoldsScreen },
    { path: 'retention', visible: may('erase'), officers: (all) => all.RetentionScreen },
    { path: 'audit', visible: may('audit'), officers: (all) => all.AuditScreen },
  ],
  more: [
    { path: 'import', letter: 'i', visible: importer, seldom: (all) => all.ImportScreen },
    { path: 'export', letter: 'x', seldom: (all) => all.ExportScreen },
    { path: 'proposals', seldom: (all) => all.ProposalsScreen },
    { path: 'removed', letter: 'z', seldom: (all) => all.RemovedScreen },
  ],
  integration: [
    { path: 'feeds', letter: 'd', visible: may('requests'), seldom: (all) => all.FeedsScreen },
    {
      path: 'requests',
      letter: 'r',
      visible: may('requests'),
      seldom: (all) => all.RequestsScreen,
    },
    { path: 'keys', letter: 'k', visible: administers, seldom: (all) => all.KeysScreen },
    {
      path: 'webhooks',
      letter: 'w',
      visible: may('webhooks'),
      seldom: (all) => all.WebhooksScreen,
    },
  ],
  hidden: [{ path: 'account', seldom: (all) => all.AccountScreen }],
};

const own = Object.entries(OWN).flatMap(([group, entries]) =>
  entries.map(({ screen, seldom, officers, ...entry }): ScreenEntry => {
    const icon = entry.path || 'today';
    const title = texts.nav[icon as 'today'];
    const later = seldom ? laterScreen(title, seldom) : officers && officersScreen(title, officers);
    const component = screen ?? later ?? (() => null);
    return { ...entry, group: group as ScreenEntry['group'], icon, title, component };
  }),
);

const taken = new Set(own.map(({ letter }) => letter));

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
];

export function visibleScreens(session: Session | undefined): readonly ScreenEntry[] {
  return screens.filter(
    ({ visible }) => visible === undefined || (session !== undefined && visible(session)),
  );
}
