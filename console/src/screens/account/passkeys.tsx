/** The passkeys of the signed-in person. */

import { entry as invitation, account as says, page as texts } from 'messages';
import type { Passkey } from '../../generated/objects.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { ask as send } from '../../service/api.ts';
import { momentText } from '../../values/format.ts';
import { create, hasPasskeys } from '../entry/passkey.ts';

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  readonly onChanged: () => void;
}

export function Passkeys({ passkeys, onChanged }: PasskeysProps): JSX.Element {
  const { busy, fault, dialog, perform, ask } = useActions();
  const add = (): Promise<void> =>
    perform(async () => {
      const proof = await create('/account/passkeys/begin', {});
      return send('POST', '/account/passkeys', { ...proof });
    }, onChanged);
  return (
    <section aria-label={says.passkeys}>
      <h2>{says.passkeys}</h2>
      <p class="hint">{invitation.passkeyHint}</p>
      {fault}
      {dialog}
      <ul class="entries">
        {passkeys.map(({ unique_identifier: id, name, inserted_at, last_used_at }) => (
          <li key={id}>
            <span>
              <strong>{name ?? says.methods.passkey}</strong>
              <small>
                {says.made(momentText(inserted_at))}
                {last_used_at !== null && ` · ${says.used(momentText(last_used_at))}`}
              </small>
            </span>
            <Button
              label={texts.record.remove}
              of={name ?? says.methods.passkey}
              class="plain danger"
              disabled={busy}
              onClick={() =>
                ask({
                  title: says.asks.removeSure(name ?? ''),
                  hint: says.asks.removeHint,
                  submit: texts.record.remove,
                  danger: true,
                  send: () => send('DELETE', `/account/passkeys/${id}`),
                  onDone: onChanged,
                })
              }
            />
          </li>
        ))}
      </ul>
      {hasPasskeys() && (
        <Button label={invitation.passkey} disabled={busy} onClick={() => void add()} />
      )}
    </section>
  );
}
