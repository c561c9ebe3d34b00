/** Headings that spreadsheets use for the names of people. */
export const NAME = ['full name', 'person'];
