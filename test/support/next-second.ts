/** Waiting for the clock on the wall. */
import { until } from './until.ts';

const second = (): number => Math.floor(Date.now() / 1_000);

/** Waits for the next second, where what is told in whole seconds must differ from what was before. */
export function nextSecond(): Promise<void> {
  const now = second();
  return until(() => second() !== now);
}
