/** Asks for what the file does not say. */

import says from 'messages:imports';
import texts from 'messages:page';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Question } from './service.ts';

interface AskProps {
  readonly question: Question;
  readonly onChoose: (choice: string) => void;
  readonly onLeave: () => void;
}

export function Ask({ question, onChoose, onLeave }: AskProps): JSX.Element {
  const { about, choices } = question;
  const [choice, setChoice] = useState(choices[0] ?? '');
  return (
    <form
      class="import-ask"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(choice);
      }}
    >
      <fieldset class="choice">
        <legend>{says.questions[about]}</legend>
        {choices.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={about}
              checked={one === choice}
              onChange={() => setChoice(one)}
            />
            {about === 'delimiter' ? (says.delimiters[one] ?? one) : one}
          </label>
        ))}
      </fieldset>
      <footer class="actions">
        <button type="submit" class="main">
          {says.go}
        </button>
        <button type="button" class="plain" onClick={onLeave}>
          {texts.cancel}
        </button>
      </footer>
    </form>
  );
}
