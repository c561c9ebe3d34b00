/** Something that a person does on a screen: while it is under way, and what was wrong with it. */
import { useState } from 'preact/hooks';
import { signedInFor } from '../session.ts';
import { sentenceOf } from './failure.tsx';

export interface Act {
  readonly busy: boolean;
  readonly fault: string | undefined;
  /** Runs a request, and gives what it was answered; `undefined` where it failed or was given up. */
  run<T>(request: () => Promise<T>): Promise<T | undefined>;
}

export function useAct(): Act {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  return {
    busy,
    fault,
    async run(request) {
      setBusy(true);
      setFault(undefined);
      try {
        return await signedInFor(request);
      } catch (error) {
        // Whoever does not confirm that it is them has changed their mind, or has no passkey at hand.
        if (!(error instanceof DOMException)) setFault(sentenceOf(error));
        return undefined;
      } finally {
        setBusy(false);
      }
    },
  };
}
