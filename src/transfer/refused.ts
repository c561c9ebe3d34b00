/** A problem with an import or export that the person who asked for it can fix. */

/** What has to be chosen before a file can be read. */
export interface Question {
  readonly about: 'sheet' | 'delimiter';
  readonly choices: readonly string[];
}

/** Its message is shown as it is, and nothing else is. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
  /** Where one of a few answers would do. */
  readonly question: Question | undefined;

  constructor(message: string, question?: Question) {
    super(message);
    this.question = question;
  }
}
