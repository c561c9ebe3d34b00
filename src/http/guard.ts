/** What is checked before the body is read, in the order of the decisions: key, limits, path, permission, media type and size. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authorize, type Principal } from '../auth/principal.ts';
import { ApiError } from '../errors.ts';
import { Timing } from '../observe/timing.ts';
import { checkLength, checkMediaType, refuseBody } from './body.ts';
import type { Gate } from './limits/gate.ts';
import { pathOf } from './request.ts';

/** Guards every route that is not open. `methods` gives what a path takes, for 405. */
export function guard(
  server: FastifyInstance,
  gate: Gate,
  methods: (path: string) => string[] | undefined,
): void {
  server.decorateRequest('principal', undefined);
  server.decorateRequest('limit', undefined);
  server.decorateRequest('heldMs', undefined);
  server.decorateRequest('timing');
  server.decorateRequest('done');

  const check = (request: FastifyRequest, principal: Principal | undefined): void => {
    if (request.is404) throw pathError(request, methods(pathOf(request.url)));
    refuseNoIdentifier(request, methods);
    const { needs } = request.route.config;
    if (needs !== undefined && principal !== undefined)
      authorize(principal, needs.resource.path, needs.action);
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
      // Before the rest of the request runs, which is none of this stage.
      request.timing.add('authorize', performance.now() - start);
      done(refusal);
    };
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(
        new ApiError('request_malformed', { message: 'The request has no Host header.' }),
      );
    }
    if (request.route.config?.open !== true) return gate.enter(request, reply, entered);
    gate.open(request);
    entered(undefined);
  });
}

/** Nothing is no identifier, and neither is `upsert`: a path that is there by that name takes its own methods only. */
function refuseNoIdentifier(
  request: FastifyRequest,
  methods: (path: string) => string[] | undefined,
): void {
  if (request.route.url?.includes(':') !== true) return;
  const path = pathOf(request.url);
  if (path.endsWith('/')) throw new ApiError('path_unknown');
  const allowed = methods(path);
  if (allowed !== undefined && !allowed.includes(request.method)) throw pathError(request, allowed);
}

function pathError(request: FastifyRequest, allowed: string[] | undefined): ApiError {
  if (allowed === undefined) return new ApiError('path_unknown');
  return new ApiError('method_not_allowed', {
    message: `This path does not take ${request.method}; send ${allowed.join(' or ')}.`,
    headers: { Allow: allowed.join(', ') },
  });
}
