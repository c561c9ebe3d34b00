/** The person who is signed in, and the end of the session, which the tabs of a browser share. */
import { computed, signal } from '@preact/signals';
import type { Staff } from '../generated/objects.ts';
import { loadHomes } from '../places/homes.ts';
import { ask, isRefusal } from './api.ts';

export type { Staff } from '../generated/objects.ts';

export interface Session {
  readonly unique_identifier: string;
  readonly method: 'password' | 'passkey' | 'single_sign_on';
  readonly recent_until: string;
  readonly ends_at: string;
  readonly staff: Staff;
  readonly accounts: readonly {
    readonly unique_identifier: string;
    readonly name: string;
    readonly livemode: boolean;
  }[];
  /** `null`: whole accounts. */
  readonly locations: readonly string[] | null;
  readonly permissions: readonly ('read' | 'write' | 'delete')[];
  readonly allow: readonly string[];
  readonly may_administer: boolean;
}

/** `undefined` until it is known. */
export const session = signal<Session | undefined>(undefined);

/** What the sign-in dialog is open for: a first sign-in, one that ended, or one that is too long ago. */
export const wanted = signal<'sign_in' | 'again' | 'confirm' | undefined>(undefined);

/** Whether what is shown is test data alone, live data alone, or both. */
export const mode = computed(() => {
  const accounts = session.value?.accounts ?? [];
  if (accounts.length === 0) return undefined;
  if (accounts.every(({ livemode }) => !livemode)) return 'test';
  return accounts.every(({ livemode }) => livemode) ? 'live' : 'both';
});

export function may(permission: 'read' | 'write' | 'delete'): boolean {
  return session.value?.permissions.includes(permission) === true;
}

/** A right that no role has. */
export function hasRight(right: string): boolean {
  return session.value?.allow.includes(right) === true;
}

let waiting: PromiseWithResolvers<void> | undefined;

/** Opens the dialog, and waits for the sign-in. */
function signedIn(why: 'sign_in' | 'again' | 'confirm'): Promise<void> {
  waiting ??= Promise.withResolvers<void>();
  wanted.value = why;
  return waiting.promise;
}

/** After a sign-in. What another person has left on the page goes. */
export function enter(entered: Session): void {
  const before = session.value?.staff.unique_identifier;
  if (before !== undefined && before !== entered.staff.unique_identifier) {
    location.reload();
    return;
  }
  session.value = entered;
  wanted.value = undefined;
  waiting?.resolve();
  waiting = undefined;
}

/** The person does not sign in again to confirm it. */
export function giveUp(): void {
  wanted.value = undefined;
  waiting?.reject(new DOMException('Not signed in again.', 'AbortError'));
  waiting = undefined;
}

/** Sends a request, and once more after the person has signed in where that was missing. What they typed stays. */
export async function signedInFor<T>(request: () => Promise<T>): Promise<T> {
  await known.promise;
  return retried(request);
}

/** Who is signed in is known and in which time zones their locations are, or cannot be. Until then, nothing else is requested. */
const known = Promise.withResolvers<void>();

async function retried<T>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const code: string = error.code;
      if (error.status === 401 && code !== 'sign_in_failed') {
        await signedIn(session.value === undefined ? 'sign_in' : 'again');
      } else if (code === 'reauthentication_needed') await signedIn('confirm');
      else throw error;
    }
  }
}

export async function begin(): Promise<void> {
  try {
    const entered = await retried(() => ask<Session>('GET', '/session'));
    // Without them times are those of the zone that was known last.
    await loadHomes(entered.accounts.map((one) => one.unique_identifier)).catch(() => undefined);
    session.value = entered;
  } finally {
    known.resolve();
  }
}

/** The session has ended, as another request or another tab knows. */
function endHere(): void {
  if (session.value !== undefined) signedIn('again').catch(() => undefined);
}

const tabs = new BroadcastChannel('ledgerstone session');

export function startTabs(): void {
  tabs.addEventListener('message', ({ data }) => {
    if (data === 'ended') endHere();
    else if (wanted.value === 'sign_in' || wanted.value === 'again') void takeUp();
  });
  // It may have been ended elsewhere in the meantime, or by the person who goes back to this page.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void check();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void check();
  });
  let before: string | undefined;
  session.subscribe((now) => {
    if (now === undefined || now.unique_identifier === before) return;
    before = now.unique_identifier;
    tabs.postMessage('entered');
  });
}

export async function signOut(): Promise<void> {
  await ask('POST', '/sign_out', {});
  // The browser may cache this page as it is, and show it to anyone who goes back.
  endHere();
  tabs.postMessage('ended');
  location.assign('/console/');
}

async function check(): Promise<void> {
  if (session.value === undefined || wanted.value !== undefined) return;
  await signedInFor(() => ask<Session>('GET', '/session')).catch(() => undefined);
}

/** A sign-in in another tab. */
async function takeUp(): Promise<void> {
  const entered = await ask<Session>('GET', '/session').catch(() => undefined);
  if (entered !== undefined) enter(entered);
}
