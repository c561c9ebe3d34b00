/** Headings that spreadsheets use for columns of several resources. */
export const PHONE = ['phone number', 'telephone', 'tel', 'cell', 'cell phone', 'mobile'];
export const EMAIL = ['email address', 'mail'];
export const NAME = ['full name', 'person'];
export const RELATIONSHIP = ['relation', 'relationship to deceased', 'relation to deceased'];
export const PRE_PLANNING = ['pre-planning', 'pre-need', 'interest in pre-planning'];
