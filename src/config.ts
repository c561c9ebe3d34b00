/**
 * Every setting: its name, where it is read from, its default and a sentence.
 * `--help`, `ledgerstone config`, the documentation and the one error that
 * lists all wrong settings come from this table. Nothing else reads the
 * environment.
 */

export interface Settings {
  readonly database_url: string;
  readonly host: string;
  readonly port: number;
  readonly log_level: string;
  /** Where the outside world reaches the service; `undefined`: the address it listens on. */
  readonly public_url: string | undefined;
  readonly cors_origins: readonly string[];
}

export interface Setting<N extends keyof Settings = keyof Settings> {
  readonly name: N;
  /** The command line option, as it is written in help. */
  readonly option: string;
  /** The environment variable. */
  readonly variable: string;
  /** As it would be written; empty for none. */
  readonly default: string;
  readonly says: string;
  /** The value, or a complaint that ends "X must be …". */
  read(text: string): { value: Settings[N] } | { complaint: string };
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

function setting<N extends keyof Settings>(one: Setting<N>): Setting<N> {
  return one;
}

export const settings = [
  setting({
    name: 'database_url',
    option: '--database-url <url>',
    variable: 'DATABASE_URL',
    default: 'sqlite:./data/ledgerstone.db',
    says: 'Where the records are: sqlite:PATH, the path being relative to the current folder unless it starts with a slash',
    read: (text) =>
      /^sqlite:./.test(text) ? { value: text } : { complaint: 'must be sqlite:PATH' },
  }),
  setting({
    name: 'host',
    option: '--host <address>',
    variable: 'HOST',
    default: '127.0.0.1',
    says: 'The address to listen on; 0.0.0.0 or :: for all of this machine',
    read: (text) =>
      /^[\w.:-]+$/.test(text)
        ? { value: text }
        : { complaint: 'must be an address or a host name' },
  }),
  setting({
    name: 'port',
    option: '--port <number>',
    variable: 'PORT',
    default: '8080',
    says: 'The port to listen on; 0 for any that is free',
    read: (text) =>
      /^\d{1,5}$/.test(text) && Number(text) <= 65_535
        ? { value: Number(text) }
        : { complaint: 'must be a whole number from 0 to 65535' },
  }),
  setting({
    name: 'log_level',
    option: '--log-level <level>',
    variable: 'LOG_LEVEL',
    default: 'info',
    says: `How much to log: ${LOG_LEVELS.join(', ')}`,
    read: (text) =>
      LOG_LEVELS.includes(text)
        ? { value: text }
        : { complaint: `must be one of ${LOG_LEVELS.join(', ')}` },
  }),
  setting({
    name: 'public_url',
    option: '--public-url <url>',
    variable: 'PUBLIC_URL',
    default: '',
    says: 'The address at which the outside world reaches the service, for the links in answers; the address it listens on where not set',
    read: (text) => {
      if (text === '') return { value: undefined };
      const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
      return url === null || url.search !== '' || url.hash !== '' || url.username !== ''
        ? {
            complaint:
              'must be an http or https URL without a query, such as https://records.example.com',
          }
        : { value: text.replace(/\/+$/, '') };
    },
  }),
  setting({
    name: 'cors_origins',
    option: '--cors-origins <origins>',
    variable: 'CORS_ORIGINS',
    default: '',
    says: 'The origins whose pages may call the service from a browser, with commas between them, such as https://console.example.com; none where not set',
    read: (text) => {
      const origins = text
        .split(',')
        .map((origin) => origin.trim())
        .filter((origin) => origin !== '');
      const wrong = origins.find((origin) => URL.parse(origin)?.origin !== origin);
      return wrong === undefined
        ? { value: origins }
        : {
            complaint: `must be origins such as https://console.example.com, without a path, and ${wrong} is none`,
          };
    },
  }),
] as const;

/** What was given on the command line, by setting. */
export type GivenSettings = { readonly [N in keyof Settings]?: string };

/** Every setting that is wrong, one line each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** The settings: from the command line, else the environment, else the default. Throws one `SettingsError` for all that is wrong. */
export function readSettings(given: GivenSettings, environment: NodeJS.ProcessEnv): Settings {
  const complaints: string[] = [];
  const values: Record<string, unknown> = {};
  for (const one of settings) {
    const option = given[one.name];
    const variable = environment[one.variable];
    const source = option !== undefined ? (one.option.split(' ')[0] as string) : one.variable;
    // A variable that is set to nothing counts as not set, as in a compose file with an empty value.
    const text = option ?? (variable === undefined || variable === '' ? one.default : variable);
    const result = one.read(text);
    if ('complaint' in result) complaints.push(`${source} ${result.complaint}; it is "${text}".`);
    else values[one.name] = result.value;
  }
  if (complaints.length > 0) throw new SettingsError(complaints.join('\n'));
  return values as unknown as Settings;
}
