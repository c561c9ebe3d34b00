/** What password managers read and write: they keep the right name, and what they put in is read when it is sent. */
import { useRef } from 'preact/hooks';

/** Whose password it is. Managers read no hidden input, but one that is only not seen. */
export function UserName({ email }: { readonly email: string | undefined }): JSX.Element {
  return (
    <span class="unseen" aria-hidden="true">
      <input
        type="email"
        name="email"
        autocomplete="username"
        tabIndex={-1}
        readOnly
        value={email ?? ''}
      />
    </span>
  );
}

/** Sends a form when it has heard what was put into it without an event. */
export function useHeard(send: () => void): (form: HTMLFormElement) => void {
  const now = useRef(send);
  now.current = send;
  return (form) => {
    const filled = [...form.querySelectorAll('input[autocomplete]:not([autocomplete=off])')];
    for (const one of filled) one.dispatchEvent(new Event('input', { bubbles: true }));
    // What was heard is there once it is drawn.
    if (filled.length === 0) send();
    else setTimeout(() => now.current());
  };
}
