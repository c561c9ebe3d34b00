/** Chooses the language of the console's page for a browser. */
import type { IncomingHttpHeaders } from 'node:http';
import { isLanguage, LANGUAGE_COOKIE, type Language } from '../../../console/src/languages.ts';

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
  const wanted = accepted.split(',').map((range) => {
    const [tag = '', weight] = range.split(';');
    const quality = Number(/^\s*q=([\d.]+)\s*$/i.exec(weight ?? '')?.[1] ?? 1);
    return { code: tag.trim().split('-')[0]?.toLowerCase(), quality };
  });
  const [first] = wanted
    .filter(({ code, quality }) => isLanguage(code) && quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return isLanguage(first?.code) ? first.code : 'en';
}
