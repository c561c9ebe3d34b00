/** What cannot be taken back is done only once a word is typed. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Act } from './act.ts';
import { Decide } from './decide.tsx';
import { Fault } from './fault.tsx';

interface TypedWordProps {
  readonly word: string;
  /** Asks for the word. */
  readonly label: string;
  readonly submit: string;
  readonly act: Act;
  readonly onDo: () => Promise<void>;
  readonly children: ComponentChildren;
}

export function TypedWord({
  word,
  label,
  submit,
  act,
  onDo,
  children,
}: TypedWordProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const isReady = typed.trim() === word && !act.busy;
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void onDo();
      }}
    >
      {children}
      <Fault says={act.fault} />
      <label>
        {label}
        <input
          value={typed}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <Decide submit={submit} danger disabled={!isReady} onSubmit={() => void onDo()} />
    </form>
  );
}
