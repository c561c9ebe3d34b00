/** The person who is signed in, and the end of the session, which the tabs of a browser share. */
import { computed, signal } from '@preact/signals';
import type { Staff } from '../generated/objects.ts';
import { letGo } from '../parts/staying.ts';
import { loadHomes } from '../places/homes.ts';
import { areZonesKnown } from '../places/zones.ts';
import { pageIsOf } from './ahead.ts';
import { ask, isRefusal, whenRefused } from './api.ts';
import { lack } from './lacking.ts';

export type { Staff } from '../generated/objects.ts';

export interface Session {
  readonly unique_identifier: string;
  readonly method: 'password' | 'passkey' | 'single_sign_on';
  readonly recent_until: string;
  readonly ends_at: string;
  /** Without a request, it ends so much after the last one. */
  readonly idle_after_seconds: number;
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

/**
 * What the sign-in dialog is open for: a first sign-in, one that ended, one that is too long ago, or that another person
 * has signed in since, in the same browser.
 */
export type Wanted = 'sign_in' | 'again' | 'confirm' | 'another';
export const wanted = signal<Wanted | undefined>(undefined);

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

/** Orders the dialogs: the first leaves the page visible, the last hides all of it. */
const COVERS: readonly (Wanted | undefined)[] = ['confirm', 'sign_in', 'again', 'another'];

/** Opens the dialog, and waits for the sign-in. */
function signedIn(why: Wanted): Promise<void> {
  waiting ??= Promise.withResolvers<void>();
  // What was asked earlier may be refused later, and then uncovers nothing.
  if (COVERS.indexOf(why) > COVERS.indexOf(wanted.value)) wanted.value = why;
  return waiting.promise;
}

/** After a sign-in on this page. What another person has left on it goes, unless they are asked whether it may. */
export function enter(entered: Session): void {
  if (isOfAnother(entered.staff.unique_identifier)) {
    leaveToAnother();
    return;
  }
  knowPerson(entered);
  wanted.value = undefined;
  waiting?.resolve();
  waiting = undefined;
}

/** Whether this is the page of somebody else. */
function isOfAnother(unique_identifier: string): boolean {
  const own = session.value?.staff.unique_identifier;
  return own !== undefined && own !== unique_identifier;
}

function knowPerson(entered: Session): void {
  pageIsOf(entered.staff.unique_identifier);
  session.value = entered;
}

/** Shows nothing of the page to whoever looks at it now, and does nothing for them. */
function hide(why: Wanted): void {
  signedIn(why).catch(() => undefined);
}

/** Begins the page again, for the person who is signed in now. The browser asks first where something was typed. */
export function leaveToAnother(): void {
  hide('another');
  location.reload();
}

/** The person does not sign in again to confirm it. */
export function giveUp(): void {
  wanted.value = undefined;
  waiting?.reject(new DOMException('', 'AbortError'));
  waiting = undefined;
}

/** Sends a request, and once more after the person has signed in where that was missing. What they typed stays. */
export async function signedInFor<T>(request: () => Promise<T>): Promise<T> {
  await signed.promise;
  const answer = await retried(request);
  await known.promise;
  return answer;
}

/** Who is signed in is known. Until then, nothing else is requested. */
const signed = Promise.withResolvers<void>();
/** In which time zones their locations are is known, or cannot be. Until then, nothing is shown. */
const known = Promise.withResolvers<void>();

/** The code of a refusal of what this page asks, because another person has signed in. */
const ANOTHER = 'signed_in_as_another';
/** That of a refusal because there is no session. */
const NEEDED = 'sign_in_needed';

async function retried<T>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const code: string = isRefusal(error) ? error.code : '';
      if (code === ANOTHER) await signedIn('another');
      else if (code === NEEDED) await signedIn(session.value ? 'again' : 'sign_in');
      else if (code === 'reauthentication_needed') await signedIn('confirm');
      else throw error;
    }
  }
}

/** A service that starts again is back soon. */
const AGAIN_MS = 5_000;

/** Why it is not known who is signed in: nothing is shown to whom it may not be for, nor taken from whom it is for. */
export const whyUnknown = signal<unknown>(undefined);

/** Asks who is signed in. Where that fails, it is asked again by itself, and when somebody says so. */
export async function begin(): Promise<void> {
  whyUnknown.value = undefined;
  try {
    knowPerson(await retried(() => ask<Session>('GET', '/session')));
  } catch (error) {
    whyUnknown.value = error;
    // Where the service says when, it is asked then.
    if (isRefusal(error) && error.retryAfter !== undefined) return;
    setTimeout(() => {
      if (whyUnknown.value === error) void begin();
    }, AGAIN_MS);
    return;
  }
  signed.resolve();
  const accounts = session.value?.accounts ?? [];
  await learnHomes(accounts.map((one) => one.unique_identifier));
  areZonesKnown.value = true;
  known.resolve();
}

/** Without them times are those of the zone that was known last, and the page says what it lacks. */
async function learnHomes(accounts: readonly string[]): Promise<void> {
  try {
    await loadHomes(accounts);
    homesFound();
  } catch (error) {
    homesFound();
    homesFound = lack({ error, reload: () => void learnHomes(accounts) });
  }
}

/** Takes back that the page lacks them. */
let homesFound = (): void => undefined;

/** The session has ended, as another request or another tab knows. */
function endHere(): void {
  if (session.value) hide('again');
}

/** Says that the session has ended, or the unique identifier of the person who has signed in. */
const tabs = new BroadcastChannel('ledgerstone session');
const ENDED = 'ended';

export function startTabs(): void {
  whenRefused((code) => {
    if (code === ANOTHER) hide('another');
    else if (code === NEEDED && wanted.value === undefined) endHere();
  });
  tabs.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (data === ENDED) endHere();
    else if (wanted.value !== undefined) void takeUp();
    else if (isOfAnother(data)) hide('another');
  });
  // It may have been ended elsewhere in the meantime, or by the person who goes back to this page.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void check();
  });
  const page = document.documentElement;
  addEventListener('pagehide', ({ persisted }) => {
    page.hidden = persisted;
  });
  addEventListener('pageshow', ({ persisted }) => {
    // The Back button can show a cached page to a different person, so it stays hidden until the session is checked.
    if (persisted) void check().finally(() => setTimeout(() => (page.hidden = false)));
  });
  let before: string | undefined;
  session.subscribe((now) => {
    if (now === undefined || now.unique_identifier === before) return;
    before = now.unique_identifier;
    tabs.postMessage(now.staff.unique_identifier);
  });
}

export async function signOut(): Promise<void> {
  await retried(() => ask('POST', '/sign_out', {}));
  // The browser may cache this page as it is, and show it to anyone who goes back.
  endHere();
  tabs.postMessage(ENDED);
  // Whether what is typed may go was asked before.
  letGo();
  location.assign('/console/');
}

/** Whether the session is still there, and still that of the person of this page. */
async function check(): Promise<void> {
  if (wanted.value !== undefined) return takeUp();
  // What it is refused with is noticed as that of any request is.
  if (session.value) await ask('GET', '/session').catch(() => undefined);
}

/** A sign-in elsewhere, in another tab or window of the browser. */
async function takeUp(): Promise<void> {
  // Where there is none, the dialog stays, or says who has signed in.
  const entered = await ask<Session>('GET', '/session').catch(() => undefined);
  const confirmed = wanted.value === 'confirm' ? (session.value?.recent_until ?? '') : '';
  if (entered !== undefined && entered.recent_until > confirmed) enter(entered);
}
