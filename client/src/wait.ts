/** Waits that end when their caller does. */

/** The longest time of a timer: a longer one would be over at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Ends early with the reason of the signal. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    const sleep = (left: number): void => {
      const part = Math.min(left, LONGEST_TIMER);
      timer = setTimeout(() => (left > part ? sleep(left - part) : resolve()), part);
    };
    sleep(milliseconds);
  });
  return unlessAborted(over, signal).finally(() => clearTimeout(timer));
}

/** Rejects with the reason of the signal as soon as it is aborted; a signal that lives on keeps nothing of it. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return work;
  let end = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  // Whichever is second needs no reader.
  work.catch(() => {});
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
