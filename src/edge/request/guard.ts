/** The checks before the body is read, in this order: key, limits, path, permission, media type and size. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { Timing } from '../../core/observe/timing.ts';
import { authorize, type Principal } from '../../records/auth/principal.ts';
import { refuseForeign } from '../console/session/foreign.ts';
import type { SiteOf } from '../console/site.ts';
import type { Gate } from '../limits/gate.ts';
import { checkLength, checkMediaType, refuseBody } from './body.ts';
import type { Paths } from './paths.ts';
import { pathOf } from './request.ts';

/** Guards every route that is not open. */
export function guard(server: FastifyInstance, gate: Gate, paths: Paths, siteOf: SiteOf): void {
  server.decorateRequest('principal', undefined);
  server.decorateRequest('unauthenticated', undefined);
  server.decorateRequest('limit', undefined);
  server.decorateRequest('heldMs', undefined);
  server.decorateRequest('timing');
  server.decorateRequest('done');

  const check = (request: FastifyRequest, principal: Principal | undefined): void => {
    if (request.is404) throw pathError(request, paths);
    refuseNoIdentifier(request, paths);
    const { needs, may } = request.route.config;
    if (needs !== undefined && principal !== undefined)
      authorize(principal, needs.resource.path, needs.action);
    if (principal !== undefined) may?.(principal);
    if (request.method === 'GET' || request.method === 'HEAD') {
      refuseBody(request);
    } else {
      checkLength(request);
      checkMediaType(request);
    }
  };

  server.addHook('onRequest', (request, reply, done) => {
    request.timing = new Timing();
    request.done = {};
    const start = performance.now();
    const entered = (refused: Error | undefined, principal?: Principal): void => {
      request.principal = principal;
      if (refused !== undefined) {
        done(refused);
        return;
      }
      let refusal: Error | undefined;
      try {
        check(request, principal);
      } catch (error) {
        refusal = error as Error;
      }
      // The stage ends here: the rest of the request is not part of it.
      request.timing.add('authorize', performance.now() - start);
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
    if (request.route.config?.open !== true) return gate.enter(request, reply, entered);
    gate.open(request);
    entered(undefined);
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
