/** A member that a feature adds to each source in their list, made of its own objects that name the source. */
import type { Room } from '../../app/bag.ts';
import type { CommandOperation } from '../derived/performer.ts';

export interface SaysBeside<One extends object> {
  /** The name of the member. */
  readonly as: string;
  /** The member of its objects that names the source. */
  readonly by: string & keyof One;
  /** Lists them. */
  readonly operation: CommandOperation;
  readonly takes: readonly Room[];
  readonly says: (all: readonly One[]) => string | null;
}
