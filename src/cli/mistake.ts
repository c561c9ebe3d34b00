/** An error that the person at the command line can fix. */

/** Its message is shown as it is, one line for each thing that is wrong, and nothing else is. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  readonly lines: readonly string[];

  constructor(text: string, options?: ErrorOptions) {
    super(text, options);
    this.lines = text.split('\n');
  }
}
