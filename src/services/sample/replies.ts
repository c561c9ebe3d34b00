/** The mail replies of the sample: the names on the cards that were drawn, and what their readers typed. No real person is meant. */

export interface SampleReply {
  /** Of its pictures: `<card>-front.jpg`, and `<card>-back.jpg` where it has one. */
  readonly card: string;
  readonly back: boolean;
  /** The text on the card, as it was written. */
  readonly written: {
    readonly name: string;
    readonly street: string;
    readonly place: string;
    readonly phone: string;
    readonly note: string;
    /** Which of the boxes are ticked. */
    readonly wants: readonly number[];
  };
  /** The transcribed text; a smudged card has less. */
  readonly person?: Readonly<Record<string, string>>;
  readonly address?: Readonly<Record<string, string>>;
}

/** What can be ticked on a card. */
export const SAMPLE_BOXES = [
  'Please send me a planning guide',
  'I would like to know what it costs',
  'Please call me',
  'Benefits for veterans',
];

const at = (street: string, city: string, county: string, postal_code: string) => ({
  street_address_line_1: street,
  city,
  county,
  state: 'IL',
  country: 'US',
  postal_code,
});

export const sampleReplies: readonly SampleReply[] = [
  {
    card: 'ellison',
    back: true,
    written: {
      name: 'Ruth Ellison',
      street: '418 Orchard Lane',
      place: 'Springfield IL 62704',
      phone: '217 555 0142',
      note: 'Please call after 4, I am at my daughter’s in the mornings. Thank you.',
      wants: [0, 2],
    },
    person: { full_name: 'Ruth Ellison', phone_number1: '(217) 555-0142', birth_date: '3/14/1947' },
    address: at('418 Orchard Lane', 'Springfield', 'Sangamon', '62704'),
  },
  {
    card: 'whitcomb',
    back: false,
    written: {
      name: 'Harold Whitcomb',
      street: '77 Mill Road, Apt 3',
      place: 'Chatham IL 62629',
      phone: '(217) 555-0178',
      note: 'Interested in costs for cremation.',
      wants: [1],
    },
    person: {
      full_name: 'Harold Whitcomb',
      phone_number1: '217-555-0178',
      email_address: 'harold.whitcomb@example.com',
    },
    address: {
      ...at('77 Mill Road', 'Chatham', 'Sangamon', '62629'),
      street_address_line_2: 'Apt 3',
    },
  },
  {
    card: 'delgado',
    back: true,
    written: {
      name: 'Maria Delgado',
      street: '1203 E. Cedar St.',
      place: 'Decatur IL 62521',
      phone: '217.555.0117',
      note: 'My husband is a veteran, what are we entitled to? Se habla español?',
      wants: [0, 1, 3],
    },
    person: {
      full_name: 'Maria Delgado',
      phone_number1: '2175550117',
      birth_date: 'spring of 1952',
    },
    address: at('1203 E. Cedar St.', 'Decatur', 'Macon', '62521'),
  },
  {
    card: 'novak',
    back: false,
    written: {
      name: 'Eleanor & Frank Novak',
      street: 'R.R. 2, Box 41',
      place: 'Rochester, Ill.',
      phone: '555-0163',
      note: 'For both of us please.',
      wants: [0, 2, 3],
    },
    person: { full_name: 'Eleanor & Frank Novak', phone_number1: '(217) 555-0163' },
    address: { street_address_line_1: 'R.R. 2, Box 41', city: 'Rochester', state: 'IL' },
  },
  {
    card: 'smudged',
    back: false,
    written: {
      name: 'J. Ab…',
      street: '',
      place: 'Springfield',
      phone: '217 555 01',
      note: '',
      wants: [2],
    },
  },
];
