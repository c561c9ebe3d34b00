/** Readers of settings: each returns the value, or a complaint that completes "X must be …". */
import { isIP } from 'node:net';
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

/**
 * Reads a value that a file of settings may have spoilt: files written on Windows leave an invisible character at its
 * end, and some readers of such files leave the quotes around it. What a reader keeps of that is refused, and not
 * dropped: it may be the name of a file that is there.
 */
export function readClean(
  read: (text: string) => SettingValue<unknown>,
  text: string,
): SettingValue<unknown> {
  if (/^(["'`]).*\1\s*$/s.test(text))
    return { complaint: 'must be written without quotes, which are part of the value here' };
  const found = read(text);
  if ('complaint' in found) return found;
  const isSpoilt = [found.value]
    .flat()
    .some((one) => typeof one === 'string' && SPOILT.test(one.replace(/^sqlite:/, '')));
  if (!isSpoilt) return found;
  return {
    complaint:
      'must have no line end or other invisible character, and no blank or double quote at its ends, as files of settings leave them that were written on Windows or for a shell',
  };
}

const SPOILT = /[\p{Cc}\u2028\u2029\ufeff]|^[\s"]|[\s"]$/u;

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

/** Reads a duration between two, each as it would be written. */
export function readTime(text: string, least: string, most: string): SettingValue<number> {
  const value = parseDuration(text) ?? Number.NaN;
  return checked(
    value >= (parseDuration(least) ?? 0) && value <= (parseDuration(most) ?? LONGEST_MS),
    value,
    `must be a duration such as 10s, 5m or 7d, from ${least} to ${most}`,
  );
}

/** How often a folder is written that follows the store, at the least and the most: a timer takes no more than 24 days. */
export const FOLLOWED_EVERY = ['1s', '1d'] as const;
/** How long such a folder keeps what was written. */
export const FOLLOWED_KEEP = ['1m', '36500d'] as const;

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

/** Labels of letters, digits, `_` and `-`, and no misspelt address of digits alone. */
const HOST_NAME = /^(?![\d.]+$)(?=.{1,253}$)(?!-)[\w-]{1,63}(?:\.(?!-)[\w-]{1,63})*\.?$/;

export function readHost(text: string): SettingValue<string> {
  const isValid = isIP(text) !== 0 || HOST_NAME.test(text);
  return checked(isValid, text, 'must be an address or a host name');
}

/**
 * The address of a service, as headers and links take it: a name in other letters is written as DNS has it. The parser
 * drops tabs, line ends and blanks, which would then be in what is sent.
 */
export function readAddress(
  text: string,
  isValid: (url: URL) => boolean,
  complaint: string,
): SettingValue<string> {
  const url = /[\s\p{Cc}?#]/u.test(text) ? null : URL.parse(text);
  const isPlain = url?.username === '' && url.password === '';
  if (url === null || !isPlain || !isValid(url)) return { complaint };
  return { value: url.href.replace(/\/+$/, '') };
}

const MOST_PORT = 65_535;

export function readPort(text: string): SettingValue<number> {
  return readCount(text, 0, MOST_PORT);
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
  const wrong = listed(text).find((one) => {
    const ports = /^[^=\s\p{Cc}]+:(\d{1,5})=[^=\s\p{Cc}]+:(\d{1,5})$/u.exec(one)?.slice(1) ?? [
      MOST_PORT + 1,
    ];
    return ports.some((port) => Number(port) > MOST_PORT);
  });
  return wrong === undefined
    ? { value: listed(text) }
    : { complaint: `must be name:port=address:port, and ${quote(wrong)} is not` };
}

/** The address of a provider: https, or http on this machine. It is left as it is, since the provider says the same. */
export const readIssuer = orNothing((text) => {
  const read = readAddress(
    text,
    ({ protocol, hostname }) =>
      protocol === 'https:' ||
      (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, ''))),
    'must be the https address of a provider, such as https://login.example.com',
  );
  return 'complaint' in read ? read : { value: text };
});

export const readShort = orNothing((text) =>
  checked(text.length <= 200, text, 'must have at most 200 characters'),
);

/** Reads the address of the store, and refuses parameters that the driver would ignore. */
export function readDatabaseUrl(text: string): SettingValue<string> {
  if (/^sqlite:./.test(text)) return { value: text };
  return readPostgresUrl(text);
}

const ENCODED =
  'Characters such as @ : / ? # % in the user or the password are written percent-encoded, such as %40 in place of @';

/** Whether the user, the password or the database has a character that ends it, or no code after a percent sign. */
function isUnencoded({ username, password, pathname, search, hash }: URL): boolean {
  const isCut = username === '' && /^[^?]*@|\?[^=&]*@|#.*@/.test(pathname + search + hash);
  return isCut || /%(?![0-9a-f]{2})/i.test(`${username}${password}${pathname}`);
}

function readPostgresUrl(text: string): SettingValue<string> {
  const servers = /^postgres(ql)?:\/\//.test(text) ? serversOf(text) : [];
  const urls = servers.map((one) => URL.parse(one));
  const [url] = urls;
  if (!url || urls.some((one) => !one?.host && urls.length > 1))
    return {
      complaint: `must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE. ${ENCODED}`,
    };
  if (urls.some((one) => one && isUnencoded(one)))
    return { complaint: `must be postgres://USER:PASSWORD@HOST:PORT/DATABASE. ${ENCODED}` };
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown === undefined) {
    const wrong = [...url.searchParams].find(
      ([name, value]) => VALUES[name]?.[0].test(value) === false,
    );
    if (wrong === undefined) return { value: text };
    const [name, value] = wrong;
    return { complaint: `must have ${VALUES[name]?.[1]} as ${name}, and not ${quote(value)}` };
  }
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

const TIME_LIMIT = [/^\d{1,9}$/, 'a number of milliseconds'] as const;
/** Values that the driver, or the server, takes for those that have no free text. */
const VALUES: Readonly<Record<string, readonly [RegExp, says: string]>> = {
  // Texts are read as UTF-8, whatever a server sends.
  client_encoding: [/^utf-?8$/i, 'UTF8'],
  port: [/^(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/, 'a port'],
  sslmode: [
    /^(?:disable|allow|prefer|require|verify-ca|verify-full|no-verify)$/,
    'disable, prefer, require, verify-ca, verify-full or no-verify',
  ],
  lock_timeout: TIME_LIMIT,
  statement_timeout: TIME_LIMIT,
  idle_in_transaction_session_timeout: TIME_LIMIT,
  query_timeout: TIME_LIMIT,
};

/** Shorter names are near to many words that mean something else. */
const SHORTEST = 6;
const LONG = 10;

/** The name that was meant by one misspelled by a letter or two. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const near = (most: number) =>
    known.find((one) => one.length >= SHORTEST && distance(name, one, most) <= most);
  return near(1) ?? (name.length < LONG ? undefined : near(2));
}
