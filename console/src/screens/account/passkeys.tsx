/** The passkeys of the signed-in person. */

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Passkey } from '../../generated/objects.ts';
import { useAct } from '../../parts/act.ts';
import { Fault } from '../../parts/fault.tsx';
import { type Question, Sure } from '../../parts/sure.tsx';
import { ask } from '../../service/api.ts';
import { texts } from '../../texts.ts';
import { momentText } from '../../values/format.ts';
import { create, hasPasskeys } from '../entry/passkey.ts';
import { says as invitation } from '../entry/texts.ts';
import { asks, says } from './texts.ts';

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly onChanged: () => void;
}

export function Passkeys({ passkeys, onChanged }: PasskeysProps): JSX.Element {
  const [question, setQuestion] = useState<Question>();
  const act = useAct();
  const add = async (): Promise<void> => {
    const made = await act.run(async () => {
      const proof = await create('/account/passkeys/begin', {});
      return ask('POST', '/account/passkeys', { ...proof });
    });
    if (made !== undefined) onChanged();
  };
  const remove = async (id: string): Promise<void> => {
    const removed = await act.run(() => ask('DELETE', `/account/passkeys/${id}`));
    if (removed === undefined) return;
    setQuestion(undefined);
    onChanged();
  };
  return (
    <section aria-label={says.passkeys}>
      <h2>{says.passkeys}</h2>
      <p class="hint">{invitation.passkeyHint}</p>
      {question === undefined && <Fault says={act.fault} />}
      <Sure question={question} act={act} onClose={() => setQuestion(undefined)} />
      <ul class="entries">
        {passkeys.map(({ unique_identifier: id, name, inserted_at, last_used_at }) => (
          <li key={id}>
            <span>
              <strong>{name ?? says.passkey}</strong>
              <small>
                {says.made(momentText(inserted_at))}
                {last_used_at !== null && ` · ${says.used(momentText(last_used_at))}`}
              </small>
            </span>
            <button
              type="button"
              class="plain danger"
              disabled={act.busy}
              aria-label={`${texts.record.remove}: ${name ?? says.passkey}`}
              onClick={() =>
                setQuestion({
                  title: asks.removeSure(name ?? ''),
                  hint: asks.removeHint,
                  submit: texts.record.remove,
                  danger: true,
                  run: () => remove(id),
                })
              }
            >
              {texts.record.remove}
            </button>
          </li>
        ))}
      </ul>
      {hasPasskeys() && (
        <button type="button" disabled={act.busy} onClick={() => void add()}>
          {invitation.passkey}
        </button>
      )}
    </section>
  );
}
