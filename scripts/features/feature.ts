/** A feature with a door, by the text of that door: nothing of `src/` is imported, which may lack a feature that was just deleted. */

export interface Feature {
  readonly folder: string;
  /** Its name in the lists. */
  readonly name: string;
  readonly exports: (member: string) => boolean;
  /** A text that the door exports. */
  readonly says: (member: string) => string | undefined;
  /** The names that the door exports as `names`. */
  readonly names: readonly string[];
}

export function featureWith(folder: string, door: string): Feature {
  return {
    folder,
    name: folder.replace(/-(.)/g, (_, one) => one.toUpperCase()),
    exports: (member) =>
      new RegExp(`^export (?:const|(?:async )?function) ${member}\\b`, 'm').test(door),
    names: /^export const names = \[([^\]]*)\]/m.exec(door)?.[1]?.match(/[\w-]+/g) ?? [],
    says: (member) => new RegExp(`^export const ${member} = '([^']+)';$`, 'm').exec(door)?.[1],
  };
}
