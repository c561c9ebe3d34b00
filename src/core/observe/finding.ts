/** What a look at something the service stands on found, for the operator. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  /** Nothing works for long with what is bad; a warning is to be known. */
  readonly state: 'good' | 'warning' | 'bad';
  /** A sentence; where the state is not good, with what to do. */
  readonly says: string;
}
