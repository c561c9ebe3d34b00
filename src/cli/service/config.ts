/** `ledgerstone config`: every setting, its value and where that came from. */
import { findSettings, misspelledVariables, type SettingResult } from '../../core/config.ts';
import { redact } from '../../core/observe/redact.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { align, plain, print, warn } from '../output.ts';
import { addSettings, givenSettings, misspelling } from './settings.ts';

export function addConfig(program: Command): void {
  addSettings(program.command('config'))
    .description('Print every setting, its value and where it came from, and exit')
    .option('--json', 'Print one JSON document')
    .examples({
      'ledgerstone config': 'See the settings that "serve" would use',
      'PORT=9000 ledgerstone config --json': 'The same for a program',
    })
    .action(({ json }: { json?: true }, command: Command) => {
      const given = givenSettings(command);
      const found = findSettings(given);
      print(json, found.map(view), ...found.flatMap(paragraph));
      for (const one of misspelledVariables(given)) warn(misspelling(one));
      const complaints = found.flatMap((one) => ('complaint' in one ? [one.complaint] : []));
      if (complaints.length > 0) throw new Mistake(complaints.join('\n'));
    });
}

function view(found: SettingResult): object {
  const { setting, source } = found;
  const { name, option, variable, default: otherwise, says } = setting;
  const value = shownValue(found);
  return {
    ...{ name, value, source, option, variable, default: otherwise, says },
    ...('complaint' in found ? { complaint: found.complaint } : {}),
  };
}

/** The value, without what may be a password. */
function shownValue(found: SettingResult): unknown {
  if ('complaint' in found) return redact(found.text);
  return typeof found.value === 'string' ? redact(found.value) : (found.value ?? null);
}

function paragraph(found: SettingResult): readonly string[] {
  const { setting, source, text } = found;
  const from = {
    option: 'from the command line',
    variable: `from ${setting.variable}`,
    default: 'the default',
  };
  const value = text === '' ? '(not set)' : plain(redact(text));
  const wrong = 'complaint' in found ? ', WRONG' : '';
  return [
    `${setting.name} = ${value}  (${from[source]}${wrong})`,
    ...align([
      ['  ', setting.says],
      ['  ', `${setting.option}, ${setting.variable}`],
    ]),
    '',
  ];
}
