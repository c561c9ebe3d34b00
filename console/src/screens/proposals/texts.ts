/** What is said of what systems propose. */

export const says = {
  about: 'What systems send for fields that staff corrected. Nothing changes until you decide.',
  none: 'Nothing to decide',
  noneHint: 'When a system sends another value for what staff corrected, it is listed here.',
  what: 'What',
  field: 'Field',
  ours: 'Ours',
  theirs: 'Theirs',
  sent: 'Sent',
  decide: 'Decide',
} as const;
