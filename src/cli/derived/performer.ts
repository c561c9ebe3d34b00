/** Where the operations of a command are performed: on a store, or by a service elsewhere. */
import type { Room, Taken } from '../../app/bag.ts';
import type { OwnObject } from '../../core/objects/own-object.ts';
import type { Runnable } from '../../edge/operations/operation.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { Store } from '../../store/promises/store.ts';
import type { CommandAudit } from '../audit/record-command.ts';
import type { Directory } from '../directory.ts';

/** An operation of the interface or of administrators. */
export interface CommandOperation extends Runnable<never> {
  readonly name: string;
  readonly summary?: string;
  readonly answers?: { readonly cursor?: string };
  readonly id?: { readonly says: string; readonly prefix: string };
  readonly on?: Pick<OwnObject, 'name' | 'printed' | 'fields'>;
}

export interface OperationRequest {
  /** The identifier of the path. */
  readonly id: string;
  /** Other parts of the path, by their names. */
  readonly inPath: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly body: object;
  /** All members of both, and the account that it is about where they do not say it. */
  readonly about: Readonly<Record<string, unknown>>;
}

export interface Performer {
  readonly directory: Directory;
  /** Performs an operation; an answer of lines is given as these. Throws the `ApiError` that the interface would answer. */
  readonly perform: (operation: CommandOperation, request: OperationRequest) => Promise<unknown>;
  /** The store, where operations are performed on one. */
  readonly here: Here | undefined;
}

/** For what no operation does: the store itself. */
export interface Here {
  readonly store: Store;
  readonly services: Taken;
  /** Takes more services. */
  readonly take: (rooms: readonly Room[]) => Promise<void>;
  readonly audit: CommandAudit;
  /** Who performs an operation on this. */
  readonly caller: (about: Pick<OperationRequest, 'id' | 'about'>) => Promise<Principal>;
}
