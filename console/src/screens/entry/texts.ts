/** Texts of an invitation. */
export const says = {
  title: 'Welcome',
  lead: (email: string): string => `You are invited as ${email}.`,
  from: (group: string, by: string | null): string =>
    by === null ? `To the records of ${group}.` : `${by} invites you to the records of ${group}.`,
  show: 'Show the password',
  name: 'Your name',
  passkey: 'Create a passkey',
  passkeyHint: 'Sign in with your fingerprint, face or screen lock. Nothing to remember.',
  password: 'Choose a password instead',
  passwordHint: 'At least 15 characters. A sentence works well.',
  submit: 'Create the account',
  onlyPasskey: 'Administrators sign in with a passkey.',
} as const;
