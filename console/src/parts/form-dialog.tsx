/** A form in a dialog, which asks before what was typed is lost. */
import type { JSX } from 'preact';
import { Cancel, Dialog } from './dialog.tsx';
import { FormBody, type FormProps, useForm } from './form.tsx';

export interface FormDialogProps<Values, Answer> extends FormProps<Values, Answer> {
  readonly title: string;
  readonly wide?: boolean;
  readonly onClose: () => void;
}

/** What a dialog asks, apart from what follows. */
export type Question<Values, Answer> = Omit<FormDialogProps<Values, Answer>, 'onClose' | 'onDone'>;

/** Checks the fields of a question by what they begin with. */
export function question<Values extends object, Answer>(
  of: Question<Values, Answer>,
): Question<Values, Answer> {
  return of;
}

export function FormDialog<Values extends object, Answer>(
  props: FormDialogProps<Values, Answer>,
): JSX.Element {
  const { title, wide = false, onClose } = props;
  const form = useForm(props);
  return (
    <Dialog title={title} onClose={onClose} wide={wide} filled={form.isFilled}>
      <FormBody {...props} form={form} cancel={<Cancel />} />
    </Dialog>
  );
}
