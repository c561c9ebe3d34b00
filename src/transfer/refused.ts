/** A problem with an import or export that the person who asked for it can fix. */

/** Its message is shown as it is, and nothing else is. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
}
