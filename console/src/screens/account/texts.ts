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
