// Generated from console/messages/ by "npm run generate"; do not edit.

declare module 'messages:account' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/account.json'), 'account'>;
  export default messages;
}
declare module 'messages:audit' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/audit.json'), 'audit'>;
  export default messages;
}
declare module 'messages:edit' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/edit.json'), 'edit'>;
  export default messages;
}
declare module 'messages:entry' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/entry.json'), 'entry'>;
  export default messages;
}
declare module 'messages:exports' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/exports.json'), 'exports'>;
  export default messages;
}
declare module 'messages:feeds' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/feeds.json'), 'feeds'>;
  export default messages;
}
declare module 'messages:holds' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/holds.json'), 'holds'>;
  export default messages;
}
declare module 'messages:imports' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/imports.json'), 'imports'>;
  export default messages;
}
declare module 'messages:keys' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/keys.json'), 'keys'>;
  export default messages;
}
declare module 'messages:page' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/page.json'), 'page'>;
  export default messages;
}
declare module 'messages:privacy' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/privacy.json'), 'privacy'>;
  export default messages;
}
declare module 'messages:proposals' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/proposals.json'), 'proposals'>;
  export default messages;
}
declare module 'messages:record' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/record.json'), 'record'>;
  export default messages;
}
declare module 'messages:removed' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/removed.json'), 'removed'>;
  export default messages;
}
declare module 'messages:requests' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/requests.json'), 'requests'>;
  export default messages;
}
declare module 'messages:retention' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/retention.json'), 'retention'>;
  export default messages;
}
declare module 'messages:shortcuts' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/shortcuts.json'), 'shortcuts'>;
  export default messages;
}
declare module 'messages:staff' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/staff.json'), 'staff'>;
  export default messages;
}
declare module 'messages:webhooks' {
  const messages: import('../messages.ts').Messages<typeof import('../../messages/en/webhooks.json'), 'webhooks'>;
  export default messages;
}
