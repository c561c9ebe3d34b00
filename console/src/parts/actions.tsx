/** Does what a person may do with what a screen shows: at once, or after a question. */
import { page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { useAct } from './act.ts';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';
import { FormDialog, type FormProps, type Question } from './form.tsx';
import { Fault } from './loading.tsx';

interface Actions {
  readonly busy: boolean;
  /** Why what was done at once was refused. */
  readonly fault: JSX.Element | false;
  readonly dialog: JSX.Element | undefined;
  perform<T>(request: () => Promise<T>, onDone: (answer: T) => void): Promise<void>;
  ask<Values extends object, Answer, Found>(
    question: Question<Values, Answer, Found> & Pick<FormProps<Values, Answer>, 'onDone'>,
  ): void;
  /** Shows a secret; `onClose`: what follows. */
  once(secret: Omit<OnceProps, 'onClose'>, onClose?: () => void): void;
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
    once: (secret, onClose = close) => setDialog(<Once {...secret} onClose={onClose} />),
    open: (show) => setDialog(show(close)),
  };
}

interface OnceProps {
  readonly title: string;
  readonly hint: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A secret that is shown once: to copy now, or never. */
function Once({ title, hint, secret, onClose }: OnceProps): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{hint}</p>
      <p class="once">
        <code>{secret}</code>
        <Copy text={secret} />
      </p>
      <footer>
        <Button class="main" label={texts.done} onClick={onClose} />
      </footer>
    </Dialog>
  );
}
