/** The result of one check of the machine or the store, for the operator. */
export interface Finding {
  /** The subject of the check, in a word or two. */
  readonly check: string;
  /** Nothing works for long with what is bad; a warning is to be known; what was not looked at may be either. */
  readonly state: 'good' | 'warning' | 'bad' | 'not looked at';
  /** A sentence; where the state is not good, with what to do. */
  readonly says: string;
}

/** Makes the findings of a check. */
export function findingsOf(check: string) {
  const of =
    (state: Finding['state']) =>
    (says: string): Finding => ({ check, state, says });
  return {
    good: of('good'),
    warning: of('warning'),
    bad: of('bad'),
    unseen: of('not looked at'),
  };
}
