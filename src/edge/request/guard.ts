/** The checks before the body is read, in this order: key and limits; then, scheduled like all work of the key, path, permission, media type and size. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { Timing } from '../../core/observe/timing.ts';
import { authorize } from '../../records/auth/principal.ts';
import { refuseForeign } from '../console/session/foreign.ts';
import type { SiteOf } from '../console/site.ts';
import type { Entered, Gate } from '../limits/gate.ts';
import { checkLength, checkMediaType, refuseBody } from './body.ts';
import type { Paths } from './paths.ts';
import { pathOf } from './request.ts';

/** Authenticates the caller of every route that is not open. */
export function guard(
  server: FastifyInstance,
  gate: Gate,
  { siteOf, isSetBack }: { readonly siteOf: SiteOf; readonly isSetBack: () => boolean },
): void {
  server.decorateRequest('principal', undefined);
  server.decorateRequest('unauthenticated', undefined);
  server.decorateRequest('limit', undefined);
  server.decorateRequest('heldMs', undefined);
  server.decorateRequest('timing');
  server.decorateRequest('done');

  server.addHook('onRequest', (request, reply, done) => {
    request.timing = new Timing();
    request.done = {};
    const start = performance.now();
    const entered: Entered = (refusal, principal) => {
      request.principal = principal;
      // The stage ends here: the rest of the request is not part of it.
      if (refusal === undefined) request.timing.add('authorize', performance.now() - start);
      done(refusal);
    };
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(
        new ApiError('request_malformed', { message: 'The request has no Host header.' }),
      );
    }
    try {
      refuseForeign(request, siteOf);
    } catch (error) {
      return done(error as Error);
    }
    const isOpen = request.route.config?.open === true;
    if (!isOpen && isSetBack())
      return done(new ApiError('store_set_back', { headers: { 'Retry-After': '1' } }));
    if (!isOpen) return gate.enter(request, reply, entered);
    gate.open(request);
    entered(undefined);
  });
}

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

/** Neither an empty segment nor `upsert` is an identifier: the path of that name takes its own methods only. */
function refuseNoIdentifier(request: FastifyRequest, paths: Paths): void {
  if (request.route.url?.includes(':') !== true) return;
  const path = pathOf(request.url);
  if (path.endsWith('/') || paths.methods(path)?.includes(request.method) === false)
    throw pathError(request, paths);
}

function pathError({ method, url }: FastifyRequest, paths: Paths): ApiError {
  const path = pathOf(url);
  const slash = path.endsWith('/');
  const allowed = slash ? undefined : paths.methods(path);
  const nearest = paths.nearest(method, path, allowed !== undefined);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  if (allowed !== undefined) {
    return new ApiError('method_not_allowed', {
      message: `This path does not take ${method}; send ${allowed.join(' or ')}.${meant}`,
      headers: { Allow: allowed.join(', ') },
    });
  }
  return new ApiError('path_unknown', {
    message: `There is nothing at this path.${slash ? ' Paths have no slash at the end.' : ''}${meant}`,
  });
}
