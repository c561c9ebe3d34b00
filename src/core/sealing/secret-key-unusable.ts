/** The file of the secret key cannot be used: one clear sentence for the operator. */
export class SecretKeyUnusable extends Error {
  override readonly name = 'SecretKeyUnusable';
}
