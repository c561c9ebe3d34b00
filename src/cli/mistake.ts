/** An error that the person at the command line can fix: its message is shown as it is, one line for each thing that is wrong. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
}
