/** A button that copies a text. */
import { page as texts } from 'messages';
import { useState } from 'preact/hooks';

export function Copy(props: { readonly text: string; readonly label?: string }): JSX.Element {
  const { text, label } = props;
  const [done, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <button type="button" class="plain copy" aria-label={label} onClick={copy}>
      {done ? texts.copied : texts.copy}
    </button>
  );
}
