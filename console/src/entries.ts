/** Where all screens are, but for those of records, which follow from their description. */
import type { Entry, Seer } from './entry.ts';
import { featureEntries } from './features/entries.ts';

const administers = ({ may_administer }: Seer): boolean => may_administer;

const OWN = [
  { path: '', group: 'home', letter: 't', icon: 'today' },
  { path: 'find', group: 'home', letter: 'f' },
  { path: 'staff', group: 'people', letter: 'p', isFor: administers, script: 'integrating' },
  { path: 'privacy', group: 'people', letter: 'y', right: 'erase', script: 'officers' },
  { path: 'proposals', group: 'more', script: 'integrating' },
  { path: 'removed', group: 'more', letter: 'z' },
  {
    path: 'feeds',
    group: 'integration',
    letter: 'd',
    right: 'requests',
    script: 'integrating',
  },
  {
    path: 'requests',
    group: 'integration',
    letter: 'r',
    right: 'requests',
    script: 'integrating',
  },
  {
    path: 'keys',
    group: 'integration',
    letter: 'k',
    isFor: administers,
    script: 'integrating',
  },
  { path: 'account', group: 'hidden', script: 'integrating' },
  { path: 'signed_in', group: 'hidden', script: 'entering' },
] as const satisfies readonly Entry[];

/** After what features add to its group. */
const LAST = {
  path: 'audit',
  group: 'people',
  right: 'audit',
  script: 'officers',
} as const satisfies Entry;

type Own = (typeof OWN)[number] | typeof LAST;
/** The paths of the screens of a script, but for those of features. */
export type PathsIn<Script> = Extract<Own, { readonly script: Script }>['path'];
/** The paths of the screens that the page begins with. */
export type FirstPaths = Extract<Own, { readonly group: 'home' }>['path'];
/** The paths of the screens that are opened rarely. */
export type SeldomPaths = Exclude<
  Own,
  { readonly script: string } | { readonly group: 'home' }
>['path'];

export const entries: readonly Entry[] = [...OWN, ...featureEntries, LAST];

/** Whether it is there for this person; before it is known who that is, what is there for everybody. */
export function isSeen(
  { right, isFor }: Pick<Entry, 'right' | 'isFor'>,
  session: Seer | undefined,
): boolean {
  if (session === undefined) return !(right || isFor);
  return (!right || session.allow.includes(right)) && (!isFor || isFor(session));
}
