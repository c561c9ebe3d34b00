/** A certificate cannot be used: one clear sentence for the operator. */
export class CertificateUnusable extends Error {
  override readonly name = 'CertificateUnusable';
}
