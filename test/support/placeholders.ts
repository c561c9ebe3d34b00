/** The values that a message says, by name. */

/** The names of the values in a message, once each. */
export function placesIn(message: string): readonly string[] {
  const said = message.replaceAll(/, plural, one \{\w+\} other \{\w+\}/g, '');
  const names = [...said.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => name !== 'param').sort();
}
