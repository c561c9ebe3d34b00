/** Loads what a screen shows. While it is reloaded, the old content stays. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { corrections } from './clock.ts';
import { type DescribedResource, shownWith } from './records/description.ts';
import { isRefusal, recordsOf } from './service/api.ts';
import { lack } from './service/lacking.ts';
import { signedInFor } from './service/session.ts';

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
  const loading = useRef(load);
  loading.current = load;

  // Not after the paint: the answer may be there already.
  useLayoutEffect(() => {
    if (key === undefined) return;
    const ended = new AbortController();
    setState((before) => ({
      key,
      value: (cached.get(key) as T | undefined) ?? before.value,
      error: undefined,
      busy: true,
    }));
    signedInFor(() => loading.current(ended.signal)).then(
      (value) => {
        if (ended.signal.aborted) return;
        cache(key, value);
        setState({ key, value, error: undefined, busy: false });
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
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
    return () => ended.abort();
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
