/** Does what a person may do with what a screen shows: at once, or after a question. */
import { entry, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { useAct } from './act.ts';
import { Button, Copy } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { FormDialog, type FormProps, type Question } from './form.tsx';
import { Fault } from './loading.tsx';
import { say } from './notice.tsx';

/** What a dialog asks, what is said once it is done, and what follows. */
type Asking<Values, Answer, Found> = Question<Values, Answer, Found> &
  Pick<FormProps<Values, Answer>, 'onDone'> & { readonly said?: string };

export function useActions() {
  const act = useAct();
  const [dialog, setDialog] = useState<JSX.Element>();
  const close = (): void => setDialog(undefined);
  return {
    busy: act.busy,
    /** Why what was done at once was refused. */
    fault: dialog === undefined && <Fault says={act.fault} />,
    dialog,
    /** Gives whether it was done. */
    async perform<T>(request: () => Promise<T>, onDone: (answer: T) => void): Promise<boolean> {
      const answer = await act.run(request);
      if (answer !== undefined) onDone(answer);
      return answer !== undefined;
    },
    ask<Values extends object, Answer, Found>(dialog: Asking<Values, Answer, Found>): void {
      const { said, ...question } = dialog;
      const onDone = (answer: Answer): void => {
        close();
        if (said !== undefined) say(said);
        question.onDone(answer);
      };
      setDialog(<FormDialog {...question} onClose={close} onDone={onDone} />);
    },
    /** Shows a secret; `onClose`: what follows. */
    once: (secret: Omit<OnceProps, 'onClose'>, onClose = close) =>
      setDialog(<Once {...secret} onClose={onClose} />),
    open: (show: (close: () => void) => JSX.Element) => setDialog(show(close)),
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
  const sure = { title: entry.onceSure, stay: texts.cancel, leave: texts.close };
  return (
    <Dialog title={title} onClose={onClose} filled sure={sure}>
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
