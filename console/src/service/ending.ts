/** Warns before a session ends, and keeps that of somebody who is at work on the page. */
import { entry as says } from 'messages';
import { now } from '../clock.ts';
import { close, say } from '../parts/notice.tsx';
import { isAtWork, lastAct, lastAsked, noteAct } from './ahead.ts';
import { ask } from './api.ts';
import { type Session, session, wanted } from './session.ts';

/** Time to read it, and to go on. */
const WARNED_MS = 2 * 60_000;
const LOOK_MS = 10_000;
/** The end that was warned of. */
let warned = 0;

/** Asks for the session, so that it is not idle. */
async function stay(): Promise<void> {
  const kept = await ask<Session>('GET', '/session').catch(() => undefined);
  if (kept !== undefined) session.value = { ...kept };
}

function look(): void {
  const { value } = session;
  if (value === undefined || wanted.value !== undefined) return;
  const last = Date.parse(value.ends_at);
  const end = Math.min(last, lastAsked() + value.idle_after_seconds * 1000);
  if (end === warned) return;
  if (end - now() > WARNED_MS) {
    // Another tab has used it.
    if (warned !== 0) close();
    warned = 0;
    return;
  }
  // Who types asks for nothing.
  if (end < last && lastAct() > lastAsked() && isAtWork()) {
    void stay();
    return;
  }
  warned = end;
  say(
    end < last ? says.endsIdle : says.endsAnyway,
    end < last ? { act: { label: says.stay, run: () => void stay() } } : { more: [] },
  );
}

export function warnOfEnd(): void {
  // Dialogs keep what is typed in them to themselves.
  for (const act of ['keydown', 'input', 'pointerdown', 'click', 'wheel'])
    document.addEventListener(act, noteAct, { capture: true, passive: true });
  setInterval(look, LOOK_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') noteAct();
    look();
  });
}
