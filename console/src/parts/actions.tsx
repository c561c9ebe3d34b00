/** Does what a person may do with what a screen shows: at once, or after a question. */
import { useState } from 'preact/hooks';
import { useAct } from './act.ts';
import { FormDialog, type FormProps, type Question } from './form.tsx';
import { Fault } from './loading.tsx';

interface Actions {
  readonly busy: boolean;
  /** Why what was done at once was refused. */
  readonly fault: JSX.Element | false;
  /** The dialog that is open. */
  readonly dialog: JSX.Element | undefined;
  perform<T>(request: () => Promise<T>, onDone: (answer: T) => void): Promise<void>;
  ask<Values extends object, Answer, Found>(
    question: Question<Values, Answer, Found> & Pick<FormProps<Values, Answer>, 'onDone'>,
  ): void;
  open(dialog: (close: () => void) => JSX.Element): void;
}

export function useActions(): Actions {
  const act = useAct();
  const [dialog, setDialog] = useState<JSX.Element>();
  const close = (): void => setDialog(undefined);
  return {
    busy: act.busy,
    fault: dialog === undefined && <Fault says={act.fault} />,
    dialog,
    async perform(request, onDone) {
      const answer = await act.run(request);
      if (answer !== undefined) onDone(answer);
    },
    ask: (question) =>
      setDialog(
        <FormDialog
          {...question}
          onClose={close}
          onDone={(answer) => {
            close();
            question.onDone(answer);
          }}
        />,
      ),
    open: (show) => setDialog(show(close)),
  };
}
