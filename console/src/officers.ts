/** Screens of people with rights that no role has: one script, which the others never load. */
export { AuditScreen } from './screens/audit/audit.tsx';
export { HoldsScreen } from './screens/holds/holds.tsx';
export { PrivacyScreen } from './screens/privacy/request.tsx';
export { RetentionScreen } from './screens/retention/retention.tsx';
