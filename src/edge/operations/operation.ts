/**
 * The declaration of an operation, from which follow its route, its part of the OpenAPI document, the errors that it
 * may answer with, the names of its parameters in the log of requests, and its method of the client.
 */
import type { FastifyInstance } from 'fastify';
import type { ErrorCode } from '../../core/errors.ts';
import type { OwnObject } from '../../core/objects/own-object.ts';
import type { AuditAction } from '../../core/objects/requests/audit-entry.ts';
import type { Timing } from '../../core/observe/timing.ts';
import type { Resource } from '../../core/schema/define.ts';
import { choice, list, optional } from '../../core/schema/fields/index.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import type { ParamsOf } from '../../core/schema/fields/object.ts';
import type { OperationParams, ParamsReader } from '../../core/schema/parse/parse.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { FeatureServices } from '../../features/serves.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { ProposalList } from '../../records/corrections/proposals.ts';
import type { WriteConditions } from '../../records/ingest/idempotency.ts';
import type { Ingest } from '../../records/ingest/ingest.ts';
import type { Many } from '../../records/ingest/many/many.ts';
import type { Query } from '../../records/query/query.ts';
import type { ErasureService } from '../../services/erasures/erasures.ts';
import type { SettingsOf } from '../../services/locations/settings.ts';
import type { IdentifierFingerprints } from '../../services/requests/fingerprints.ts';
import type { SourcesOf } from '../../services/sources/sources.ts';
import type { SyncsOf } from '../../services/syncs/syncs.ts';
import type { RequestBook } from '../../store/books/log/requests.ts';
import type { Permission } from '../../store/promises/keys.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Done } from '../request/request.ts';

export interface Services
  extends FeatureServices,
    Pick<Ingest, 'decide' | 'restoreRemoval'>,
    Pick<Query, 'feed' | 'find' | 'history' | 'locationsIn' | 'reads' | 'removals' | 'search'> {
  readonly erasures: ErasureService;
  readonly locationSettings: SettingsOf;
  /** Marks of callers' own identifiers in refused requests, where there is a key to make them with. */
  readonly many: Many;
  readonly fingerprints: IdentifierFingerprints | undefined;
  readonly proposals: ProposalList;
  readonly requests: RequestBook;
  readonly sources: SourcesOf;
  readonly store: Store;
  readonly syncs: SyncsOf;
}

/** Gives operations, some of whose parameters follow from the resources. */
export type OperationsOf = (resources: readonly Resource[]) => readonly Operation[];

/** Adds hooks that see each request once its caller is known. */
export type RequestWatch = (server: FastifyInstance, services: Services) => void;

export interface OperationCall<Values> {
  readonly caller: Principal;
  /** The `unique_identifier` of the path; empty where it has none. */
  readonly id: string;
  /** Other parts of the path, by their names. */
  readonly inPath: Readonly<Record<string, string>>;
  /** Reads the declared members of query and body. It must be called, after the checks that come before. */
  readonly params: ParamsReader<Values>;
  /** Reads If-Match and Idempotency-Key. Throws `header_invalid`. */
  readonly conditions: () => WriteConditions;
  readonly timing: Timing;
  readonly isGone: () => boolean;
  /** Gives the caller as of now, or throws once its key or session has ended. */
  readonly authenticate: () => Promise<Principal>;
  /** Says in the log of requests what was done; the identifier of the path is there without it. */
  readonly done: (what: Pick<Done, 'unique_identifier' | 'account' | 'outcome' | 'what'>) => void;
  /** Records in the audit what is about to be done, by default that what callers may see or do changes; rejects where that cannot be recorded. */
  readonly grants: (account: string, action?: AuditAction) => Promise<void>;
  readonly header: (name: string, value: string) => void;
}

/** The response, in OpenAPI and in the client. */
export interface Answers {
  /** Name of the component; the answer's example is that of the component. */
  readonly schema: string;
  readonly says: string;
  /** Members that are not required and stand in this answer, such as a secret that is shown once. */
  readonly shows?: readonly string[];
  /** Members of the example that differ from the component's. */
  readonly example?: JsonObject;
  /** Names of headers that only this answer has. */
  readonly headers?: readonly string[];
  /** It answers lines of JSON alone, and this says what they are; the client has no method for it. */
  readonly lines?: string;
  /** Media types other than JSON, by name, each with what it is. */
  readonly also?: Readonly<Record<string, string>>;
  /** The member of a list's entry to send as `starting_after`, if not `unique_identifier`. */
  readonly cursor?: string;
  /** Whether the client gives all of the list, page after page, instead of what asks for pages. */
  readonly whole?: true;
}

export interface RowPages {
  /** For who calls by then. */
  next(caller: Principal): Promise<Iterator<JsonObject> | undefined>;
}

/** The parameters, the rights and the work of an operation; `run` gets the `Services`. */
export interface Runnable<Services> extends OperationParams {
  /** The audit's name for it, if it is in the audit. */
  readonly name?: string;
  /** Method and path, such as `GET /v1/removals/:unique_identifier`. */
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  /** Answered without a key or a session. */
  readonly open?: true;
  /** The required rights, checked before the body; `whole`: at all locations; `administrator`: only people of that role. */
  readonly needs?: {
    readonly permission?: Permission;
    readonly right?: string;
    readonly whole?: true;
    readonly administrator?: true;
  };
  /** Whether it takes If-Match and Idempotency-Key. */
  readonly conditional?: true;
  /** Whether its body is a file, as it is. */
  readonly file?: true;
  /** Why an `Idempotency-Key` is refused, where it is. */
  readonly refusesIdempotencyKey?: string;
  /** Whether a person confirms first that it is them. The audit has it before it is done. */
  readonly confirms?: true;
  /** The action that the audit has of it; left out: `administer` if it is confirmed, else nothing. */
  readonly audits?: AuditAction;
  /** The answer as a page, for browsers. */
  readonly page?: (answer: object) => string;
  /** Lines of JSON, page by page, `undefined` after the last: where they are asked for, all of a list instead of a page; without `run`, always. */
  readonly rows?: (services: Services, call: OperationCall<JsonObject>) => RowPages;
  /** Gives the answer, as JSON text or as an object. Left out where `rows` or a handler answers. */
  readonly run?: (
    services: Services,
    call: OperationCall<JsonObject>,
  ) => string | object | Promise<string | object>;
}

/** An operation of the interface, as OpenAPI and the client have it. */
export interface Operation extends Runnable<Services> {
  /** `operationId` in OpenAPI. */
  readonly name: string;
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /v1/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The object that the path's `unique_identifier` names, and its prefix. */
  readonly id?: { readonly says: string; readonly prefix: string };
  /** Other parts of the path, each with what it is. */
  readonly inPath?: Readonly<Record<string, string>>;
  /** A header that only this operation takes. */
  readonly header?: { readonly name: string; readonly says: string };
  /** Defaults of members of the query, as OpenAPI shows them. */
  readonly defaults?: Readonly<Record<string, number>>;
  /** An example of the body, if not one with the required members alone. */
  readonly sends?: JsonObject;
  readonly answers: Answers;
  /** Errors beyond those that the parts of the declaration imply. */
  readonly errors?: readonly ErrorCode[];
  /** Whether doing it twice does harm: the client repeats it only if it was certainly not done. */
  readonly once?: true;
  /** The operation by GET that does the same by a query: the client calls this one in its place, by its name. */
  readonly sameAs?: string;
  /** Whether each resource has it, so that the client has it with its records. */
  readonly ofRecords?: true;
  /** Whether a handler of its feature answers, and the client has it all the same. */
  readonly handled?: true;
  /** Whether it may take minutes, for which the client waits. */
  readonly long?: true;
  /** Whether only API keys call it, and no page of the console. */
  readonly keysOnly?: true;
  /** The object that it is on. */
  readonly on?: Pick<OwnObject, 'name' | 'printed' | 'fields'>;
  /** The words of its command, where they do not follow from the route, such as `set <source>`: an argument with the name of a member is that member. */
  readonly command?: string;
  /** Why no command performs it. */
  readonly uncommanded?: string;
}

/** Nothing in a query is `null`. */
export type Values<Query extends Members, Body extends Members> = {
  [Name in keyof ParamsOf<Query>]: Exclude<ParamsOf<Query>[Name], null>;
} & ParamsOf<Body>;

export type None = Record<never, never>;

/** An operation whose `run` gets values of the types that `query` and `body` declare. */
export function operation<Query extends Members = None, Body extends Members = None>(
  declared: Omit<Operation, 'query' | 'body' | 'run' | 'rows'> & {
    readonly query?: Query;
    readonly body?: Body;
    readonly rows?: (services: Services, call: OperationCall<Values<Query, Body>>) => RowPages;
    readonly run?: (
      services: Services,
      call: OperationCall<Values<Query, Body>>,
    ) => string | object | Promise<string | object>;
  },
): Operation {
  // `params` reads by these very members.
  return declared as unknown as Operation;
}

/** The member of a query that names some of these. */
export function someOf<const Name extends string>(names: readonly Name[], says: string) {
  return optional(list(choice(...names), { min: 1, max: names.length }), says);
}

export function routeOf({ route }: { readonly route: string }) {
  const [method = '', url = ''] = route.split(' ');
  return { method, url };
}
