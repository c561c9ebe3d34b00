/** All screens: those of `entries.ts` with what draws them, and those of records. Rarely opened ones are loaded on demand. */
import { page as texts } from 'messages';
import { entries, type FirstPaths, isSeen } from './entries.ts';
import { scripts } from './parts/later.tsx';
import { described } from './records/description.ts';
import { inOrder } from './records/order.ts';
import type { ScreenEntry, Screens } from './screen.ts';
import { FindScreen } from './screens/find/find.tsx';
import { RecordsScreen } from './screens/records.tsx';
import { TodayScreen } from './screens/today/today.tsx';
import type { Session } from './service/session.ts';

const FIRST: Partial<Screens> = { '': TodayScreen, find: FindScreen } satisfies Screens<FirstPaths>;

const taken = new Set(entries.map(({ letter }) => letter));

export const screens: readonly ScreenEntry[] = [
  ...entries.map(({ script = 'seldom', ...entry }): ScreenEntry => {
    const { path, icon = path } = entry;
    const title = texts.nav[(path || icon) as 'today'];
    const first = FIRST[path];
    if (first !== undefined) return { ...entry, icon, title, component: first };
    const { laterScreen, loaded } = scripts[script];
    return { ...entry, icon, title, component: laterScreen(title, path), loaded };
  }),
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
  return screens.filter((one) => isSeen(one, session));
}
