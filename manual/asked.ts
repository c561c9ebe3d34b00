/** What people type who look for something that the manual says in other words: by the place that says it. */

/** The path of a page below `/docs/`, and the anchor of a section of it where it is not the whole page. */
export const ASKED: Readonly<Record<string, readonly string[]>> = {
  'console#sign-in': ['forgot password', 'reset password', 'lost my phone', 'signed out'],
  'who-may-sign-in#how-people-sign-in': ['two factor', '2FA', 'MFA', 'locked out'],
  'who-may-sign-in#single-sign-on': ['SSO', 'SAML', 'Okta', 'Entra', 'Google login'],
  'merging#identifiers-text-and-times': [
    ...[
      'phone number format',
      'move a service to another chapel',
      'postpone',
      'daylight saving',
      'merge duplicates',
      'E.164',
    ],
  ],
  'resources/event_check_in_records': ['guest book', 'register book', 'guestbook'],
  'resources/event_administrators': ['family contact', 'informant'],
  'resources/events': ['funeral', 'visitation', 'memorial'],
  'follow-ups#whom-nobody-is-to-contact': [
    ...['opt out', 'unsubscribe', 'do not call', 'DNC', 'do not mail', 'stop calling'],
  ],
  'import#how-cells-are-read': ['excel dates', 'leading zeros', 'date format'],
  'console-import#fix': ['upload failed', 'rejected rows'],
  export: ['download everything', 'csv download', 'take my data out'],
  erasure: ['right to be forgotten', 'GDPR', 'CCPA', 'delete a person'],
  audit: ['who saw this record', 'who looked', 'HIPAA', 'access log'],
  corrections: ['overwrites my changes', 'locked fields'],
  locations: ['change time zone', 'wrong time zone'],
  'production#in-a-container': ['docker', 'kubernetes', 'image'],
  'production#doctor': ['health check fails', 'diagnose'],
  'upgrading#go-back': ['roll back', 'downgrade'],
  'backup#restore-a-moment-of-the-last-days': ['point in time', 'PITR', 'undelete'],
  'errors-and-retries#have-a-request-done-once': ['idempotency', 'sent twice'],
  'errors-and-retries#limits': ['429', 'too many requests', 'throttling'],
  'webhooks#when-your-system-fails': ['webhook retry', 'missed webhooks'],
  'self-test': ['sandbox', 'staging'],
  'feeds#who-has-stopped': ['nothing arrives', 'feed is down'],
  'beyond-one-server': ['sharding', 'scale out', 'cluster'],
};
