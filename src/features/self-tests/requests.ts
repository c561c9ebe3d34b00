/** How self-tests observe requests, and `Ledgerstone-Provoke`: live keys pay nothing for it. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { RequestWatch } from '../../edge/operations/operation.ts';
import { queryOf } from '../../edge/request/request.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { isTest, MAX_POSITION, type Passing, printOf, provoked } from './serves.ts';

const FEED = '/v1/changes';
const PROVOKED = { 429: 2, 503: 1 } as const;

export const watch: RequestWatch = (server, { selfTests: runs }) => {
  server.addHook('onRequest', (request, _reply, done) => {
    const { principal } = request;
    const wish = request.headers['ledgerstone-provoke'];
    if (principal === undefined || (wish === undefined && !isTest(principal))) return done();
    if (wish !== undefined) return done(wished(principal, String(wish)));
    runs
      .openOf(principal)
      .then((run) => run && runs.arrives(run, passingOf(request)))
      .then(() => done(), done);
  });

  server.addHook('onResponse', (request, { statusCode }, done) => {
    done();
    const { principal, route, method, done: work } = request;
    const run = principal && runs.known(principal);
    if (run === undefined) return;
    const { isWrite, isFeed, after } = passingOf(request);
    const note = (seen: Parameters<typeof runs.note>[1]): void => {
      // The report then lacks it, and says what is missing.
      runs.note(run, seen).catch(() => undefined);
    };
    if (isFeed && statusCode === 200)
      note({ kind: 'read', after: after?.slice(0, MAX_POSITION) ?? null });
    if (isWrite && statusCode === 400) {
      const print = printOf(method, request.url, (request.body as Uint8Array | undefined) ?? '');
      note({ kind: 'refused', print, code: work.code ?? work.faults?.[0]?.code ?? '400' });
    }
    if (route.url?.includes('/upsert') !== true) return;
    const outcomes = [work.outcome, ...[...(work.rows?.places ?? [])].map((one) => one.outcome)];
    for (const outcome of ['unchanged', 'updated'] as const)
      if (outcomes.includes(outcome)) note({ kind: 'written', outcome });
  });
};

function wished(principal: Principal, wish: string): ApiError {
  if (!isTest(principal))
    return new ApiError('header_invalid', {
      message:
        'The header Ledgerstone-Provoke is for keys of test accounts: send the request without it.',
    });
  if (wish === '429' || wish === '503') return provoked(Number(wish) as 429 | 503, PROVOKED[wish]);
  return new ApiError('header_invalid', {
    message: 'The header Ledgerstone-Provoke must be 429 or 503.',
  });
}

function passingOf(request: FastifyRequest): Passing {
  const { headers, method, url, route } = request;
  const key = headers['idempotency-key'];
  const lastEvent = headers['last-event-id'];
  const action = route.config.needs?.action;
  const starting = new URLSearchParams(queryOf(request)).get('starting_after');
  return {
    print: printOf(method, url, headers['content-type'] ?? '', headers['content-length'] ?? ''),
    isWrite: action === 'write' || action === 'delete',
    isFeed: route.url === FEED,
    idempotency_key: key === undefined ? undefined : String(key),
    after: starting ?? (lastEvent === undefined ? undefined : String(lastEvent)),
  };
}
