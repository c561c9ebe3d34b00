/** The destination of a URL, judged by the URL alone. */
import { OutboundError } from './outbound-error.ts';

/** The purpose of a request. Images may be fetched by plain HTTP, as their URLs may be of any site. */
export type OutboundUse = 'webhook' | 'sign_in' | 'image';

export interface Destination {
  readonly url: URL;
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether only addresses will do that the operator allows. */
  readonly onlyAllowed: boolean;
}

const LONGEST = 2_048;
/** Services that are not for everybody listen below. */
const FIRST_FREE_PORT = 1_024;
const STANDARD = { 'http:': 80, 'https:': 443 } as const;

/** Throws `OutboundError` where the URL leads nowhere that this service may go. */
export function destinationOf(text: string, use: OutboundUse): Destination {
  const url = URL.parse(text);
  if (url === null || text.length > LONGEST)
    throw refused(`must be an absolute https URL of at most ${LONGEST} characters`);
  const { protocol, username, password, hostname } = url;
  if (protocol !== 'https:' && protocol !== 'http:') throw refused('must begin with https://');
  if (username !== '' || password !== '')
    throw refused('must hold no user name and no password: verify the signature instead');
  const standard = STANDARD[protocol];
  const port = url.port === '' ? standard : Number(url.port);
  const isStandard = port === standard;
  if (!isStandard && port < FIRST_FREE_PORT)
    throw refused(`must have the port ${standard}, or one from ${FIRST_FREE_PORT} on`);
  url.hash = '';
  return {
    url,
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    onlyAllowed: use === 'image' ? !isStandard : protocol === 'http:',
  };
}

/** Throws `OutboundError` unless the request may be sent to that address. */
export function checkAddress(
  { onlyAllowed, url }: Destination,
  address: { readonly isPublic: boolean; readonly isAllowed: boolean },
): void {
  if (address.isAllowed) return;
  if (!address.isPublic)
    throw new OutboundError(
      'address_refused',
      'leads to an address that is not public: use one that the internet reaches',
    );
  if (onlyAllowed)
    throw refused(
      url.protocol === 'http:' ? 'must begin with https://' : 'must have the standard port',
    );
}

function refused(complaint: string): OutboundError {
  return new OutboundError('url_refused', complaint);
}
