/** The part of a feature from which its commands follow. */
import type { Room } from '../../app/bag.ts';
import type { OperationsOf } from '../../edge/operations/operation.ts';

/** The operations of a feature, what the reference says of them, and the services that they take beside its own. */
export interface FeatureOperations {
  readonly tag: { readonly description: string };
  readonly operations: OperationsOf;
  readonly takes?: readonly Room[];
}
