/** Reads the settings of single sign-on. */
import { isLoopback } from '../network/loopback.ts';
import type { SettingValue } from './readers.ts';

/** The address of a provider: https, or http on this machine. */
export function readIssuer(text: string): SettingValue<string | undefined> {
  if (text === '') return { value: undefined };
  const url = URL.parse(text);
  const plain = url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  return url !== null &&
    (url.protocol === 'https:' || plain) &&
    url.search === '' &&
    url.hash === ''
    ? { value: text }
    : { complaint: 'must be the https address of a provider, such as https://login.example.com' };
}

export function readShort(text: string): SettingValue<string | undefined> {
  return text.length <= 200
    ? { value: text === '' ? undefined : text }
    : { complaint: 'must have at most 200 characters' };
}
