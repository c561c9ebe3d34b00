/** Does what a person may do with what a screen shows: at once, or after a question. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAct } from './act.ts';
import { Ask, type AskProps } from './ask.tsx';
import { Fault } from './fault.tsx';

interface Actions {
  readonly busy: boolean;
  /** Why what was done at once was refused. */
  readonly fault: JSX.Element | false;
  /** The question that is open. */
  readonly question: JSX.Element | undefined;
  perform<T>(request: () => Promise<T>, onDone: (answer: T) => void): Promise<void>;
  ask<Name extends string, Answer>(question: Omit<AskProps<Name, Answer>, 'onClose'>): void;
}

export function useActions(): Actions {
  const act = useAct();
  const [question, setQuestion] = useState<JSX.Element>();
  const close = (): void => setQuestion(undefined);
  return {
    busy: act.busy,
    fault: question === undefined && <Fault says={act.fault} />,
    question,
    async perform(request, onDone) {
      const answer = await act.run(request);
      if (answer !== undefined) onDone(answer);
    },
    ask: (asked) =>
      setQuestion(
        <Ask
          {...asked}
          onClose={close}
          onDone={(answer) => {
            close();
            asked.onDone(answer);
          }}
        />,
      ),
  };
}
