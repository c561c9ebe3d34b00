/** What tests have made ends by itself. To be imported before any test is described. */
import { AsyncResource } from 'node:async_hooks';
import { after, getTestContext, type TestContext } from 'node:test';

type End = () => unknown;

const atLast: End[] = [];
after(() => endAll(atLast));

async function endAll(ends: End[]): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

/** Does it when all tests of this process are over. */
export function atEnd(end: End): void {
  atLast.push(end);
}

const ends = new WeakMap<object, End[]>();

/**
 * Does it, once, when the test that calls this is over, or the suite or the file whose hook calls it; what was made last
 * ends first. Returns what does it earlier.
 */
export function whenOver<Result>(end: () => Result): () => Result {
  const once = onlyOnce(end);
  // A suite has an `after`, too, whatever its type says.
  const context = getTestContext() as TestContext | undefined;
  if (context === undefined) {
    atEnd(once);
    return once;
  }
  const mine = ends.getOrInsertComputed(context, () => {
    const made: End[] = [];
    context.after(() => endAll(made));
    return made;
  });
  mine.push(once);
  return once;
}

function onlyOnce<Result>(end: () => Result): () => Result {
  let ended: { readonly result: Result } | undefined;
  return () => {
    ended ??= { result: end() };
    return ended.result;
  };
}

const nowhere = new AsyncResource('outside of tests');

/**
 * Waits for a promise that several tests share. Node takes what goes on after it for the test that made the promise,
 * which may be over: what the others make would end with that one.
 */
export function joined<Made>(shared: Promise<Made>): Promise<Made> {
  return new Promise((resolve, reject) => {
    shared.then(resolve, reject);
  });
}

/** Does what no test ends. */
export function outside<Result>(work: () => Result): Result {
  return nowhere.runInAsyncScope(work);
}
