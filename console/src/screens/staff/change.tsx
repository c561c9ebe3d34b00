/** Changes what a colleague may do, and where. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAct } from '../../parts/act.ts';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { ask } from '../../service/api.ts';
import type { Staff } from '../../service/session.ts';
import { texts } from '../../texts.ts';
import { type Grant, GrantFields, sentGrant } from './grant.tsx';
import { asks } from './texts.ts';

interface ChangeProps {
  readonly staff: Staff;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function ChangeGrant({ staff, onClose, onChanged }: ChangeProps): JSX.Element {
  const [grant, setGrant] = useState<Grant>(staff);
  const act = useAct();
  const sent = sentGrant(grant);
  const save = async (): Promise<void> => {
    const path = `/staff/${staff.unique_identifier}/grant`;
    if ((await act.run(() => ask('POST', path, sent))) !== undefined) onChanged();
  };
  return (
    <Dialog
      title={asks.change(staff.name ?? staff.email)}
      onClose={onClose}
      filled={grant !== staff}
    >
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Fault says={act.fault} />
        <GrantFields grant={grant} onChange={setGrant} />
        <footer>
          <Cancel />
          <button type="submit" class="main" disabled={act.busy || sent === undefined}>
            {texts.save}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
