/** Commands that are loaded when they are wanted. */
import type { Room } from '../../app/bag.ts';
import type { Command } from '../help.ts';
import type { FeatureOperations } from './feature.ts';

export type LoadCommand = () => Promise<(program: Command) => void>;

/** The commands of a feature that has none of its own: `service` is its name in the bag. */
export function ofFeature(
  name: string,
  service: Room,
  load: () => Promise<FeatureOperations>,
): LoadCommand {
  return async () => {
    const [{ addFeature }, feature] = await Promise.all([import('./whole.ts'), load()]);
    return (program) => void addFeature(program, { name, service, ...feature });
  };
}
