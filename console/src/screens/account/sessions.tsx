/** Where somebody is signed in; each can be ended. */
import type { JSX } from 'preact';
import { ask } from '../../api.ts';
import { useAct } from '../../parts/act.ts';
import { Fault } from '../../parts/fault.tsx';
import { texts } from '../../texts.ts';
import { browserName } from '../../values/browser-name.ts';
import { agoText } from '../../values/format.ts';

const says = texts.account;

export interface SessionEntry {
  readonly unique_identifier: string;
  readonly current: boolean;
  readonly method: string;
  readonly seen_at: string;
  readonly address: string | null;
  readonly browser: string | null;
}

interface SessionsProps {
  readonly sessions: readonly SessionEntry[];
  readonly onChanged: () => void;
}

export function Sessions({ sessions, onChanged }: SessionsProps): JSX.Element {
  const act = useAct();
  const end = async (request: () => Promise<unknown>): Promise<void> => {
    if ((await act.run(request)) !== undefined) onChanged();
  };
  return (
    <section aria-label={says.sessions}>
      <h2>{says.sessions}</h2>
      <Fault says={act.fault} />
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
                  onClick={() => void end(() => ask('DELETE', `/account/sessions/${id}`))}
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
          onClick={() => void end(() => ask('POST', '/account/sessions/end_others', {}))}
        >
          {says.endOthers}
        </button>
      )}
    </section>
  );
}
