/** The sessions of a person; each can be ended. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { StaffSession } from '../../generated/objects.ts';
import { useAct } from '../../parts/act.ts';
import { Fault } from '../../parts/fault.tsx';
import { type Question, Sure } from '../../parts/sure.tsx';
import { ask as send } from '../../service/api.ts';
import { browserName } from '../../values/browser-name.ts';
import { agoText } from '../../values/format.ts';
import { asks, says } from './texts.ts';

export type SessionEntry = StaffSession & { readonly current: boolean };

interface SessionsProps {
  readonly sessions: readonly SessionEntry[];
  readonly onChanged: () => void;
}

export function Sessions({ sessions, onChanged }: SessionsProps): JSX.Element {
  const [question, setQuestion] = useState<Question>();
  const act = useAct();
  const end = async (request: () => Promise<unknown>): Promise<void> => {
    if ((await act.run(request)) === undefined) return;
    setQuestion(undefined);
    onChanged();
  };
  const ask = (title: string, hint: string, request: () => Promise<unknown>): void =>
    setQuestion({ title, hint, submit: says.end, danger: true, run: () => end(request) });
  return (
    <section aria-label={says.sessions}>
      <h2>{says.sessions}</h2>
      {question === undefined && <Fault says={act.fault} />}
      <Sure question={question} act={act} onClose={() => setQuestion(undefined)} />
      <ul class="entries">
        {sessions.map((entry) => {
          const { unique_identifier: id, current, seen_at, address, method } = entry;
          const browser = entry.browser === null ? says.unknownBrowser : browserName(entry.browser);
          return (
            <li key={id}>
              <span>
                <strong>{browser}</strong>
                <small>
                  {[says.methods[method], address, current ? says.here : agoText(seen_at)]
                    .filter((one) => one !== null && one !== undefined)
                    .join(' · ')}
                </small>
              </span>
              {!current && (
                <button
                  type="button"
                  class="plain danger"
                  disabled={act.busy}
                  aria-label={`${says.end}: ${browser}`}
                  onClick={() =>
                    ask(asks.endSure(browser), asks.endHint, () =>
                      send('DELETE', `/account/sessions/${id}`),
                    )
                  }
                >
                  {says.end}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <button
          type="button"
          disabled={act.busy}
          onClick={() =>
            ask(asks.endOthersSure, asks.endOthersHint, () =>
              send('POST', '/account/sessions/end_others', {}),
            )
          }
        >
          {says.endOthers}
        </button>
      )}
    </section>
  );
}
