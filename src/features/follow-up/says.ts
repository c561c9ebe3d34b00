/** A follow-up says of a record whether nobody is to contact its person. */
export const says = {
  name: 'do_not_contact',
  label: 'Do not contact',
  of: ['event_administrator', 'event_check_in_record', 'online_arrangement', 'direct_mail_reply'],
  says: 'Whether somebody with its phone number or email address is not to be contacted, as a follow-up was closed',
} as const;
