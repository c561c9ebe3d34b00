/** Readers of settings: each returns the value, or a complaint that completes "X must be …". */
import { isLoopback, readNetwork } from '../network/networks.ts';
import { serversOf } from '../network/servers.ts';
import { redact } from '../observe/redact.ts';
import { distance } from '../schema/search/spelling.ts';

/** The value of a setting, or a complaint. */
export type SettingValue<Value> = { value: Value } | { complaint: string };

export function checked<Value>(
  isValid: boolean,
  value: Value,
  complaint: string,
): SettingValue<Value> {
  return isValid ? { value } : { complaint };
}

/** A reader of a setting that may be empty, which is as good as not set. */
export function orNothing<Value>(
  read: (text: string) => SettingValue<Value>,
): (text: string) => SettingValue<Value | undefined> {
  return (text) => (text === '' ? { value: undefined } : read(text));
}

export function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

export function readNetworks(
  text: string,
  which: string,
  everything: string,
): SettingValue<readonly string[]> {
  const networks: string[] = [];
  for (const one of listed(text)) {
    const { network, complaint } = readNetwork(one);
    if (network === undefined || network.endsWith('/0')) {
      const wrong = complaint ?? everything;
      return { complaint: `must be addresses or networks ${which}, and ${quote(one)} ${wrong}` };
    }
    networks.push(network);
  }
  return { value: networks };
}

export function readPath(text: string): { value: string | undefined } {
  return { value: text === '' ? undefined : text };
}

export function readTime(text: string, least: number, word: string): SettingValue<number> {
  const value = parseDuration(text) ?? Number.NaN;
  return checked(
    value >= least,
    value,
    `must be a duration such as 10s, 5m or 7d, at least ${word}`,
  );
}

/** Milliseconds of `90d`, `24h`, `30m`, `45s`, `2w` or `0`; `undefined` where it is none. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  const [, count, unit] = /^(\d+) *([smhdw])$/.exec(trimmed) ?? [];
  const duration =
    trimmed === '0' ? 0 : Number(count) * 1_000 * (SECONDS[unit ?? ''] ?? Number.NaN);
  return duration <= LONGEST_MS ? duration : undefined;
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
/** From 1970 to the end of the year 9999. */
export const LONGEST_MS = 253_402_300_799_000;

export function readTruth(text: string, yes = 'true', no = 'false'): SettingValue<boolean> {
  return checked(text === yes || text === no, text === yes, `must be ${yes} or ${no}`);
}

export function readHost(text: string): SettingValue<string> {
  return checked(/^[\w.:-]+$/.test(text), text, 'must be an address or a host name');
}

export function readPort(text: string): SettingValue<number> {
  return readCount(text, 0, 65_535);
}

/** A value in a complaint: in one line, and without its password. */
export function quote(text: string): string {
  return JSON.stringify(redact(text));
}

export function readCount(text: string, least: number, most: number): SettingValue<number> {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  const isValid = value >= least && value <= most;
  return checked(isValid, value, `must be a whole number from ${least} to ${most}`);
}

/** Where servers of a cluster are reached. */
export function readNodes(text: string): SettingValue<readonly string[]> {
  const wrong = listed(text).find((one) => !/^[^=\s]+:\d+=[^=\s]+:\d+$/.test(one));
  return wrong === undefined
    ? { value: listed(text) }
    : { complaint: `must be name:port=address:port, and ${quote(wrong)} is not` };
}

/** The address of a provider: https, or http on this machine. */
export const readIssuer = orNothing((text) => {
  const url = URL.parse(text);
  const plain = url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  const isValid = (url?.protocol === 'https:' || plain) && url?.search === '' && url.hash === '';
  return checked(
    isValid,
    text,
    'must be the https address of a provider, such as https://login.example.com',
  );
});

export const readShort = orNothing((text) =>
  checked(text.length <= 200, text, 'must have at most 200 characters'),
);

/** Reads the address of the store, and refuses parameters that the driver would ignore. */
export function readDatabaseUrl(text: string): SettingValue<string> {
  if (/^sqlite:./.test(text)) return { value: text };
  const servers = /^postgres(ql)?:\/\//.test(text) ? serversOf(text) : [];
  const urls = servers.map((one) => URL.parse(one));
  const [url] = urls;
  if (!url || urls.some((one) => !one?.host && urls.length > 1))
    return { complaint: 'must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE' };
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown === undefined) return { value: text };
  const meant = nearest(unknown, PARAMETERS);
  return {
    complaint: `must have no parameter ${quote(unknown)}, which would do nothing${meant === undefined ? '' : `. Did you mean ${quote(meant)}?`}`,
  };
}

/** Parameters that the driver understands. */
const PARAMETERS = [
  ...['sslmode', 'ssl', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation', 'uselibpqcompat'],
  ...['host', 'port', 'user', 'password', 'options', 'client_encoding'],
  ...['application_name', 'fallback_application_name', 'lock_timeout'],
  ...['statement_timeout', 'idle_in_transaction_session_timeout', 'query_timeout'],
];

/** Shorter names are near to many words that mean something else. */
const SHORTEST = 6;
const LONG = 10;

/** The name that was meant by one misspelled by a letter or two. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const near = (most: number) =>
    known.find((one) => one.length >= SHORTEST && distance(name, one, most) <= most);
  return near(1) ?? (name.length < LONG ? undefined : near(2));
}
