/**
 * The time, as the service's answers tell it: the clock of a device may be hours or days off, set while the page is
 * open, or stand still while the device sleeps. Nothing else of the console reads the device's clock.
 */

/** What an answer said, and where the device's clocks stood then. */
interface Told {
  /** Milliseconds since 1970, by the service's clock. */
  readonly time: number;
  readonly wall: number;
  /** Goes on evenly, whatever the wall clock is set to; it may stand still while the device sleeps. */
  readonly steady: number;
}

declare global {
  /** Shared by the script that asks ahead and that of the page. */
  var ledgerstoneTold: Told | undefined;
  /** Hears of a correction, whichever script has made it. */
  var ledgerstoneCorrected: (() => void) | undefined;
}

/** Answers name whole seconds, and clocks of one network differ by less: within this nothing is corrected. */
const SAME_MS = 30_000;
/** By how much the two clocks of a device part where one was set, or stood still. */
const JUMP_MS = 2_000;

const clocks = () => ({ wall: Date.now(), steady: performance.now() });

/** Milliseconds since 1970: by the service's clock once an answer has told it, until then by the device's. */
export function serviceNow(): number {
  const { ledgerstoneTold: told } = globalThis;
  const { wall, steady } = clocks();
  // Asleep, the steady clock may stand; set back, the wall clock tells of less than has passed.
  return told === undefined ? wall : told.time + Math.max(wall - told.wall, steady - told.steady);
}

/** Milliseconds by which the device's clock is ahead of the service's. */
export function aheadBy(): number {
  return clocks().wall - serviceNow();
}

/** How long something took, or how long ago it was on this page, is no matter of the hour: milliseconds, evenly. */
export function elapsed(): number {
  return performance.now();
}

/** Whether the device's clocks have parted since an answer told the time: which of them is right, only another one says. */
export function isDoubtful(): boolean {
  const { ledgerstoneTold: told } = globalThis;
  if (told === undefined) return false;
  const { wall, steady } = clocks();
  return Math.abs(wall - told.wall - (steady - told.steady)) > JUMP_MS;
}

/** Calls back after an answer has corrected the time. */
export function whenCorrected(listener: () => void): void {
  globalThis.ledgerstoneCorrected = listener;
}

/** Sends a request, and learns the time from its answer. */
export async function timed(request: () => Promise<Response>): Promise<Response> {
  const sent = clocks();
  const answer = await request();
  const came = clocks();
  const said = Date.parse(answer.headers.get('Date') ?? '');
  // A stored answer tells of its own time; so does one on whose way the device slept, or its clock was set.
  const isOfNow =
    !answer.headers.has('Age') &&
    Math.abs(came.wall - sent.wall - (came.steady - sent.steady)) <= JUMP_MS;
  if (Number.isNaN(said) || !isOfNow) return answer;
  const before = serviceNow();
  const isSame = Math.abs(said - before) <= SAME_MS;
  globalThis.ledgerstoneTold = { ...came, time: isSame ? before : said };
  if (!isSame) globalThis.ledgerstoneCorrected?.();
  return answer;
}
