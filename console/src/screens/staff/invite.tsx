/** Invites a person. No mail is sent: the link is handed over. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { useAct } from '../../parts/act.ts';
import { Checks } from '../../parts/checks.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { LocationChecks } from '../../parts/location-checks.tsx';
import { session } from '../../session.ts';
import { texts } from '../../texts.ts';

const says = texts.staff;
const ROLES = ['viewer', 'editor', 'administrator'] as const;

interface InviteProps {
  readonly onClose: () => void;
  readonly onInvited: (link: string) => void;
}

export function Invite({ onClose, onInvited }: InviteProps): JSX.Element {
  const accounts = session.value?.accounts ?? [];
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<string>('editor');
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    accounts.map(({ unique_identifier }) => unique_identifier),
  );
  const [locations, setLocations] = useState<readonly string[]>([]);
  const act = useAct();
  const invite = async (): Promise<void> => {
    const answer = await act.run(() =>
      ask<{ link: string }>('POST', '/staff/invite', {
        email: email.trim(),
        role,
        accounts: chosen,
        locations: role === 'administrator' || locations.length === 0 ? null : locations,
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
        <fieldset class="checks">
          <legend>{says.role}</legend>
          {ROLES.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="role"
                checked={role === one}
                onChange={() => setRole(one)}
              />
              <span>
                {says.roles[one]} <small>{says.roleHints[one]}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {accounts.length > 1 && (
          <Checks
            legend={says.accounts}
            options={accounts.map(({ unique_identifier: id, name: one }) => [id, one] as const)}
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
        {role !== 'administrator' && <LocationChecks chosen={locations} onChoose={setLocations} />}
        <footer>
          <Cancel />
          <button type="submit" class="main" disabled={act.busy || chosen.length === 0}>
            {says.invite}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
