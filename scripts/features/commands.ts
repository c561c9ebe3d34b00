/** Writes the list of commands of features: each is loaded when it is wanted, a feature without a command of its own has those of its operations, and one whose command exports `names` has these. */
import type { Feature } from './feature.ts';

/** Files of commands, as the list names them. */
const fileIn = (...path: readonly string[]): string =>
  JSON.stringify(['..', 'cli', ...path].join('/'));

/** `them` have a command of their own, or say something to other commands; `all` have operations. */
export function commandsText(them: readonly Feature[], all: readonly Feature[]): string {
  const loads = (folder: string, door: string): string =>
    `await import(${JSON.stringify(`./${folder}/${door}.ts`)})`;
  const own = ({ folder }: Feature, member: string): string =>
    `async () => (${loads(folder, 'command')}).${member}`;
  const lists = (member: string): string =>
    them.flatMap((one) => (one.exports(member) ? [own(one, member)] : [])).join();
  const adding = new Map(
    them.filter(({ exports }) => exports('add')).map((one) => [one.folder, one]),
  );
  const named = them.filter(({ names }) => names.length > 0);
  const ofOperations = all.filter(
    ({ folder, exports }) => exports('operations') && !named.some((one) => one.folder === folder),
  );
  const whole = named.flatMap((one) =>
    one.names.map((name) => `${JSON.stringify(name)}: ${own(one, 'add')}, `),
  );
  const commands = ofOperations.map((one) => {
    const name = JSON.stringify(one.says('command') ?? one.folder);
    const its = adding.get(one.folder);
    const derived = `ofFeature(${name}, ${JSON.stringify(one.name)}, async () => ${loads(one.folder, 'operations')})`;
    return `${name}: ${its === undefined ? derived : own(its, 'add')}, `;
  });
  const isDerived = ofOperations.some(({ folder }) => !adding.has(folder));
  return `import { type LoadCommand${isDerived ? ', ofFeature' : ''} } from ${fileIn('derived', 'later.ts')};
    import type { SaysBeside } from ${fileIn('sources', 'beside.ts')};
    import type { Finds, SaysRestored } from ${fileIn('store.ts')};

    /** By the names of their commands. */
    export const featureCommands: Readonly<Record<string, LoadCommand>> = {${[...commands, ...whole].sort().join('')}};
    export const featureBeside: readonly (() => Promise<SaysBeside<never>>)[] = [${lists('beside')}];
    export const featureFinds: readonly (() => Promise<Finds>)[] = [${lists('finds')}];
    export const featureRestored: readonly (() => Promise<SaysRestored>)[] = [${lists('restored')}];`;
}
