/** The languages of the console, and the types of its messages, from the catalogues of `console/messages`. */
import { argumentsIn, cataloguesIn, languagesIn, readMessages } from '../console/build/messages.ts';

/** From the generated file. */
const TYPES = '../messages.ts';

export function languagesText(): string {
  const entries = languagesIn().map((code) => {
    const { name, region } = readMessages<Record<string, string>>(code, 'language');
    return `  ${code}: { name: '${name}', region: '${region}' },\n`;
  });
  return `/** Each by its own name, and the region of most people who use it. */\nexport const LANGUAGES = {\n${entries.join('')}} as const;\n`;
}

export function argumentsText(): string {
  const members = cataloguesIn().flatMap((name) =>
    [...argumentsIn(name)].flatMap(([way, taken]) => {
      const [first, ...others] = Object.entries(taken).map(([one, type]) => `${one}: ${type}`);
      if (first === undefined) return [];
      const all = others.length === 0 ? first : `values: { ${[first, ...others].join('; ')} }`;
      return [`  '${way}': [${all}];\n`];
    }),
  );
  return `type Text = string | number;\n\n/** The arguments of messages; those without are left out. */\nexport interface Arguments {\n${members.join('')}}\n`;
}

export function cataloguesText(): string {
  const members = cataloguesIn().map(
    (name) =>
      `  export const ${name}: import('${TYPES}').Messages<typeof import('../../messages/en/${name}.json'), '${name}'>;\n`,
  );
  return `declare module 'messages' {\n${members.join('')}}\n`;
}
