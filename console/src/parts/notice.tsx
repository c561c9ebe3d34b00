/** Says that something was done: for a few seconds; where there is something to read or to take back, until it is closed. */
import { effect, signal } from '@preact/signals';
import { page as texts } from 'messages';
import { useLayoutEffect, useState } from 'preact/hooks';
import { moved } from '../router.ts';
import { elapsed } from '../service/time.ts';
import { IconButton } from './button.tsx';
import { told } from './told.ts';

interface Said {
  readonly text: string;
  /** Below the text: stays until it is closed. */
  readonly more?: readonly string[];
  readonly undo?: () => void;
  /** What else can be done about it. */
  readonly act?: { readonly label: string; readonly run: () => void };
}

const said = signal<Said | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

const READ_MS = 4_000;
/** On another screen, what was done so long ago is over. */
const OVER_MS = 20_000;
let saidAt = 0;

export function say(text: string, also: Omit<Said, 'text'> = {}): void {
  said.value = { text, ...also };
  lately = undefined;
  clearTimeout(timer);
  timer = undefined;
  saidAt = elapsed();
  if (Object.keys(also).length === 0) timer = setTimeout(close, READ_MS);
}

effect(() => {
  const isOver = moved.value === 'path' && elapsed() - saidAt > OVER_MS;
  if (isOver && said.peek()?.undo !== undefined) close();
});

/** Takes back what was done last; `false`: there is nothing. */
export function undoLast(): boolean {
  const undo = said.value?.undo;
  if (undo === undefined) return false;
  close();
  undo();
  return true;
}

export function close(): void {
  said.value = undefined;
  lately = undefined;
}

/** What was done last, and can still be taken back. */
let lately: { readonly kind: string; readonly all: readonly string[] } | undefined;

interface TakenBack {
  /** The kind of action. Undo covers only the last actions of one kind. */
  readonly kind: string;
  readonly one: string;
  readonly text: (count: number) => string;
  readonly undo: (all: readonly string[]) => void;
}

/** Says that one more was done: as long as it is shown, one Undo takes all of them back. */
export function sayOneMore({ kind, one, text, undo }: TakenBack): void {
  const all = [...(lately?.kind === kind ? lately.all : []), one];
  say(text(all.length), { undo: () => undo(all) });
  lately = { kind, all };
}

/** The dialogs that are open, the one in front last: nothing behind it can be reached, nor is it read aloud. */
const open = signal<readonly object[]>([]);

/** Where notices stand: on the page, and in each dialog, which has them while it is in front. */
export function Notice({ inDialog = false }: { readonly inDialog?: boolean }): JSX.Element | null {
  const [own] = useState(() => ({}));
  useLayoutEffect(() => {
    if (!inDialog) return;
    open.value = [...open.peek(), own];
    return () => {
      open.value = open.peek().filter((one) => one !== own);
    };
  }, []);
  if (open.value.at(-1) !== (inDialog ? own : undefined)) return null;
  return <Said />;
}

function Said(): JSX.Element {
  const { text, more = [], undo, act } = said.value ?? {};
  return (
    <>
      <p class="unseen" role="status">
        {told.value !== '' && <span key={told.value}>{told.value}</span>}
      </p>
      <div class="notice" role="status" aria-live="polite">
        {text !== undefined && (
          <div>
            <p>{text}</p>
            {undo !== undefined && (
              <button
                type="button"
                class="plain link"
                aria-keyshortcuts="Control+Z"
                onClick={undoLast}
              >
                {texts.undo} <kbd class="by-keys">Ctrl Z</kbd>
              </button>
            )}
            {act !== undefined && (
              <button
                type="button"
                class="plain link"
                onClick={() => {
                  close();
                  act.run();
                }}
              >
                {act.label}
              </button>
            )}
            {more.length > 0 && (
              <ul>
                {more.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
            {timer === undefined && (
              <IconButton class="plain" icon="close" label={texts.close} onClick={close} />
            )}
          </div>
        )}
      </div>
    </>
  );
}
