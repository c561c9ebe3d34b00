/** Says that something was done: for a few seconds, or longer where there is something to read or to take back. */
import { signal } from '@preact/signals';
import { page as texts } from 'messages';
import { Button, IconButton } from './button.tsx';

interface Said {
  readonly text: string;
  /** Below the text: stays until it is closed. */
  readonly more?: readonly string[];
  readonly undo?: () => void;
}

const said = signal<Said | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

const READ_MS = 4_000;
const UNDO_MS = 20_000;

export function say(text: string, also: Omit<Said, 'text'> = {}): void {
  said.value = { text, ...also };
  clearTimeout(timer);
  if (also.more === undefined)
    timer = setTimeout(close, also.undo === undefined ? READ_MS : UNDO_MS);
}

function close(): void {
  said.value = undefined;
}

export function Notice(): JSX.Element {
  const { text, more = [], undo } = said.value ?? {};
  return (
    <div class="notice" role="status" aria-live="polite">
      {text !== undefined && (
        <div>
          <p>{text}</p>
          {undo !== undefined && (
            <Button
              class="plain link"
              label={texts.undo}
              onClick={() => {
                close();
                undo();
              }}
            />
          )}
          {more.length > 0 && (
            <>
              <ul>
                {more.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              <IconButton class="plain" icon="close" label={texts.close} onClick={close} />
            </>
          )}
        </div>
      )}
    </div>
  );
}
