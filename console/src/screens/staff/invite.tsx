/** Invites a person. No mail is sent: the link is handed over. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAct } from '../../parts/act.ts';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { ask } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { texts } from '../../texts.ts';
import { type Grant, GrantFields, sentGrant } from './grant.tsx';
import { says } from './texts.ts';

interface InviteProps {
  readonly onClose: () => void;
  readonly onInvited: (link: string) => void;
}

export function Invite({ onClose, onInvited }: InviteProps): JSX.Element {
  const accounts = session.value?.accounts ?? [];
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [grant, setGrant] = useState<Grant>(() => ({
    role: 'editor',
    accounts: accounts.map(({ unique_identifier }) => unique_identifier),
    locations: undefined,
    region: null,
  }));
  const sent = sentGrant(grant);
  const act = useAct();
  const invite = async (): Promise<void> => {
    const answer = await act.run(() =>
      ask<{ link: string }>('POST', '/staff/invite', {
        email: email.trim(),
        ...sent,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
      }),
    );
    if (answer !== undefined) onInvited(answer.link);
  };
  return (
    <Dialog title={says.invite} onClose={onClose} filled={`${email}${name}`.trim() !== ''}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void invite();
        }}
      >
        <Fault says={act.fault} />
        <label>
          {texts.signIn.email}
          <input
            type="email"
            required
            autocomplete="off"
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
          />
        </label>
        <label>
          {says.name}
          <input
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <GrantFields grant={grant} onChange={setGrant} />
        <footer>
          <Cancel />
          <button type="submit" class="main" disabled={act.busy || sent === undefined}>
            {says.invite}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
