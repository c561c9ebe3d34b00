/** An action of a person on a screen: its progress and its faults. */
import { useState } from 'preact/hooks';
import type { Refusal } from '../refusals.ts';
import { isRefusal } from '../service/api.ts';
import { signedInFor } from '../service/session.ts';
import { sentenceOf } from './loading.tsx';

export interface Act {
  readonly busy: boolean;
  readonly fault: string | undefined;
  /** By their parameters, where the service names them. */
  readonly faults: Readonly<Record<string, Refusal>>;
  /** Runs a request, and gives what it was answered; `undefined` where it failed or was given up. */
  run<T>(request: () => Promise<T>): Promise<T | undefined>;
}

export function useAct(): Act {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  return {
    busy,
    fault: error === undefined ? undefined : sentenceOf(error),
    faults: faultsOf(error),
    async run(request) {
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

function faultsOf(error: unknown): Readonly<Record<string, Refusal>> {
  if (!isRefusal(error)) return {};
  return Object.fromEntries(
    error.errors.flatMap((one) => (one.param === undefined ? [] : [[one.param, one]])),
  );
}
