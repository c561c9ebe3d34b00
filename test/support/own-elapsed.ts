/** The milliseconds that pass in this process, by a test's own clock: whatever asks `performance.now` is told those. */
import { after, before, mock } from 'node:test';

/** Stands still, around the tests of a file or a suite, unless it is moved. `asked` counts who asked for it. */
export function heldElapsed() {
  let at = performance.now();
  let asked = 0;
  around(() => {
    asked += 1;
    return at;
  });
  return {
    move(ms: number): void {
      at += ms;
    },
    asked: (): number => asked,
  };
}

/** Runs as always, around the tests of a file or a suite, and can be put ahead. */
export function runningElapsed() {
  const real = performance.now.bind(performance);
  let ahead = 0;
  around(() => real() + ahead);
  return {
    move(ms: number): void {
      ahead += ms;
    },
  };
}

function around(now: () => number): void {
  let mocked: { readonly mock: { restore(): void } } | undefined;
  before(() => {
    mocked = mock.method(performance, 'now', now);
  });
  after(() => mocked?.mock.restore());
}
