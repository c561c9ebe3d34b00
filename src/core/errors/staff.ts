/** Errors of signing in and of sessions, as entries of the catalogue. */

export const staffErrors = {
  sign_in_needed: {
    type: 'authentication_error',
    status: 401,
    message: 'You are not signed in, or your session has ended. Sign in.',
    hint: 'Sessions of the console end after an hour without a request, after 12 hours, and when someone ends them. API keys and cookies are never taken for each other.',
  },
  sign_in_failed: {
    type: 'authentication_error',
    status: 401,
    message:
      'That did not match. Check what you entered, or ask an administrator to invite you again.',
    hint: 'The answer is the same for an unknown email, a wrong password, a passkey that is not known here, and a person who is disabled.',
  },
  sign_in_limited: {
    type: 'rate_limit_error',
    status: 429,
    message: 'Too many sign-ins failed. Wait before you try again, or use a passkey.',
    hint: 'Retry after the seconds in `Retry-After`. From the fifth failure on, the wait for an email doubles up to 15 minutes; a network may fail 30 times in 15 minutes. Passkeys are not limited for an email.',
  },
  reauthentication_needed: {
    type: 'permission_error',
    status: 403,
    message: 'Confirm that it is you: this needs a sign-in within the last 10 minutes.',
    hint: 'Keys, staff, passwords and passkeys are changed only within 10 minutes of a sign-in. Call `POST /console/api/reauthenticate` and repeat the request.',
  },
  invitation_invalid: {
    type: 'invalid_request_error',
    status: 410,
    message: 'This invitation was used, was replaced or has expired. Ask for a new one.',
    hint: 'An invitation is good for one use within 48 hours. A new one for the same person replaces it.',
  },
  import_refused: {
    type: 'invalid_request_error',
    status: 400,
    message: 'The file cannot be imported as it is.',
    hint: 'The message says what is wrong with the file, or with the fields that its columns are for. Nothing was saved.',
  },
  password_refused: {
    type: 'invalid_request_error',
    status: 400,
    message: 'This password cannot be used.',
    hint: 'Choose at least 15 characters that nobody would guess, such as four or five unrelated words. No kind of character is required.',
  },
  passkey_needed: {
    type: 'permission_error',
    status: 403,
    message: 'You sign in with a passkey or single sign-on here, not with a password.',
    hint: 'Register a passkey with the invitation, or sign in by single sign-on. This holds for administrators, and for people whose email somebody in other accounts signs in with.',
  },
  passkey_refused: {
    type: 'invalid_request_error',
    status: 400,
    message: 'The passkey could not be verified. Start again.',
    hint: 'A request to the browser is good for one answer within 5 minutes, at the address of this service.',
  },
  last_way_in: {
    type: 'invalid_request_error',
    status: 409,
    message: 'This is your only way to sign in. Add another passkey first.',
    hint: 'Register another passkey, or set a password, before you remove the last one.',
  },
  sign_in_insecure: {
    type: 'permission_error',
    status: 403,
    message: 'People sign in over HTTPS only, or on this machine at localhost.',
    hint: 'Set `TLS_CERT` and `TLS_KEY`, or put a TLS proxy in front and set `PUBLIC_URL` to its https address.',
  },
  single_sign_on_failed: {
    type: 'api_error',
    status: 503,
    message: 'The provider of single sign-on does not answer. Try again, or sign in another way.',
    hint: 'Check that `OIDC_ISSUER` can be reached from the service and names the provider exactly as it names itself.',
  },
  cross_site_refused: {
    type: 'permission_error',
    status: 403,
    message:
      'This request does not come from the console. It must be sent by a page of this service, with the header "Ledgerstone-Console: 1".',
    hint: 'Only the console calls `/console/api`. Programs use `/v1` with an API key.',
  },
} as const;
