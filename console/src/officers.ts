/** Screens of people with rights that no role has: one script, which the others never load. */
export { PrivacyScreen } from './screens/privacy/privacy.tsx';
