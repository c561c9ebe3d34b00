/** Changes what a colleague may do, and where. */

import texts from 'messages:page';
import says from 'messages:staff';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Ask } from '../../parts/ask.tsx';
import { ask } from '../../service/api.ts';
import type { Staff } from '../../service/session.ts';
import { type Grant, GrantFields, sentGrant } from './grant.tsx';

interface ChangeProps {
  readonly staff: Staff;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function ChangeGrant({ staff, onClose, onChanged }: ChangeProps): JSX.Element {
  const [grant, setGrant] = useState<Grant>(staff);
  const sent = sentGrant(grant);
  return (
    <Ask
      title={says.asks.change(staff.name ?? staff.email)}
      submit={texts.save}
      begin={{}}
      fields={() => ({})}
      more={<GrantFields grant={grant} onChange={setGrant} />}
      filled={grant !== staff}
      ready={sent !== undefined}
      send={() => ask('POST', `/staff/${staff.unique_identifier}/grant`, sent)}
      onDone={onChanged}
      onClose={onClose}
    />
  );
}
