/** Texts of the screen of colleagues. */
export const says = {
  about: 'People who may sign in here.',
  name: 'Name',
  role: 'Role',
  roles: { viewer: 'Viewer', editor: 'Editor', administrator: 'Administrator' },
  roleHints: {
    viewer: 'sees records',
    editor: 'also corrects and removes them',
    administrator: 'also manages keys and people',
  },
  statuses: { invited: 'Invited', active: 'Active', disabled: 'Disabled' },
  lastIn: 'Last sign-in',
  you: 'You',
  invite: 'Invite a person',
  doings: {
    change: 'Change role and locations',
    invite: 'New invitation',
    disable: 'Disable',
    enable: 'Enable',
    remove: 'Remove',
    end_sessions: 'Sign out',
  },
  done: {
    change: 'Changed. It applies at once.',
    disable: 'Disabled, and signed out everywhere.',
    enable: 'Enabled.',
    remove: 'Removed. What they changed stays, as by a former colleague.',
    end_sessions: 'Signed out everywhere.',
  } as Readonly<Record<string, string>>,
  link: 'The invitation',
  linkHint: 'Send this link to the person. It works once, within 48 hours, and is not shown again.',
} as const;

/** Confirmations before a colleague loses something. */
export const asks = {
  change: (name: string): string => `What ${name} may do`,
  sure: {
    invite: (name: string): string => `New invitation for ${name}?`,
    disable: (name: string): string => `Disable ${name}?`,
    end_sessions: (name: string): string => `Sign out ${name}?`,
    remove: (name: string): string => `Remove ${name}?`,
  },
  hints: {
    invite:
      'Their password and passkeys stop working, and they are signed out everywhere. They sign in again only with the new invitation.',
    invited: 'The invitation that they have stops working.',
    disable:
      'They are signed out everywhere and cannot sign in until you enable them again. Their password and passkeys are kept.',
    end_sessions: 'They are signed out everywhere, and can sign in again.',
    remove:
      'Their name, email, password and passkeys are deleted. This cannot be undone: to let them in again, invite them.',
  },
} as const;
