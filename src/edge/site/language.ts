/** Chooses the language of the console's page for a browser. */
import type { IncomingHttpHeaders } from 'node:http';
import { isLanguage, LANGUAGE_COOKIE, type Language } from '../../../console/src/languages.ts';
import { weightsIn } from '../fair/weights.ts';

/** The one that was chosen in this browser; else the first that the browser accepts; else English. */
export function languageFor({
  cookie = '',
  'accept-language': accepted = '',
}: IncomingHttpHeaders): Language {
  const chosen = cookie
    .split(';')
    .map((pair) => pair.trim().split('='))
    .find(([name, value]) => name === LANGUAGE_COOKIE && isLanguage(value))?.[1];
  if (isLanguage(chosen)) return chosen;
  const [first] = [...weightsIn(accepted)]
    .map(([tag, weight]) => ({ code: tag.split('-')[0], weight }))
    .filter(({ code, weight }) => isLanguage(code) && weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return isLanguage(first?.code) ? first.code : 'en';
}
