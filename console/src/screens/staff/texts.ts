/** What is asked before a colleague loses something. */
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
