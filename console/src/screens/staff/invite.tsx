/** Invites a person. No mail is sent: the link is handed over. */

import texts from 'messages:page';
import says from 'messages:staff';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Ask } from '../../parts/ask.tsx';
import { ask } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { type Grant, GrantFields, sentGrant } from './grant.tsx';

interface InviteProps {
  readonly onClose: () => void;
  readonly onInvited: (link: string) => void;
}

export function Invite({ onClose, onInvited }: InviteProps): JSX.Element {
  const [grant, setGrant] = useState<Grant>(() => ({
    role: 'editor',
    accounts: (session.value?.accounts ?? []).map(({ unique_identifier }) => unique_identifier),
    locations: undefined,
    region: null,
  }));
  const sent = sentGrant(grant);
  return (
    <Ask
      title={says.invite}
      submit={says.invite}
      begin={{ email: '', name: '' }}
      fields={() => ({
        email: { label: texts.signIn.email, of: 'email', needed: true },
        name: { label: says.name },
      })}
      more={<GrantFields grant={grant} onChange={setGrant} />}
      ready={sent !== undefined}
      send={({ email, name }) =>
        ask<{ link: string }>('POST', '/staff/invite', {
          email,
          ...sent,
          ...(name === '' ? {} : { name }),
        })
      }
      onDone={({ link }) => onInvited(link)}
      onClose={onClose}
    />
  );
}
