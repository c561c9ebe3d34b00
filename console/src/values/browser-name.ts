/** Common names of browsers and systems, from the User-Agent. */

/** The first that is named wins: browsers also name those that they are like. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const;

/** As it names itself, if it is not a known one. */
export function browserName(said: string): string {
  const [, browser] = BROWSERS.find(([mark]) => said.includes(`${mark}/`)) ?? [];
  const [, system] = SYSTEMS.find(([mark]) => said.includes(mark)) ?? [];
  if (browser === undefined) return said;
  return system === undefined ? browser : `${browser}, ${system}`;
}
