/** The address that the pages show: the one at which they are requested, so that their examples can be pasted. */

import { SHOWN_ADDRESS } from '../pages.ts';
import { escapeHtml } from './html.ts';

const HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?$/i;
const MAX_HOST = 255;

/** The address that a `Host` header names; `undefined` where it names none. */
export function addressOfHost(protocol: string, host: string | undefined): string | undefined {
  if (host === undefined || host.length > MAX_HOST || !HOST.test(host)) return undefined;
  return `${protocol}://${host.toLowerCase()}`;
}

/** A text of the manual as it reads at an address. */
export function atAddress(text: string, address: string, isHtml: boolean): string {
  return text.replaceAll(SHOWN_ADDRESS, () => (isHtml ? escapeHtml(address) : address));
}
