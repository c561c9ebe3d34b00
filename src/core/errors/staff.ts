/** Errors of the console: of signing in, sessions, staff, keys and files. */

import { importErrors } from './imports.ts';
import { finer } from './invalid.ts';

const value = { status: 400 } as const;
const busy = { status: 429 } as const;
const later = { status: 503 } as const;
const denied = { status: 403 } as const;

const password = {
  ...value,
  message:
    'This password would be among the first that are guessed. Choose another one, such as four or five unrelated words.',
  hint: 'Choose at least 15 characters that nobody would guess, such as four or five unrelated words. No kind of character is required.',
} as const;

export const staffErrors = {
  sign_in_needed: {
    status: 401,
    message: 'You are not signed in, or your session has ended. Sign in.',
    hint: 'Sessions of the console end after an hour without a request, after 12 hours, and when someone ends them. API keys and cookies are never taken for each other.',
  },
  sign_in_failed: {
    status: 401,
    message:
      'That did not match. Check what you entered, or ask an administrator to invite you again.',
    hint: 'The answer is the same for an unknown email, a wrong password, a passkey that is not known here, and a person who is disabled.',
  },
  sign_in_limited: {
    status: 429,
    message: 'Too many sign-ins failed. Wait before you try again, or use a passkey.',
    hint: 'Retry after the seconds in `Retry-After`. From the fifth failure on, the wait for an email doubles up to 15 minutes; a network may fail 30 times in 15 minutes. Passkeys are not limited for an email.',
  },
  reauthentication_needed: {
    status: 403,
    message: 'Confirm that it is you: this needs a sign-in within the last 10 minutes.',
    hint: 'Keys, staff, passwords and passkeys are changed only within 10 minutes of a sign-in. Call `POST /console/api/reauthenticate` and repeat the request.',
  },
  invitation_invalid: {
    status: 410,
    message: 'This invitation was used, was replaced or has expired. Ask for a new one.',
    hint: 'An invitation is good for one use within 48 hours. A new one for the same person replaces it.',
  },
  ...importErrors,
  password_refused: password,
  ...finer('password_refused', password, {
    password_too_short: {
      message:
        'A password must have at least {least} characters, and this one has {has}. Four or five unrelated words make a good one.',
      values: { least: 15, has: 8 },
    },
    password_too_long: {
      message: 'A password may have at most {most} characters.',
      values: { most: 1_000 },
    },
  }),
  passkey_needed: {
    status: 403,
    message: 'You sign in with a passkey or single sign-on here, not with a password.',
    hint: 'Register a passkey with the invitation, or sign in by single sign-on. This holds for administrators.',
  },
  passkey_refused: {
    status: 400,
    message: 'The passkey could not be verified. Start again.',
    hint: 'A request to the browser is good for one answer within 5 minutes, at the address of this service.',
  },
  last_way_in: {
    status: 409,
    message: 'This is your only way to sign in. Add another passkey first.',
    hint: 'Register another passkey, or set a password, before you remove the last one.',
  },
  sign_in_insecure: {
    status: 403,
    message: 'People sign in over HTTPS only, or on this machine at localhost.',
    hint: 'Set `TLS_CERT` and `TLS_KEY`, or put a TLS proxy in front and set `PUBLIC_URL` to its https address.',
  },
  single_sign_on_failed: {
    status: 503,
    message: 'The provider of single sign-on does not answer. Try again, or sign in another way.',
    hint: 'Check that `OIDC_ISSUER` can be reached from the service and names the provider exactly as it names itself.',
  },
  sign_in_busy: {
    ...later,
    message: 'Too many people are signing in right now. Try again in a few seconds.',
    hint: 'Retry after the seconds in `Retry-After`.',
  },
  own_rights: {
    ...denied,
    message: 'You cannot change what you may do yourself. Ask another administrator.',
    hint: 'Another administrator of the account changes it.',
  },
  email_invalid: {
    ...value,
    message: 'The email must be an address such as director@example.com.',
    hint: 'Send one address, without a name.',
  },
  administrator_limited: {
    ...value,
    message:
      'An administrator works for whole accounts: leave the locations or the region out, or choose the role editor.',
    hint: 'Only editors and viewers are limited to locations.',
  },
  administrator_without_passkey: {
    ...value,
    message:
      'They sign in with a password alone, and administrators need a passkey: ask them to create one under "My account" first, or invite them again as administrator.',
    hint: 'Administrators sign in with a passkey or single sign-on.',
  },
  accounts_not_yours: {
    ...value,
    message: '{param} must be among those that you administer.',
    hint: 'The message names the accounts.',
  },
  accounts_mixed: {
    ...value,
    message: '{param} must be all live or all test: a key cannot be for both.',
    hint: 'Create a key for the live accounts, and another one for the test accounts.',
  },
  locations_elsewhere: {
    ...value,
    message: '{param} must be locations of these accounts, or null for all of them.',
    hint: 'The message names the first one that is not.',
  },
  rate_invalid: {
    ...value,
    message:
      '{param} must be a number of requests a second or a minute, such as 100/s or 6000/m, from 1/m to 1000000/s.',
    hint: 'A plain number means requests a second.',
  },
  network_invalid: {
    ...value,
    message: '{param} must be addresses and networks, such as 203.0.113.7 and 203.0.113.0/24.',
    hint: 'The message names the first one that is neither.',
  },
  time_past: {
    ...value,
    message: '{param} must be a time in the future with its offset, such as 2027-01-31T18:00:00Z.',
    hint: 'Leave it out for a key that does not expire.',
  },
  files_waiting: {
    ...busy,
    message: '{most} files of your account already wait to be read. Try again when one is done.',
    hint: 'Retry after the seconds in `Retry-After`.',
    values: { most: 4 },
  },
  exports_running: {
    ...busy,
    message:
      '{most} exports of your account are running, which is its limit. Try again when one has ended.',
    hint: 'Retry after the seconds in `Retry-After`.',
    values: { most: 2 },
  },
  export_too_long: {
    ...later,
    message:
      'The export was not done after {minutes} minutes. Export fewer records, or ask the operator for "ledgerstone export".',
    hint: 'Filter the list, or export one location at a time.',
    values: { minutes: 30 },
  },
  cross_site_refused: {
    status: 403,
    message:
      'This request does not come from the console. It must be sent by a page of this service, with the header "Ledgerstone-Console: 1".',
    hint: 'Only the console calls `/console/api`. Programs use `/v1` with an API key.',
  },
} as const;
