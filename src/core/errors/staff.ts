/** Errors of the console: of signing in, sessions, staff, keys and exports. */
import {
  conflict,
  denied,
  finer,
  gone,
  invalid,
  limited,
  unauthenticated,
  unavailable,
} from './entry.ts';

const password = invalid(
  'This password would be among the first that are guessed. Choose another one, such as four or five unrelated words.',
  'Choose at least 15 characters that nobody would guess, such as four or five unrelated words. No kind of character is required.',
);

const signInLimited = limited(
  'Too many sign-ins with a password failed. Wait before you try again, or use a passkey.',
  'Retry after the seconds in `Retry-After`. Only what fails is counted. From the fifth wrong password on, the wait for an email doubles up to 15 minutes; in 15 minutes a network may fail 30 times with passwords, 120 times by single sign-on and 120 times with passkeys that are not known here, and a person may choose 30 passwords that are refused. A passkey that is known here always signs in, and browsers in which somebody has signed in before have counts of their own.',
);

export const staffErrors = {
  sign_in_needed: unauthenticated(
    'You are not signed in, or your session has ended. Sign in.',
    'Sessions of the console end after an hour without a request, after 12 hours, and when someone ends them. API keys and cookies are never taken for each other.',
  ),
  sign_in_failed: unauthenticated(
    'That did not match. Check what you entered, or ask an administrator to invite you again.',
    'The answer is the same for an unknown email, a wrong password, a passkey that is not known here, and a person who is disabled.',
  ),
  sign_in_limited: signInLimited,
  ...finer('sign_in_limited', signInLimited, {
    passkeys_limited:
      'Too many passkeys that nobody has here were tried from your network. Wait before you try again; a passkey that is known here always works.',
    single_sign_on_limited:
      'Too many sign-ins by single sign-on failed in your network. Wait a quarter of an hour, use a passkey or a password, or a browser with which you have signed in before.',
    new_passwords_limited:
      'Too many passwords were refused. Wait a quarter of an hour, and choose four or five unrelated words.',
    sign_ins_waiting:
      'Many people in your network are signing in with a password right now. Try again in a few seconds, or use a passkey.',
  }),
  signed_in_as_another: conflict(
    'Someone else has since signed in from this browser, so nothing was done. Sign in again to continue.',
    'A page of the console names its person in `Ledgerstone-Person`. Each request that names another person than the one whose session the browser has is refused, and does nothing.',
  ),
  reauthentication_needed: denied(
    'Confirm that it is you: this needs a sign-in within the last 10 minutes.',
    'Keys, staff, passwords and passkeys are changed only within 10 minutes of a sign-in. Call `POST /console/api/reauthenticate` and repeat the request.',
  ),
  confirmation_impossible: denied(
    'The provider of single sign-on does not confirm that you have just signed in there, and you have no passkey here to confirm with. Ask for a new invitation, and create a passkey with it.',
    'A provider that does not send `auth_time` cannot confirm who someone is. Whoever accepts an invitation by single sign-on has ten minutes to create a passkey, too.',
  ),
  invitation_incomplete: invalid(
    'This link is not complete. Open the whole link, or copy it again from where you received it.',
    'The token has 43 letters, digits, `-` and `_`. What follows is passed over.',
  ),
  invitation_invalid: gone(
    'This invitation was used, was replaced or has expired. Ask for a new one.',
    'An invitation is good once, within 48 hours, while who made it is an administrator. A new one replaces it.',
  ),
  password_refused: password,
  ...finer('password_refused', password, {
    password_too_short: [
      'A password must have at least {least} characters, and this one has {has}. Four or five unrelated words make a good one.',
      { least: 15, has: 8 },
    ],
    password_too_long: ['A password may have at most {most} characters.', { most: 1_000 }],
  }),
  passkey_needed: denied(
    'You sign in with a passkey or single sign-on here, not with a password.',
    'Register a passkey with the invitation, or sign in by single sign-on. This holds for administrators.',
  ),
  passkey_refused: invalid(
    'The passkey could not be verified. Start again.',
    'A request to the browser is good for one answer within 5 minutes, at the address of this service.',
  ),
  last_way_in: conflict(
    'This is your only way to sign in. Add another passkey first.',
    'Register another passkey, or set a password, before you remove the last one.',
  ),
  sign_in_insecure: denied(
    'People sign in over HTTPS only, or on this machine at localhost.',
    'Set `TLS_CERT` and `TLS_KEY`, or put a TLS proxy in front and set `PUBLIC_URL` to its https address.',
  ),
  sign_in_unfinished: unauthenticated(
    'This sign-in cannot be finished: it was begun in another browser or more than ten minutes ago, or it is finished already. Begin again.',
    'The answer of a provider of single sign-on is taken once, within ten minutes, from the browser that was sent there.',
  ),
  identity_of_another: denied(
    'At the provider of single sign-on, you signed in as someone else than here. Sign in there as the person who is signed in here.',
    'Whoever confirms who they are comes back from the provider as the same person.',
  ),
  identity_taken: conflict(
    'At the provider of single sign-on, you signed in as someone who signs in here already. Sign in with that, or accept the invitation with a passkey or a password.',
    'An identity at the provider belongs to one person here. Accept the invitation in another way, or ask the operator to give the accounts of both invitations to one person.',
  ),
  single_sign_on_refused: denied(
    'The provider of single sign-on did not let you in. Try again, or ask whoever manages it in your organization for access to this application.',
    'The person cancelled, or is not assigned to the application at the provider. The line `sign-in` of the log has what the provider said.',
  ),
  single_sign_on_unusable: unavailable(
    'Single sign-on does not work at present, and not because of you. Tell your operator, and sign in another way.',
    'The provider answers, and the service cannot use its answer: the secret has expired, the clocks differ, or the settings of one side are wrong. The line `sign-in` of the log says which, and `ledgerstone doctor` tries the secret.',
  ),
  single_sign_on_failed: unavailable(
    'The provider of single sign-on does not answer. Try again, or sign in another way.',
    'Check that `OIDC_ISSUER` can be reached from the service and names the provider exactly as it names itself.',
  ),
  sign_in_busy: unavailable(
    'Too many people are signing in right now. Try again in a few seconds.',
    'Retry after the seconds in `Retry-After`.',
  ),
  own_rights: denied(
    'You cannot change what you may do yourself. Ask another administrator.',
    'Another administrator of the account changes it.',
  ),
  email_invalid: invalid(
    'The email must be an address such as director@example.com.',
    'Send one address, without a name.',
  ),
  administrator_limited: invalid(
    'An administrator works for whole accounts: leave the locations or the region out, or choose the role editor.',
    'Only editors and viewers are limited to locations.',
  ),
  administrator_without_passkey: invalid(
    'They sign in with a password alone, and administrators need a passkey: ask them to create one under "My account" first, or invite them again as administrator.',
    'Administrators sign in with a passkey or single sign-on.',
  ),
  accounts_not_yours: invalid(
    '{param} must be among those that you administer.',
    'The message names the accounts.',
  ),
  accounts_mixed: invalid(
    '{param} must be all live or all test: a key cannot be for both.',
    'Create a key for the live accounts, and another one for the test accounts.',
  ),
  locations_elsewhere: invalid(
    '{param} must be locations of these accounts, or null for all of them.',
    'The message names the first one that is not.',
  ),
  rate_invalid: invalid(
    '{param} must be a number of requests a second or a minute, such as 100/s or 6000/m, from 1/m to 1000000/s.',
    'A plain number means requests a second.',
  ),
  network_invalid: invalid(
    '{param} must be addresses and networks, such as 203.0.113.7 and 203.0.113.0/24.',
    'The message names the first one that is neither.',
  ),
  time_past: invalid(
    '{param} must be a time in the future with its offset, such as 2027-01-31T18:00:00Z.',
    'Leave it out for a key that does not expire.',
  ),
  exports_running: limited(
    '{most} exports of your account are running, which is its limit. Try again when one has ended.',
    'Retry after the seconds in `Retry-After`.',
    { most: 2 },
  ),
  exports_full: unavailable(
    '{most} exports are running, which is the limit of the service. Try again when one has ended.',
    'Retry after the seconds in `Retry-After`.',
    { most: 4 },
  ),
  export_too_long: unavailable(
    'The export was not done after {minutes} minutes. Export fewer records, or ask the operator for "ledgerstone export".',
    'Filter the list, or export one location at a time.',
    { minutes: 30 },
  ),
  cross_site_refused: denied(
    {
      message:
        'This request does not come from the console. It must be sent by a page of this service, with the header "Ledgerstone-Console: 1".',
      person: 'This request does not come from the console.',
    },
    'Only the console calls `/console/api`. Programs use `/v1` with an API key.',
  ),
} as const;
