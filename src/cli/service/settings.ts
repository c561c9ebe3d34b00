/** The settings as options of commands. */
import { Option } from 'commander';
import {
  type CommandLineSettings,
  readSettings,
  type Setting,
  type Settings,
  settings,
} from '../../core/config.ts';
import type { Command } from '../help.ts';

/** The option of one setting; its help is the row of the table of settings. */
export function settingOption(name: keyof Settings): Option {
  const setting = settings.find((one) => one.name === name) as Setting;
  const otherwise = setting.default === '' ? '' : `; default ${setting.default}`;
  return new Option(setting.option, `${setting.says} (${setting.variable}${otherwise})`);
}

/** The option of one setting where it is one of many things: what it means is in `config` and `serve --help`. */
export function shortOption(name: keyof typeof SHORT): Option {
  const { option, variable } = settings.find((one) => one.name === name) as Setting;
  return new Option(option, `${SHORT[name]} (${variable}; see "ledgerstone serve --help")`);
}

const SHORT = {
  database_url: 'Where records are stored',
  secret_key_file: 'The file with the key of the service',
  webhook_allow: 'Private networks that webhooks may reach',
};

/** Adds an option for every setting but the address of the store, which is an option of every command. */
export function addSettings(command: Command): Command {
  for (const { name } of settings)
    if (name !== 'database_url') command.addOption(settingOption(name));
  return command;
}

export function givenSettings(command: Command): CommandLineSettings {
  // An option that takes no value is `true`.
  const options: Record<string, string | true | undefined> = command.optsWithGlobals();
  return Object.fromEntries(
    settings.flatMap(({ name, option }) => {
      const text = options[new Option(option).attributeName()];
      return text === undefined ? [] : [[name, String(text)]];
    }),
  );
}

/** Reads some of the settings that a command was given. Throws `SettingsError`. */
export function settingsFor<Name extends keyof Settings>(
  command: Command,
  ...names: readonly Name[]
): Pick<Settings, Name> {
  return readSettings(givenSettings(command), undefined, names);
}

/** The message for a variable that looks like a setting. */
export function misspelling({ variable, meant }: Record<'variable' | 'meant', string>): string {
  return `The variable ${variable} is ignored: there is no such setting. Did you mean ${meant}?`;
}
