// Generated from console/messages/ by "npm run generate"; do not edit.

declare module 'messages' {
  export const account: import('../messages.ts').Messages<typeof import('../../messages/en/account.json'), 'account'>;
  export const audit: import('../messages.ts').Messages<typeof import('../../messages/en/audit.json'), 'audit'>;
  export const doNotContact: import('../messages.ts').Messages<typeof import('../../messages/en/doNotContact.json'), 'doNotContact'>;
  export const edit: import('../messages.ts').Messages<typeof import('../../messages/en/edit.json'), 'edit'>;
  export const entry: import('../messages.ts').Messages<typeof import('../../messages/en/entry.json'), 'entry'>;
  export const expectations: import('../messages.ts').Messages<typeof import('../../messages/en/expectations.json'), 'expectations'>;
  export const exports: import('../messages.ts').Messages<typeof import('../../messages/en/exports.json'), 'exports'>;
  export const feeds: import('../messages.ts').Messages<typeof import('../../messages/en/feeds.json'), 'feeds'>;
  export const files: import('../messages.ts').Messages<typeof import('../../messages/en/files.json'), 'files'>;
  export const followUp: import('../messages.ts').Messages<typeof import('../../messages/en/followUp.json'), 'followUp'>;
  export const found: import('../messages.ts').Messages<typeof import('../../messages/en/found.json'), 'found'>;
  export const holds: import('../messages.ts').Messages<typeof import('../../messages/en/holds.json'), 'holds'>;
  export const images: import('../messages.ts').Messages<typeof import('../../messages/en/images.json'), 'images'>;
  export const imports: import('../messages.ts').Messages<typeof import('../../messages/en/imports.json'), 'imports'>;
  export const keys: import('../messages.ts').Messages<typeof import('../../messages/en/keys.json'), 'keys'>;
  export const page: import('../messages.ts').Messages<typeof import('../../messages/en/page.json'), 'page'>;
  export const privacy: import('../messages.ts').Messages<typeof import('../../messages/en/privacy.json'), 'privacy'>;
  export const proposals: import('../messages.ts').Messages<typeof import('../../messages/en/proposals.json'), 'proposals'>;
  export const record: import('../messages.ts').Messages<typeof import('../../messages/en/record.json'), 'record'>;
  export const removed: import('../messages.ts').Messages<typeof import('../../messages/en/removed.json'), 'removed'>;
  export const requests: import('../messages.ts').Messages<typeof import('../../messages/en/requests.json'), 'requests'>;
  export const retention: import('../messages.ts').Messages<typeof import('../../messages/en/retention.json'), 'retention'>;
  export const selfTests: import('../messages.ts').Messages<typeof import('../../messages/en/selfTests.json'), 'selfTests'>;
  export const shortcuts: import('../messages.ts').Messages<typeof import('../../messages/en/shortcuts.json'), 'shortcuts'>;
  export const staff: import('../messages.ts').Messages<typeof import('../../messages/en/staff.json'), 'staff'>;
  export const today: import('../messages.ts').Messages<typeof import('../../messages/en/today.json'), 'today'>;
  export const webhooks: import('../messages.ts').Messages<typeof import('../../messages/en/webhooks.json'), 'webhooks'>;
  export const who: import('../messages.ts').Messages<typeof import('../../messages/en/who.json'), 'who'>;
  export const zones: import('../messages.ts').Messages<typeof import('../../messages/en/zones.json'), 'zones'>;
}
