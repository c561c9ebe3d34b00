/** Why nothing came of a request that this service sent. */

/**
 * `url_refused` and `address_refused`: it was not sent, because of where it was to go. All others: it was sent, or was
 * to be, and no whole answer came.
 */
export type OutboundFault =
  | 'url_refused'
  | 'address_refused'
  | 'name_unknown'
  | 'connection_failed'
  | 'certificate_invalid'
  | 'connection_lost'
  | 'timed_out'
  | 'redirects_too_many';

export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly fault: OutboundFault;

  /**
   * The message is for the person who gave the URL, and says nothing of the operator's network: for a refusal what goes
   * on after "url", such as "must begin with https://", for all others a sentence.
   */
  constructor(fault: OutboundFault, message: string) {
    super(message);
    this.fault = fault;
  }

  /** Whether it may not be sent there, now or later. */
  get isRefusal(): boolean {
    return this.fault === 'url_refused' || this.fault === 'address_refused';
  }
}

/** Errors of Node by their codes; of all others the connection could not be made. */
const FAULTS: Readonly<Record<string, readonly [OutboundFault, string]>> = {
  ENOTFOUND: ['name_unknown', 'The host name does not exist.'],
  EAI_AGAIN: ['name_unknown', 'The host name could not be looked up.'],
  ENODATA: ['name_unknown', 'The host name has no address.'],
  ECONNREFUSED: ['connection_failed', 'The connection was refused.'],
  ECONNRESET: ['connection_lost', 'The connection was closed before the answer was complete.'],
  EPIPE: ['connection_lost', 'The connection was closed before the answer was complete.'],
  ETIMEDOUT: ['timed_out', 'The connection could not be made in time.'],
};

export function outboundErrorOf(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = String((first as { code?: unknown } | null)?.code ?? '');
  const known = FAULTS[code];
  if (known !== undefined) return new OutboundError(...known);
  if (/CERT|ISSUER|SIGNATURE|^ERR_TLS/.test(code))
    return new OutboundError('certificate_invalid', `The certificate is not accepted (${code}).`);
  if (/^ERR_SSL|^EPROTO$/.test(code))
    return new OutboundError('connection_failed', `TLS could not be negotiated (${code}).`);
  if (code.startsWith('HPE_'))
    return new OutboundError('connection_lost', 'The answer is not valid HTTP.');
  return new OutboundError('connection_failed', 'The connection could not be made.');
}
