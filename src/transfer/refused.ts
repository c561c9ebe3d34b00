/** Something about what is carried in or out that the person who asked can put right. */

/** Its message is shown as it is, and nothing else is. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
}
