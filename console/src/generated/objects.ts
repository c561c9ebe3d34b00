// Generated from src/core/objects/ by "npm run generate"; do not edit.

/** The API key of the request; never its secret. */
export type ApiKey = {
  /** Type name of the object */
  object: 'api_key';
  /** Identifier of the key */
  unique_identifier: string;
  /** Whether it works now, and why it does not */
  status: 'active' | 'suspended' | 'expired' | 'revoked';
  /** What the operator calls it */
  name: string | null;
  /** The last four characters of the secret */
  ending: string;
  /** Whether it is for live accounts, or for test ones */
  livemode: boolean;
  /** Its open accounts, by their unique identifiers */
  accounts: string[];
  /** The locations that it is limited to; null: whole accounts */
  locations: string[] | null;
  /** What it may do with records: `read`, `write`, `delete` */
  permissions: string[];
  /** The resources that it is limited to, as in paths; null: all */
  resources: string[] | null;
  /** What it may do besides */
  allow: string[];
  /** The networks that it works from; null: any address */
  from: string[] | null;
  /** Its own limit; null: the limit of the service, if there is one */
  requests_a_second: number | null;
  /** Its own limit; null: none */
  requests_at_once: number | null;
  /** When it was made, in UTC */
  inserted_at: string;
  /** When it expires, in UTC; null: never */
  expires_at: string | null;
  /** When it was suspended, in UTC */
  suspended_at: string | null;
  /** When it was revoked, in UTC */
  revoked_at: string | null;
  /** When it was last used, in UTC; null: never */
  last_used_at: string | null;
};

/** Where notifications of the changes of an account are sent. */
export type WebhookEndpoint = {
  /** Type name of the object */
  object: 'webhook_endpoint';
  /** Identifier of the endpoint */
  unique_identifier: string;
  /** The account whose changes are sent */
  account: string;
  /** Where notifications are sent */
  url: string;
  /** What it is for */
  description: string | null;
  /** Which notifications are sent */
  notifications: string[];
  /** The only locations whose changes are sent; null: all */
  locations: string[] | null;
  /** Whether each change is sent, or only that there are some */
  deliver: 'changes' | 'signal';
  /** Whether the record is sent with the change */
  payload: 'thin' | 'full';
  /** `failing`: many deliveries failed, and it is tried now and then until one succeeds; `paused` and `disabled`: nothing is sent */
  status: 'enabled' | 'failing' | 'paused' | 'disabled' | (string & {});
  /** Why it is paused or disabled: `paused` by a request, `key_ended`, `gone` (it answered 410), `failing_too_long`, `changes_expired`, `changes_rewound` or `restored` */
  disabled_reason: string | null;
  /** When the first delivery failed since the last success */
  failing_since: string | null;
  /** The change up to which all are delivered, or are listed as pending */
  position: string | null;
  /** The API key that sees for it: what that key may not read is not sent. The account itself where an administrator made it in the console */
  key: string;
  /** When it was created */
  inserted_at: string;
  /** When it was last changed by a request */
  updated_at: string;
};

/** What became of one change at one endpoint. Kept for 30 days. */
export type WebhookDelivery = {
  /** Type name of the object */
  object: 'webhook_delivery';
  /** Identifier of the delivery */
  unique_identifier: string;
  /** The endpoint */
  webhook_endpoint: string;
  /** The change, whose identifier is sent as `webhook-id` */
  change: string;
  /** The notification */
  type: string;
  /** The record that was changed */
  record: string;
  /** `pending`: it is to be tried, or waits for an earlier change of the record */
  status: 'pending' | 'delivered' | 'failed';
  /** How often it was tried */
  attempts: number;
  /** The status that the endpoint answered last */
  status_code: number | null;
  /** Why the last try failed */
  error: string | null;
  /** Milliseconds that the last try took */
  duration_ms: number | null;
  /** When it is tried next */
  next_attempt_at: string | null;
  /** When it was first noted */
  inserted_at: string;
  /** When it was tried or changed last */
  updated_at: string;
};

/** A person who signs in to the console. */
export type Staff = {
  /** Type name of the object */
  object: 'staff';
  /** Identifier of the person */
  unique_identifier: string;
  /** What tells people apart, in small letters */
  email: string;
  /** Name of the person */
  name: string | null;
  /** What the person may do */
  role: 'viewer' | 'editor' | 'administrator';
  /** The accounts that the person works for */
  accounts: string[];
  /** The locations that the person is limited to; null: whole accounts */
  locations: string[] | null;
  /** Whether the person can sign in */
  status: 'invited' | 'active' | 'disabled';
  /** Whether there is a password */
  password: boolean;
  /** How many passkeys there are */
  passkeys: number;
  /** Whether an identity provider knows the person */
  single_sign_on: boolean;
  /** When the person was invited first */
  inserted_at: string;
  /** When the person last signed in */
  last_signed_in_at: string | null;
  /** When the person was disabled */
  disabled_at: string | null;
  /** Until when the invitation can be used; null: there is none */
  invitation_expires_at: string | null;
};

/** A passkey of a person who signs in. */
export type Passkey = {
  /** Type name of the object */
  object: 'passkey';
  /** Identifier of the passkey */
  unique_identifier: string;
  /** What the person calls it */
  name: string | null;
  /** When it was added */
  inserted_at: string;
  /** When it was last used */
  last_used_at: string | null;
};

/** A session of a person who signed in. */
export type StaffSession = {
  /** Type name of the object */
  object: 'session';
  /** Identifier of the session */
  unique_identifier: string;
  /** How the person signed in */
  method: 'password' | 'passkey' | 'single_sign_on';
  /** When it was opened */
  inserted_at: string;
  /** When it was last used */
  seen_at: string;
  /** The network address that it is used from */
  address: string | null;
  /** The browser that it is used in */
  browser: string | null;
};
