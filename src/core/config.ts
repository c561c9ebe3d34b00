/** Finds the settings on the command line and in the environment. Nothing else reads the environment. */
import { nearest, quote, readClean, type SettingValue } from './config/readers.ts';
import { type Setting, type Settings, settings } from './config/settings.ts';
import { serversOf } from './network/servers.ts';
import { SettingsError } from './settings-error.ts';

export { type Setting, type Settings, settings } from './config/settings.ts';

export type CommandLineSettings = { readonly [N in keyof Settings]?: string };

export type Source = 'option' | 'variable' | 'default';

/** A setting's value and source, or why it is not valid, after reading all sources. */
export type SettingResult = {
  readonly setting: Setting;
  readonly source: Source;
  readonly text: string;
} & SettingValue<unknown>;

/** Every setting: from the command line, else the environment, else the default. */
export function findSettings(
  given: CommandLineSettings,
  environment: NodeJS.ProcessEnv = process.env,
): readonly SettingResult[] {
  const found = settings.map((setting): SettingResult => {
    const option = given[setting.name];
    // A variable that is set to nothing counts as not set, as in a compose file with an empty value.
    const variable = environment[setting.variable] || undefined;
    const text = option ?? variable ?? setting.default;
    const source =
      option !== undefined ? 'option' : variable !== undefined ? 'variable' : 'default';
    return { setting, source, text, ...readClean(setting.read, text) };
  });
  const values = valuesOf(found);
  return found.map((one) => {
    if ('complaint' in one) return refused(one, one.complaint);
    const [isWrong, complaint = ''] = TOGETHER[one.setting.name] ?? [];
    return isWrong?.(values) ? refused(one, complaint) : one;
  });
}

/** When a setting does not fit the others, and the complaint about it. */
const TOGETHER: {
  readonly [N in keyof Settings]?: readonly [
    isWrong: (values: Partial<Settings>) => unknown,
    complaint: string,
  ];
} = {
  metrics_port: [
    ({ metrics_port, port }) => port && metrics_port === port,
    'must be another port than that of the service',
  ],
  tls_cert: [
    ({ tls_cert, tls_key }) => tls_key && !tls_cert,
    'must name the certificate of the key that TLS_KEY names',
  ],
  tls_key: [
    ({ tls_cert, tls_key }) => tls_cert && !tls_key,
    'must name the key of the certificate that TLS_CERT names',
  ],
  oidc_client_id: [
    ({ oidc_issuer, oidc_client_id }) => oidc_issuer && !oidc_client_id,
    'must name this service at the provider that OIDC_ISSUER names',
  ],
  processes: [
    ({ processes = 1, database_url }) => processes > 1 && database_url?.startsWith('sqlite:'),
    'must be 1 on SQLite, because only one process can serve a file; to run several, set DATABASE_URL to a PostgreSQL database',
  ],
  database_url: [
    ({ database_url = '', database_distribution }) =>
      serversOf(database_url).length > 1 && !database_distribution,
    'must name one server unless DATABASE_DISTRIBUTION is citus',
  ],
  database_partitions: [
    ({ database_partitions, database_distribution }) =>
      database_partitions && database_distribution,
    'must be 0 where DATABASE_DISTRIBUTION is citus, which divides the tables',
  ],
};

function valuesOf(found: readonly SettingResult[]): Partial<Settings> {
  return Object.fromEntries(
    found.flatMap((one) => ('value' in one ? [[one.setting.name, one.value]] : [])),
  );
}

/**
 * Variables that look like a setting and are none, each with that of the setting, which is not given. Variables of other
 * programs are none of these, unless they are named almost like a setting.
 */
export function misspelledVariables(
  given: CommandLineSettings,
  environment: NodeJS.ProcessEnv = process.env,
) {
  const known = settings.map(({ variable }) => variable);
  const missing = settings
    .filter(({ name, variable }) => given[name] === undefined && !environment[variable])
    .map(({ variable }) => variable);
  return Object.keys(environment).flatMap((variable) => {
    if (known.includes(variable) || !environment[variable]) return [];
    const meant = nearest(variable.toUpperCase(), missing);
    return meant === undefined ? [] : [{ variable, meant }];
  });
}

/** Variables that name a proxy for requests to others, which the service does not use. */
export function proxyVariables(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  return Object.keys(environment).filter(
    (variable) => /^(?:https?|all)_proxy$/i.test(variable) && environment[variable],
  );
}

function refused({ setting, source, text }: SettingResult, complaint: string): SettingResult {
  const name = source === 'option' ? setting.option.split(' ')[0] : setting.variable;
  const shown = quote(text);
  const it = complaint.includes(shown) ? '' : `; it is ${shown}`;
  return { setting, source, text, complaint: `${name} ${complaint}${it}.` };
}

/** The settings; those that are wrong have their default. */
export function readableSettings(given: CommandLineSettings): Settings {
  const values = findSettings(given).map((one) => {
    const { name, read, default: text } = one.setting;
    const found = 'value' in one ? one : read(text);
    return [name, 'value' in found ? found.value : undefined];
  });
  return Object.fromEntries(values) as Settings;
}

/** The settings, or those of the given names. Throws one `SettingsError` for all of them that are wrong. */
export function readSettings<N extends keyof Settings = keyof Settings>(
  given: CommandLineSettings,
  environment: NodeJS.ProcessEnv = process.env,
  names?: readonly N[],
): Pick<Settings, N> {
  const found = findSettings(given, environment).filter(
    ({ setting }) => names === undefined || (names as readonly string[]).includes(setting.name),
  );
  const complaints = found.flatMap((one) => ('complaint' in one ? [one.complaint] : []));
  if (complaints.length > 0) throw new SettingsError(complaints.join('\n'));
  return valuesOf(found) as Pick<Settings, N>;
}
