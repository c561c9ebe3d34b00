/** Texts about a person's own account. */
export const says = {
  name: 'Your name',
  passkeys: 'Passkeys',
  passkey: 'Passkey',
  made: (when: string): string => `created ${when}`,
  used: (when: string): string => `used ${when}`,
  hasPassword: 'A new password ends all your other sessions.',
  noPassword: 'You have no password.',
  newPassword: 'New password',
  passwordSaved: 'The password is changed. All other sessions have ended.',
  sessions: 'Where you are signed in',
  methods: {
    password: 'Password',
    passkey: 'Passkey',
    single_sign_on: 'Single sign-on',
  } as Readonly<Record<string, string>>,
  here: 'this browser',
  unknownBrowser: 'Unknown browser',
  end: 'End',
  endOthers: 'End all others',
} as const;

/** Confirmations before people end what is their own. */
export const asks = {
  endSure: (browser: string): string => `End the session in ${browser}?`,
  endHint:
    'That browser is signed out at once. What was typed there stays until somebody closes the page.',
  endOthersSure: 'End all other sessions?',
  endOthersHint: 'You are signed out everywhere but here.',
  removeSure: (name: string): string => `Remove the passkey ${name}?`,
  removeHint:
    'You can no longer sign in with it. This cannot be undone: create a new one to replace it.',
} as const;
