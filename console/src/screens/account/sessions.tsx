/** The sessions of a person; each can be ended. */

import { account as says } from 'messages';
import type { StaffSession } from '../../generated/objects.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { ask as send } from '../../service/api.ts';
import { browserName } from '../../values/browser-name.ts';
import { agoText } from '../../values/format.ts';

export type SessionEntry = StaffSession & { readonly current: boolean };

interface SessionsProps {
  readonly sessions: readonly SessionEntry[];
  readonly onChanged: () => void;
}

export function Sessions({ sessions, onChanged }: SessionsProps): JSX.Element {
  const { dialog, ask: open } = useActions();
  const ask = (title: string, hint: string, request: () => Promise<unknown>): void =>
    open({ title, hint, submit: says.end, danger: true, send: request, onDone: onChanged });
  return (
    <section aria-label={says.sessions}>
      <h2>{says.sessions}</h2>
      {dialog}
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
                <Button
                  label={says.end}
                  of={browser}
                  class="plain danger"
                  onClick={() =>
                    ask(says.asks.endSure(browser), says.asks.endHint, () =>
                      send('DELETE', `/account/sessions/${id}`),
                    )
                  }
                />
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 && (
        <Button
          label={says.endOthers}
          onClick={() =>
            ask(says.asks.endOthersSure, says.asks.endOthersHint, () =>
              send('POST', '/account/sessions/end_others', {}),
            )
          }
        />
      )}
    </section>
  );
}
