/** The checks before the body is read, in this order: key and limits; then, scheduled like all work of the key, path, permission, media type and size. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { nearestName } from '../../core/schema/fields/members.ts';
import { distance } from '../../core/schema/search/spelling.ts';
import { authorize } from '../../records/auth/principal.ts';
import type { SiteOf } from '../console/site.ts';
import type { Entered, Gate } from '../limits/gate.ts';
import { checkLength, checkMediaType, refuseBody } from './body.ts';
import { guessed, isGuess } from './guesses.ts';
import { refusePassedOver } from './passed-over.ts';
import { pathOf } from './request.ts';

interface GuardParts {
  readonly siteOf: SiteOf;
  readonly isSetBack: (accounts?: ReadonlySet<string>) => boolean;
}

/** Authenticates the caller of every route that is not open. */
export function guard(
  server: FastifyInstance,
  gate: Gate,
  { siteOf, isSetBack }: GuardParts,
): void {
  server.decorateRequest('principal', undefined);
  server.decorateRequest('unauthenticated', undefined);
  server.decorateRequest('limit', undefined);
  server.decorateRequest('heldMs', undefined);
  server.decorateRequest('timing');
  server.decorateRequest('done');

  server.addHook('onRequest', (request, reply, done) => {
    const start = performance.now();
    const entered: Entered = (refusal, principal) => {
      request.principal = principal;
      // The stage ends here: the rest of the request is not part of it.
      if (refusal === undefined) request.timing.add('authorize', performance.now() - start);
      const isRefused = principal !== undefined && isSetBack(principal.scope.accounts);
      done(refusal ?? (isRefused ? setBack() : undefined));
    };
    try {
      refuseForeign(request, siteOf);
    } catch (error) {
      return done(error as Error);
    }
    const isOpen = request.route.config?.open === true;
    if (!isOpen && isSetBack()) return done(setBack());
    if (!isOpen) return gate.enter(request, reply, entered);
    gate.open(request);
    entered(undefined);
  });
}

const setBack = () => new ApiError('store_set_back', { headers: { 'Retry-After': '1' } });

/** Added after the queue of requests: searching for the path that was meant takes time, which is the key's. */
export function checkRequests(server: FastifyInstance, paths: Paths): void {
  const check = (request: FastifyRequest): void => {
    if (request.is404) throw pathError(request, paths);
    refuseNoIdentifier(request, paths);
    const { principal, method, route } = request;
    const { needs, may } = route.config;
    if (needs !== undefined && principal !== undefined)
      authorize(principal, needs.resource.path, needs.action);
    if (principal !== undefined) may?.(principal);
    if (method === 'GET' || method === 'HEAD') {
      refuseBody(request);
    } else {
      checkLength(request);
      checkMediaType(request);
    }
    refusePassedOver(request);
  };

  server.addHook('onRequest', (request, _reply, done) => {
    try {
      request.timing.measure('authorize', () => check(request));
    } catch (error) {
      return done(error as Error);
    }
    done();
  });
}

/** Neither an empty segment nor `search` is an identifier, nor `upsert`: the path of that name takes its own methods only. */
function refuseNoIdentifier(request: FastifyRequest, paths: Paths): void {
  const { url } = request.route;
  if (url?.includes(':') !== true) return;
  const path = pathOf(request.url);
  if (url.endsWith('/:unique_identifier') && isGuess(path)) throw pathError(request, paths);
  if (path.endsWith('/') || paths.methods(path)?.includes(request.method) === false)
    throw pathError(request, paths);
}

function pathError({ method, url }: FastifyRequest, paths: Paths): ApiError {
  const path = pathOf(url);
  const slash = path.endsWith('/');
  const methods = slash ? undefined : paths.methods(path);
  // A word that is no identifier leads to nothing, whatever the method.
  const allowed = paths.isThere(path) || !isGuess(path) ? methods : undefined;
  const nearest = paths.guessed(method, path) ?? paths.nearest(method, path, allowed !== undefined);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  if (allowed !== undefined)
    return new ApiError('method_not_allowed', {
      message: `This path does not take ${method}; send ${allowed.join(' or ')}.${meant}`,
      headers: { Allow: allowed.join(', ') },
    });
  return new ApiError('path_unknown', {
    message: `There is nothing at this path.${slash ? ' Paths have no slash at the end.' : ''}${meant}`,
  });
}

/**
 * Throws `cross_site_refused` for requests to `/console/api` from anywhere but the console, before any other check. A
 * page on another port of the same host does send the cookie, although it is `SameSite=Strict`; but it cannot claim to
 * be of the same origin, nor set our header without a preflight.
 */
function refuseForeign(request: FastifyRequest, siteOf: SiteOf): void {
  if (request.route.config?.person === undefined) return;
  const { headers, method } = request;
  const site = headers['sec-fetch-site'];
  const own =
    site === undefined ? headers.origin === siteOf(request).origin : site === 'same-origin';
  // Requests of image elements lack our header; other pages cannot read what they show.
  const isImage = method === 'GET' && headers['sec-fetch-dest'] === 'image';
  if (!own || (headers['ledgerstone-console'] !== '1' && !isImage))
    throw new ApiError('cross_site_refused');
}

/** The path with a parameter for its last segment. Not by a pattern that ends with `$`: it takes quadratic time. */
function withParameter(path: string): string {
  const start = path.lastIndexOf('/') + 1;
  return start === path.length ? path : `${path.slice(0, start)}:unique_identifier`;
}

type Paths = ReturnType<typeof pathsOf>;

/** Gathers the paths as they are added to the server. */
export function pathsOf(server: FastifyInstance) {
  const paths = new Map<string, Readonly<Record<'methods' | 'segments', readonly string[]>>>();
  /** Resources by what people call their records: `visitors`. */
  const called = new Map<string, string>();
  server.addHook('onRoute', ({ url, method, config }) => {
    if (url.endsWith('*')) return;
    const { path, display } = config?.needs?.resource ?? {};
    for (const name of [display?.singular, display?.plural])
      if (path !== undefined && name !== undefined)
        called.set(name.toLowerCase().replaceAll(' ', '_'), path);
    const methods = [...new Set([...(paths.get(url)?.methods ?? []), ...[method].flat()])];
    paths.set(url, { methods, segments: url.slice(1).split('/') });
  });
  return {
    /** Each as it was added: `/v1/events/:unique_identifier`. */
    all: (): Iterable<string> => paths.keys(),
    isThere: (path: string): boolean => paths.has(path),
    /** The methods of a path; if two paths fit, of the one without a parameter. */
    methods: (path: string): readonly string[] | undefined =>
      (paths.get(path) ?? paths.get(withParameter(path)))?.methods,
    guessed: (method: string, path: string): string | undefined =>
      path.startsWith(CONSOLE)
        ? undefined
        : shown(
            guessed(method, path, (how, known) => paths.get(known)?.methods.includes(how) === true),
          ),
    /**
     * The request most like one that led nowhere, if one is like it at all: `POST /v1/events/upsert`.
     * Where only its method led nowhere, `onlyMethod`, that of another path that takes it.
     */
    nearest(method: string, path: string, onlyMethod: boolean): string | undefined {
      const sent = path
        .split('/')
        .filter((segment) => segment !== '')
        .map((segment) => called.get(segment.toLowerCase().replaceAll('-', '_')) ?? segment);
      const start = sent.indexOf('v1');
      // Without its beginning, or behind that of some proxy.
      const ways = [sent, start > 0 ? sent.slice(start) : ['v1', ...sent]];
      let found: string | undefined;
      let least = Number.POSITIVE_INFINITY;
      for (const [known, { methods, segments }] of paths) {
        if (known.startsWith(CONSOLE) !== path.startsWith(CONSOLE)) continue;
        const taken = methods.includes(method);
        if (onlyMethod && !taken) continue;
        const cost = Math.min(...ways.map((way) => unlikeness(way, segments, taken)));
        if (cost >= least) continue;
        least = cost;
        found = `${taken ? method : methods[0]} ${known}`;
      }
      return shown(found);
    },
  };
}

/** With parameters as the reference shows them: `GET /v1/events/{unique_identifier}`. */
function shown(request: string | undefined): string | undefined {
  return request?.replace(/:(\w+)/g, '{$1}');
}

/** These paths are for the console alone. */
const CONSOLE = '/console/';

/** The cost of a similar path with other methods, without a parameter, or without its last segment. */
const OTHER_METHOD = 1;
const PARAMETER = 4;
const ENDS_EARLY = 1;
/** That its last segment is another word altogether: `create` for `upsert`. */
const OTHER_WORD = 4;

/** How unlike a path is to one that is there, by their segments; infinite where it is not like it at all. */
function unlikeness(sent: readonly string[], known: readonly string[], taken: boolean): number {
  const lacks = known.length - sent.length;
  if (lacks !== 0 && (lacks !== 1 || !taken)) return Number.POSITIVE_INFINITY;
  let cost = taken ? 0 : OTHER_METHOD;
  for (const [index, segment] of known.entries()) {
    const one = sent[index];
    if (one === segment) continue;
    if (one === undefined) cost += ENDS_EARLY;
    else if (segment.startsWith(':')) cost += PARAMETER;
    else if (nearestName(one, [segment]) !== undefined) cost += 1 + distance(one, segment);
    else if (cost === 0 && taken && index > 1 && index === known.length - 1) cost += OTHER_WORD;
    else return Number.POSITIVE_INFINITY;
  }
  return cost;
}
