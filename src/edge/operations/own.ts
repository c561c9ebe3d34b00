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
import type { Members } from '../../core/schema/fields/members.ts';
import { capitalised, inWords, withArticle } from '../../core/schema/present/words.ts';
import type { Principal } from '../../records/auth/principal.ts';
import {
  type None,
  type Operation,
  type OperationCall,
  operation,
  type RowPages,
  type Services,
  type Values,
} from './operation.ts';
import { type PageOptions, type PageQuery, pageOf, paging } from './pages.ts';

interface Identified {
  readonly unique_identifier: string;
  readonly account: string;
}

interface CommonOptions<One>
  extends Pick<Operation, 'tag' | 'needs' | 'errors' | 'refusesIdempotencyKey'> {
  /** Words for one of them and for several, if not those of the object's name and path. */
  readonly called?: readonly [one: string, several: string];
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

type ListOptions<Query extends Members, One> = OperationOptions &
  PageOptions & {
    readonly query?: Query;
    readonly rows?: (
      services: Services,
      call: OperationCall<Values<Query, None> & PageQuery>,
    ) => RowPages;
    /** Members of a page beside its entries. */
    readonly beside?: (
      services: Services,
      caller: Principal,
      wanted: Values<Query, None>,
    ) => Promise<object>;
    /** The entries of a page; one more than `limit` says that there are more. */
    readonly find: (
      services: Services,
      call: Pick<OperationCall<never>, 'caller' | 'id'>,
      wanted: Values<Query, None> & { readonly after: string | undefined; readonly limit: number },
    ) => Promise<readonly One[]>;
  };

export function operationsOn<F extends OwnFields, One extends object = ObjectOf<F>>(
  object: OwnObject<F>,
  {
    show = (one) => present(object, one as never, 'api', 0),
    called,
    conditional,
    ...common
  }: CommonOptions<One>,
) {
  const { name, typeName, path = '/v1/', fields } = object;
  const isLarge = Object.values(fields).some(
    ({ kind, is }) => is !== 'derived' && (kind.isJson || kind.column === 'texts'),
  );
  const group = path.split('/').at(-1) ?? '';
  const [words, all] = called ?? [inWords(name), inWords(group)];
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
      on: object,
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
        on: object,
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
          const page = await pageOf(url.replace(':unique_identifier', call.id), {
            limit,
            after,
            ...(isLarge ? {} : { slice: limit + 1 }),
            ...(cursor === undefined ? {} : { cursor }),
            find: async (after, limit) => {
              const wanted = { ...filters, after, limit } as never;
              const found = await find(services, call as OperationCall<never>, wanted);
              return found.map((one) => show(one, services));
            },
          });
          return { ...page, ...(await beside?.(services, call.caller, filters as never)) };
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
        on: object,
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
