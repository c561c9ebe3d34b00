// Generated from console/messages/ by "npm run generate"; do not edit.

/** Each by its own name, and the region of most people who use it. */
export const LANGUAGES = {
  en: { name: 'English', region: 'en-US' },
  es: { name: 'Español', region: 'es-US' },
  fr: { name: 'Français', region: 'fr-CA' },
} as const;
