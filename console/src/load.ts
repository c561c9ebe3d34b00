/** Loads what a screen shows. While it is reloaded, the old content stays. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { corrections } from './clock.ts';
import { type DescribedResource, shownWith } from './records/description.ts';
import { lastChanged } from './service/ahead.ts';
import { isRefusal, recordsOf } from './service/api.ts';
import { lack } from './service/lacking.ts';
import { signedInFor } from './service/session.ts';
import { elapsed } from './service/time.ts';

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  /** Being loaded or reloaded. */
  readonly busy: boolean;
  reload(): void;
}

/** Caches what was loaded, so that Back shows it at once; the oldest goes first. */
const cached = new Map<string, unknown>();
const MAX_CACHED = 40;

function cache(key: string, value: unknown): void {
  cached.delete(key);
  cached.set(key, value);
  const [oldest] = cached.keys();
  if (cached.size > MAX_CACHED && oldest !== undefined) cached.delete(oldest);
}

/** What is not there needs no other try. */
export function isGone(error: unknown): boolean {
  return isRefusal(error) && (error.status === 404 || error.status === 410);
}

/** A request that parts of the page share: it ends with the last of them. */
interface Shared {
  readonly answer: Promise<unknown>;
  readonly ended: AbortController;
  readonly begun: number;
  parts: number;
}

const shared = new Map<string, Shared>();
/** A part that begins so soon after an answer takes it, too. */
const TOGETHER_MS = 1_000;

/** `alone`: what is there already is not enough. Gives the answer, and what is called when a part needs it no more. */
function askTogether<T>(key: string, alone: boolean, load: (signal: AbortSignal) => Promise<T>) {
  const before = shared.get(key);
  const isFresh = before !== undefined && before.begun > lastChanged();
  const one = !alone && isFresh ? before : begin(key, load);
  one.parts += 1;
  return {
    answer: one.answer as Promise<T>,
    leave(): void {
      one.parts -= 1;
      // Another part may begin before this is over.
      setTimeout(() => {
        if (one.parts === 0) one.ended.abort();
      });
    },
  };
}

function begin(key: string, load: (signal: AbortSignal) => Promise<unknown>): Shared {
  const ended = new AbortController();
  const answer = signedInFor(() => load(ended.signal));
  const one: Shared = { answer, ended, begun: elapsed(), parts: 0 };
  const forget = (): void => {
    if (shared.get(key) === one) shared.delete(key);
  };
  shared.set(key, one);
  // Nobody shares a request that failed or was given up.
  answer.then(() => setTimeout(forget, TOGETHER_MS), forget);
  ended.signal.addEventListener('abort', forget);
  return one;
}

type State<T> = Omit<Loaded<T>, 'reload'> & { readonly key: string };

/** `key`: what is loaded, in words; another key loads other things. `undefined`: nothing yet. */
export function useLoad<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): Loaded<T> {
  const [state, setState] = useState<State<T>>(() => ({
    key: key ?? '',
    value: key === undefined ? undefined : (cached.get(key) as T | undefined),
    error: undefined,
    busy: key !== undefined,
  }));
  const [round, setRound] = useState(0);
  const corrected = corrections.value;
  const began = useRef<string>(undefined);
  const loading = useRef(load);
  loading.current = load;

  // Not after the paint: the answer may be there already.
  useLayoutEffect(() => {
    if (key === undefined) return;
    let isOver = false;
    // Who loads again wants what is so now.
    const isAgain = began.current === key;
    began.current = key;
    const { answer, leave } = askTogether(key, isAgain, (signal) => loading.current(signal));
    setState((before) => ({
      key,
      value: (cached.get(key) as T | undefined) ?? before.value,
      error: undefined,
      busy: true,
    }));
    answer.then(
      (value) => {
        if (isOver) return;
        cache(key, value);
        setState({ key, value, error: undefined, busy: false });
      },
      (error: unknown) => {
        if (isOver) return;
        // What is no longer there is cached nowhere.
        if (isGone(error)) cached.delete(key);
        setState((before) => ({
          ...before,
          value: isGone(error) ? undefined : before.value,
          error,
          busy: false,
        }));
        if (!isRefusal(error)) console.error(error);
      },
    );
    return () => {
      isOver = true;
      leave();
    };
  }, [key, round, corrected]);

  const reload = useCallback(() => setRound((before) => before + 1), []);
  const { error } = state;
  // After what shows it is there.
  useEffect(
    () => (error === undefined || isGone(error) ? undefined : lack({ error, reload })),
    [error],
  );
  return { ...state, reload };
}

/** Loads a record with what it belongs to; nothing while one of both is not known. */
export function useRecord(resource: DescribedResource | undefined, id: string | undefined) {
  return useLoad(resource && id && `${resource.path}/${id}`, (signal) => {
    const expand = resource ? shownWith(resource) : [];
    return recordsOf(resource?.path ?? '').retrieve(id ?? '', { signal, expand });
  });
}

/** Loads again when `round` changes, but not as it begins. */
export function useAgain(round: unknown, reload: () => void): void {
  const last = useRef(round);
  useEffect(() => {
    const before = last.current;
    last.current = round;
    if (before !== undefined && before !== round) reload();
  }, [round, reload]);
}
