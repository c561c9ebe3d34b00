/**
 * The operations on one of our own objects. Names, paths, identifiers, responses and the pages of lists follow from
 * the declaration of the object; each operation says only what is its own.
 */
import {
  type ObjectOf,
  type OwnFields,
  type OwnObject,
  present,
} from '../../core/objects/own-object.ts';
import { optional, text, wholeNumber } from '../../core/schema/fields/index.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import { capitalised, inWords, withArticle } from '../../core/schema/present/words.ts';
import type { Principal } from '../../records/auth/principal.ts';
import {
  type None,
  type Operation,
  type OperationCall,
  operation,
  pageOf,
  type RowPages,
  type Services,
  type Values,
} from './operation.ts';

interface Identified {
  readonly unique_identifier: string;
  readonly account: string;
}

interface CommonOptions<One>
  extends Pick<Operation, 'tag' | 'needs' | 'errors' | 'refusesIdempotencyKey'> {
  /** Whether its changes take If-Match and Idempotency-Key. */
  readonly conditional?: true;
  /** The object as it is answered, if not as the API has it. */
  readonly show?: (one: One, services: Services) => object;
}

/** Options of the operations on an object; the object decides those that are left out. */
type OperationOptions = Pick<Operation, 'description'> &
  Partial<Omit<Operation, 'description' | 'query' | 'body' | 'run' | 'rows'>>;

type OperationSpec<Body extends Members, Answer> = OperationOptions & {
  readonly body?: Body;
  readonly run: (services: Services, call: OperationCall<Values<None, Body>>) => Promise<Answer>;
};

interface PageOptions {
  /** How many entries a page has unless the request says otherwise. */
  readonly limit: number;
  /** How many it has at most, if more than that. */
  readonly max?: number;
  /** The member of an entry to send as `starting_after`, if not its unique identifier. */
  readonly cursor?: string;
}

interface PageQuery {
  readonly limit?: number;
  readonly starting_after?: string;
}

type ListOptions<Query extends Members, One> = OperationOptions &
  PageOptions & {
    readonly query?: Query;
    readonly rows?: (
      services: Services,
      call: OperationCall<Values<Query, None> & PageQuery>,
    ) => RowPages;
    /** Members of a page beside its entries. */
    readonly beside?: (services: Services, caller: Principal) => Promise<object>;
    /** The entries of a page; one more than `limit` says that there are more. */
    readonly find: (
      services: Services,
      call: Pick<OperationCall<never>, 'caller' | 'id'>,
      wanted: Values<Query, None> & { readonly after: string | undefined; readonly limit: number },
    ) => Promise<readonly One[]>;
  };

/** The members of a query that asks for a page. */
export function paging({ limit, max = limit, cursor = 'unique_identifier' }: PageOptions) {
  return {
    limit: optional(wholeNumber({ min: 1, max }), `Maximum number to return; ${limit} by default`),
    starting_after: optional(text({}), `${cursor} of the last one of the page before`),
  };
}

export function operationsOn<F extends OwnFields, One extends object = ObjectOf<F>>(
  object: OwnObject<F>,
  {
    show = (one) => present(object, one as never, 'api', 0),
    conditional,
    ...common
  }: CommonOptions<One>,
) {
  const { name, typeName, path = '/v1/', fields } = object;
  const words = inWords(name);
  const group = path.split('/').at(-1) ?? '';
  const all = inWords(group);
  const route = `${path}/:unique_identifier` as const;
  const answers = { schema: typeName, says: `The ${words}.` };
  const id = {
    says: `Identifies the ${words}`,
    prefix: fields.unique_identifier?.kind.prefix ?? '',
  };
  const writes = {
    ...(conditional
      ? { conditional }
      : {
          refusesIdempotencyKey: `${capitalised(all)} take no Idempotency-Key: send the request without it.`,
        }),
    ...common,
  };
  const missing = { id, errors: ['resource_missing'] } as const;
  const one = <Body extends Members>(
    verb: string,
    route: Operation['route'],
    own: Partial<OperationOptions> & Pick<Operation, 'tag'>,
    says: OperationSpec<Body, One & Identified>,
  ): Operation =>
    operation<None, Body>({
      name: `${verb}_${name}`,
      route,
      answers,
      summary: `${capitalised(verb)} ${withArticle(words)}`,
      ...own,
      ...says,
      run: async (services, call) => {
        const one = await says.run(services, call);
        call.done({ unique_identifier: one.unique_identifier, account: one.account });
        return show(one, services);
      },
    });
  return {
    create: <Body extends Members>(says: OperationSpec<Body, One & Identified>) =>
      one('create', `POST ${path}`, writes, says),
    list<Query extends Members = None>(says: ListOptions<Query, One>): Operation {
      const { find, beside, limit: usual, max: _max, cursor, ...rest } = says;
      const url = path.replace(/\{\w+\}/, ':unique_identifier') as typeof path;
      return {
        ...common,
        name: `list_${group}`,
        summary: `List ${all}`,
        route: `GET ${url}`,
        answers: {
          schema: `${typeName.replace(/Entry$/, '')}List`,
          says: 'One page.',
          ...(cursor === undefined ? {} : { cursor }),
        },
        defaults: { limit: usual },
        // `params` reads by these very members.
        ...(rest as OperationOptions),
        query: { ...says.query, ...paging(says) },
        run: async (services, call) => {
          const { limit = usual, starting_after: after, ...filters } = call.params() as PageQuery;
          const wanted = { ...filters, after, limit: limit + 1 };
          const found = await find(services, call as OperationCall<never>, wanted as never);
          const entries = found.map((one) => show(one, services));
          const page = pageOf(url.replace(':unique_identifier', call.id), entries, limit);
          return { ...page, ...(await beside?.(services, call.caller)) };
        },
      };
    },
    get: (says: OperationSpec<None, One & Identified>) => {
      const summary = `Read ${withArticle(words)}`;
      return one('get', `GET ${route}`, { ...common, ...missing, summary }, says);
    },
    change: <Body extends Members>(says: OperationSpec<Body, One & Identified>) =>
      one('change', `PATCH ${route}`, { ...writes, id }, says),
    /** Actions on one object by `POST …/:unique_identifier/VERB`. */
    act: <Body extends Members = None>(
      verb: string,
      says: OperationSpec<Body, One & Identified> & Pick<Operation, 'summary'>,
    ) => one(verb, `POST ${route}/${verb}`, { ...writes, ...missing }, says),
    /** `run` gives the removed one, or whose it was. */
    remove(says: OperationSpec<None, Pick<Identified, 'account'>>): Operation {
      return operation({
        ...writes,
        id,
        name: `delete_${name}`,
        summary: `Delete ${withArticle(words)}`,
        answers: { schema: `Removed${typeName}`, says: `The ${words} is gone.` },
        route: `DELETE ${route}`,
        errors: ['resource_missing'],
        ...says,
        run: async (services, call) => {
          const { account } = await says.run(services, call);
          call.done({ account });
          return { object: name, unique_identifier: call.id, deleted: true };
        },
      });
    },
  };
}
