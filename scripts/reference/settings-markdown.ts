/** The reference of settings, from the table in `src/core/config/settings.ts`. */
import { type Setting, settings } from '../../src/core/config.ts';
import { code, paragraphs, table } from './markdown.ts';

export function settingsMarkdown(): string {
  const all: readonly Setting[] = settings;
  return paragraphs([
    '# Settings',
    'Each setting is an option of `ledgerstone serve` or an environment variable. The option wins; a variable that is set to nothing counts as not set. One message names every setting that is wrong, and then nothing is started.',
    '`ledgerstone config` prints every setting, its value and where it came from.',
    table(
      ['Option and variable', 'What it is', 'Default'],
      all.map((one) => [
        `${code(one.option)}<br>${code(one.variable)}`,
        `${one.says}.`,
        code(one.default),
      ]),
    ),
  ]);
}
