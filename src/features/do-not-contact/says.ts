/** The register says of a record whether nobody is to contact its person. */
export const says = {
  name: 'do_not_contact',
  label: 'Do not contact',
  of: ['event_administrator', 'event_check_in_record', 'online_arrangement', 'direct_mail_reply'],
  says: 'Whether its phone number, its email address or the record itself stands in the register of whom nobody is to contact',
} as const;
