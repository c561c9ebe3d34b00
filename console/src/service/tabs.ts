/** Messages to the other tabs of this browser: the session they share has ended, or there is one again. */
import { ask } from './api.ts';
import { endHere, enter, type Session, session, signedInFor, wanted } from './session.ts';

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
