// Generated from client/src/notifications.ts by "npm run generate"; do not edit.

/** The types of webhook notifications. */
import type { Change } from './generated/changes.d.ts';
export interface Notification<Type extends string, Data> {
    readonly type: Type;
    /** When it happened. */
    readonly timestamp: string;
    readonly data: Data;
}
/** A change of a record of one resource: `event.created`, `event.updated`, … */
export type ChangeNotification<Resource extends Change['resource'], Outcome extends Change['outcome'], Found> = Outcome extends Outcome ? Notification<`${Resource}.${Outcome}`, Omit<Change, 'resource' | 'outcome' | 'record_now'> & {
    readonly resource: Resource;
    readonly outcome: Outcome;
    /** Only where the endpoint has `payload` `full`: the record as it was at the moment of sending; null where it was not there any more. */
    readonly record_now?: Found | null;
}> : never;
/** That a source sent another value for what staff corrected: read it with `api.proposals.list`. */
export type ProposalNotification = Notification<'proposal.created', Change>;
