/** Finds the settings on the command line and in the environment. Nothing else reads the environment. */
import { nearest } from './config/nearest.ts';
import { quote } from './config/readers.ts';
import { type Setting, type Settings, settings } from './config/settings.ts';
import { serversOf } from './network/servers.ts';

export { type Setting, type Settings, settings } from './config/settings.ts';

/** Values from the command line, by setting. */
export type CommandLineSettings = { readonly [N in keyof Settings]?: string };

/** Where a setting's value came from. */
export type Source = 'option' | 'variable' | 'default';

/** A setting's value and source, or why it is not valid, after reading all sources. */
export type SettingResult = {
  readonly setting: Setting;
  readonly source: Source;
  /** The value as it was written. */
  readonly text: string;
} & ({ readonly value: Settings[keyof Settings] } | { readonly complaint: string });

/** Every setting that is wrong, one line each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Every setting: from the command line, else the environment, else the default. */
export function findSettings(
  given: CommandLineSettings,
  environment: NodeJS.ProcessEnv = process.env,
): readonly SettingResult[] {
  const found = settings.map((setting: Setting): SettingResult => {
    const option = given[setting.name];
    // A variable that is set to nothing counts as not set, as in a compose file with an empty value.
    const variable = environment[setting.variable] || undefined;
    const text = option ?? variable ?? setting.default;
    const source =
      option !== undefined ? 'option' : variable !== undefined ? 'variable' : 'default';
    const result = setting.read(text);
    if ('value' in result) return { setting, source, text, ...result };
    return refused({ setting, source, text }, result.complaint);
  });
  const byName = new Map(found.map((one) => [one.setting.name, one]));
  return found.map((one) => {
    if (one.setting.name === 'metrics_port' && isSamePort(one, byName.get('port'))) {
      return refused(one, 'must be another port than that of the service');
    }
    if (one.setting.name === 'tls_cert' && isGiven(byName.get('tls_key')) && !isGiven(one))
      return refused(one, 'must name the certificate of the key that TLS_KEY names');
    if (one.setting.name === 'tls_key' && isGiven(byName.get('tls_cert')) && !isGiven(one))
      return refused(one, 'must name the key of the certificate that TLS_CERT names');
    if (
      one.setting.name === 'oidc_client_id' &&
      isGiven(byName.get('oidc_issuer')) &&
      !isGiven(one)
    )
      return refused(one, 'must name this service at the provider that OIDC_ISSUER names');
    if (one.setting.name === 'processes' && isSeveralOnFile(one, byName.get('database_url'))) {
      return refused(
        one,
        'must be 1 on SQLite, because only one process can serve a file; to run several, set DATABASE_URL to a PostgreSQL database',
      );
    }
    const isSpread = isGiven(byName.get('database_distribution'));
    if (one.setting.name === 'database_url' && isOfSeveral(one) && !isSpread) {
      return refused(one, 'must name one server unless DATABASE_DISTRIBUTION is citus');
    }
    if (one.setting.name === 'database_partitions' && isSpread && isDivided(one)) {
      return refused(
        one,
        'must be 0 where DATABASE_DISTRIBUTION is citus, which divides the tables',
      );
    }
    return one;
  });
}

/** A variable that looks like a setting and is none. */
export interface Misspelled {
  readonly variable: string;
  /** The variable of the setting, which is not given. */
  readonly meant: string;
}

/** Variables of other programs are none of these, unless they are named almost like a setting. */
export function misspelledVariables(
  given: CommandLineSettings,
  environment: NodeJS.ProcessEnv = process.env,
): readonly Misspelled[] {
  const all: readonly Setting[] = settings;
  const known = all.map(({ variable }) => variable);
  const missing = all
    .filter(({ name, variable }) => given[name] === undefined && !environment[variable])
    .map(({ variable }) => variable);
  return Object.keys(environment).flatMap((variable) => {
    if (known.includes(variable) || !environment[variable]) return [];
    const meant = nearest(variable.toUpperCase(), missing);
    return meant === undefined ? [] : [{ variable, meant }];
  });
}

function isGiven(one: SettingResult | undefined): boolean {
  return one !== undefined && 'value' in one && one.value !== undefined;
}

function isSeveralOnFile(processes: SettingResult, url: SettingResult | undefined): boolean {
  return (
    'value' in processes &&
    Number(processes.value) > 1 &&
    url !== undefined &&
    'value' in url &&
    String(url.value).startsWith('sqlite:')
  );
}

function isOfSeveral(url: SettingResult): boolean {
  return 'value' in url && serversOf(String(url.value)).length > 1;
}

function isDivided(partitions: SettingResult): boolean {
  return 'value' in partitions && partitions.value !== 0;
}

function refused(
  { setting, source, text }: Pick<SettingResult, 'setting' | 'source' | 'text'>,
  complaint: string,
): SettingResult {
  const name = source === 'option' ? setting.option.split(' ')[0] : setting.variable;
  const shown = quote(text);
  const isNamed = complaint.includes(shown);
  return {
    ...{ setting, source, text },
    complaint: `${name} ${complaint}${isNamed ? '' : `; it is ${shown}`}.`,
  };
}

/** Whether both are the same port; of any that is free, there are many. */
function isSamePort(one: SettingResult, other: SettingResult | undefined): boolean {
  const port = 'value' in one ? one.value : undefined;
  return (
    port !== undefined &&
    port !== 0 &&
    other !== undefined &&
    'value' in other &&
    other.value === port
  );
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
  return Object.fromEntries(
    found.flatMap((one) => ('value' in one ? [[one.setting.name, one.value]] : [])),
  ) as Pick<Settings, N>;
}
