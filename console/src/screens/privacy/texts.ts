/** Texts about people who ask to be forgotten. */
import { plural } from '../../texts.ts';

export const says = {
  about: 'People who ask you to delete what you have about them.',
  none: 'No requests yet',
  noneHint:
    'When somebody asks to be forgotten, begin a request: it finds their records, and you choose which are erased.',
  begin: 'Begin a request',
  open: 'To do',
  ended: 'Finished',
  request: 'Request',
  /** Where it has no reference. */
  of: (day: string): string => `Request of ${day}`,
  received: 'Received',
  due: 'Due',
  overdue: (day: string): string => `Overdue since ${day}`,
  dueIn: (day: string, when: string): string => `${day}, ${when}`,
  dueBy: (day: string, when: string): string => `Due ${day}, ${when}`,
  receivedOn: (day: string): string => `Received ${day}`,
  found: 'Found',
  erased: 'Erased',
  statuses: {
    ready: 'To decide',
    running: 'Being erased',
    waiting: 'Waits for a hold',
    done: 'Erased',
    closed: 'Closed',
  } as Readonly<Record<string, string>>,

  account: 'Account',
  form: {
    hint: 'Fill in what you know. It finds the records. It is stored encrypted, and dropped when the request ends.',
    records: 'Record',
    phones: 'Phone numbers',
    emails: 'Email addresses',
    names: 'Names',
    name: 'Name',
    born: 'Born on',
    service: 'At a service on',
    /** In a list of names. */
    nameAt: (what: string, number: number): string => `${what}, name ${number}`,
    namesHint:
      'As they may be written in records: “Jane Doe”, “Jane Miller”. A date helps to tell people of one name apart.',
    addName: 'Another name',
    withoutName: (number: number): string => `Remove name ${number}`,
    aLine: 'Each on a line of its own.',
    reference: 'Your reference',
    referenceHint:
      'What you call the request, such as “Letter of March 3”. It is stored: no names.',
    receivedOn: 'Received on',
    submit: 'Find their records',
    missing: 'Fill in at least one phone number, email address or name.',
  },

  choose: 'Choose what is erased',
  chooseHint: 'Landlines are shared and names are common: look at each record before you tick it.',
  chooseAll: (count: number): string => (count === 1 ? 'Tick it' : `Tick all ${count}`),
  chooseNone: 'Tick none',
  chosen: (count: number): string => `${plural(count, 'record', 'records')} ticked`,
  how: 'Phone numbers and email addresses were searched exactly; names also with one other letter, in words of five letters or more; earlier versions, removed records and free text for exactly what you typed.',
  nothing: 'Nothing was found',
  nothingHint:
    'Begin another request with an earlier phone number or another spelling, or close this one.',
  looking:
    'Still looking through earlier versions, removed records and free text. What is found appears here.',
  lookedTooMany:
    'More than 1,000 records were found: begin another request with a less common name.',
  refusedRows: (count: number): string =>
    `${plural(count, 'refused row of an import mentions', 'refused rows of imports mention')} the person, and ${count === 1 ? 'goes' : 'go'} with what you erase.`,
  namedIn: (ids: string): string =>
    `Also mentioned in the name or description of ${ids}. This is not erased: rename or remove it.`,
  rowsSure: 'Erase the refused rows for good?',
  openRecord: 'Open',
  foundBy: (reasons: string): string => `Found by ${reasons}`,
  named: 'You named it',
  reasons: {
    phone_number: 'phone number',
    email_address: 'email address',
    name: 'name',
    similar_name: 'a name spelt nearly so: look whether it is the person',
    name_and_date: 'name and date',
    mentioned: 'a mention in its text',
    earlier_version: 'an earlier version',
    removed: 'what it held before it was removed',
  } as Readonly<Record<string, string>>,
  states: {
    erased: 'Erased',
    gone: 'Erased; may be sent again',
    removed: 'Was removed earlier',
    past: 'Earlier versions erased',
  },
  left: {
    record_held: 'Waits: a hold keeps it. It is erased when the hold is released.',
    record_has_children: 'Not erased: other records belong to it. Tick those, too.',
    resource_missing: 'Not erased: it was no longer there.',
  } as Readonly<Record<string, string>>,
  held: 'A hold keeps it: erased only when that is released.',
  byRule: 'A retention rule keeps it: it is erased when it is old enough.',
  hold: 'The hold',
  rule: 'The rule',
  leftOther: 'Not erased yet.',
  showMore: (count: number): string => `Show ${count} more`,
  basis: (basis: string): string => `Closed: ${basis}`,

  erase: (count: number): string =>
    count === 0 ? 'Erase …' : `Erase ${plural(count, 'record', 'records')} …`,
  eraseSure: (count: number): string => `Erase ${plural(count, 'record', 'records')} for good?`,
  eraseHint:
    'They go with all their history, and systems that follow changes are notified. When a system sends them again, they are refused. Nothing here brings them back.',
  whatGoes: 'What goes',
  whole: 'The records',
  past: 'Only their past',
  pastHint:
    'They stay as they are now. What they held before goes for good, such as a card number that was typed into the wrong field. No system is notified.',
  seals:
    'A service that visitors belong to stays, without the person: its date is kept, its name becomes “Erased”, and the rest goes. Tick visitors who are the person, too.',
  pastDone: (count: number): string =>
    `Erased what ${plural(count, 'record', 'records')} held before.`,
  word: 'ERASE',
  typeWord: (word: string): string => `Type ${word} to confirm`,
  eraseSubmit: 'Erase for good',
  progress: (erased: number, all: number): string => `${erased} of ${all} erased`,
  done: (count: number): string => `Erased ${plural(count, 'record', 'records')}.`,
  someLeft: (count: number): string =>
    `${plural(count, 'record was', 'records were')} not erased: see why below.`,

  close: 'Close the request',
  closeSure: 'Close this request?',
  closeHint: 'Nothing more is erased for it. Say why, without names: it is stored.',
  basisLabel: 'On which basis',
  basisPlaceholder: 'Such as “arrangements are kept one year by law”',
  closed: 'Closed.',

  lift: 'Let it be sent again',
  liftSure: 'Let this record be sent again?',
  liftHint:
    'For a record that was erased by mistake. Its content stays erased: it comes back only when the system that had it sends it again.',
  lifted: 'It can be sent again.',

  told: {
    title: 'Who has copies',
    endpoint: 'A webhook endpoint',
    import: 'An import',
    statuses: {
      waiting: 'Not yet',
      told: 'Received',
      not_told: 'Not notified: it is paused',
      failed: 'Failed',
      removed: 'No longer there',
      acknowledged: 'Says that it is done',
      opened: 'Has looked at it',
      exported: 'Has exported such records',
    } as Readonly<Record<string, string>>,
    again: 'Still sent again',
    againHint: 'It is refused each time. Ask these systems to remove the person, too.',
    times: (count: number): string => plural(count, 'time', 'times'),
  },
  proof: {
    title: 'Every place was read again',
    beyond: 'What this does not reach, and what to do about it',
    places: {
      records: 'Records',
      log: 'Earlier versions',
      removed_records: 'Removed records',
      answers: 'Answers to repeated requests',
      search: 'Search',
      refused_rows: 'Refused rows of imports',
    } as Readonly<Record<string, string>>,
    clean: (checked: number): string => `${checked} checked, nothing is left`,
    none: 'Nothing was there',
    found: (found: number): string => `${found} still to go`,
    files: 'Files on disk',
    kinds: {
      overwritten: 'What was removed is overwritten',
      postgresql: 'Copies in the files of PostgreSQL go with time',
    } as Readonly<Record<string, string>>,
    rewritten: 'Last rewritten',
  },
  more: (count: number): string => `And ${count} more.`,
  copy: {
    make: 'Copy',
    title: 'What is stored about you',
    file: 'File for programs',
    hint: 'This is of the ticked records alone, for the person who asks. The audit says that you made it.',
    outcomes: {
      created: 'First stored',
      updated: 'Changed',
      deleted: 'Removed',
      restored: 'Restored',
    } as Readonly<Record<string, string>>,
  },
  certificate: {
    open: 'Certificate',
    title: 'Certificate of erasure',
    file: 'Sealed file',
    of: 'Group',
    records: 'Erased records',
    noRecords: 'None.',
    on: (time: string): string => `erased ${time}`,
    whatWent:
      'With each record went its history, and what else the service had stored of it. It is refused when a system sends it again.',
    left: 'Not erased',
    beyond: 'What the service does not reach',
    images: 'Images are on',
    backups: 'Backups from before',
    kinds: {
      continuous: 'Continuous backup',
      file: 'Backup file',
    } as Readonly<Record<string, string>>,
    outOfReach: {
      backups: 'backups, copies and snapshots from before',
      restores:
        'a restore of an older backup, which brings the records back: the journal of erasures is in the database alone',
      copies_elsewhere:
        'exports, imported files, printed lists, and what other systems and people have copied',
      proxy_logs: 'logs of proxies, which hold addresses of requests',
      images: 'images of mail replies, which are on the servers of their senders',
      core_dumps: 'core dumps and swapped memory of the service',
      unused_pages: 'unused parts of the SQLite file, until it is rewritten',
      dead_rows:
        'dead rows and statistics of PostgreSQL, until it vacuums and analyzes, and uses the space again',
      write_ahead_log: 'the write-ahead log of PostgreSQL, and its archive',
      standbys: 'standbys and replicas of PostgreSQL, until they have caught up',
      server_log: 'the log of the PostgreSQL server, if it prints values',
    } as Readonly<Record<string, string>>,
    until: (day: string): string => `can hold them until ${day}`,
    kept: 'can hold them as long as the operator keeps it',
    issued: (time: string): string => `Issued ${time}, with nothing of the person.`,
    seal: 'Seal and key',
  },
} as const;
