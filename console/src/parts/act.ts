/** An action of a person on a screen: its progress and its faults. */
import { useState } from 'preact/hooks';
import type { Refusal } from '../refusals.ts';
import { isRefusal } from '../service/api.ts';
import { signedInFor } from '../service/session.ts';
import { sentenceOf } from './loading.tsx';

export function useAct() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  return {
    busy,
    fault: error === undefined ? undefined : sentenceOf(error),
    faults: faultsOf(error),
    /** Runs a request, and gives what it was answered; `undefined` where it failed or was given up. */
    async run<T>(request: () => Promise<T>): Promise<T | undefined> {
      setBusy(true);
      setError(undefined);
      try {
        return await signedInFor(request);
      } catch (refusal) {
        // A person who does not confirm has changed their mind, or has no passkey at hand.
        if (!(refusal instanceof DOMException)) setError(refusal);
        return undefined;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** By their parameters, where the service names them. */
function faultsOf(error: unknown): Readonly<Record<string, Refusal>> {
  if (!isRefusal(error)) return {};
  return Object.fromEntries(
    error.errors.flatMap((one) => (one.param === undefined ? [] : [[one.param, one]])),
  );
}
