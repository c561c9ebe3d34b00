/** Self-tests: a run is opened, and its report read, by programs as JSON and by people as a page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Faults } from '../../errors.ts';
import { tellParam } from '../../requests/names.ts';
import { parseWebhookBody } from '../../schema/parse-webhooks.ts';
import { readQuery } from '../../schema/query-string.ts';
import { selfTestPage } from '../../self-tests/page.ts';
import type { SelfTestReport, SelfTestRuns } from '../../self-tests/runs.ts';
import { bodyOf, unknownFieldsOf } from '../body.ts';
import { prepare, sendJson } from '../envelope.ts';
import { refuseIdempotencyKey } from '../idempotency-key.ts';
import { receiveBody } from '../receive.ts';
import { callerOf, queryOf } from '../request.ts';

const PATH = '/v1/self_tests';

interface OfOne {
  readonly Params: { readonly unique_identifier: string };
}

export function addSelfTestRoutes(server: FastifyInstance, runs: SelfTestRuns): void {
  const config = { tell: tellParam([]) };

  server.post(PATH, { config }, async (request, reply) => {
    refuseIdempotencyKey(
      request,
      'A self-test takes no Idempotency-Key: send the request without it. Another run ends the one before.',
    );
    await receiveBody(request, reply);
    const unknown = unknownFieldsOf(request);
    parseWebhookBody({}, { ...bodyOf(request), query: queryOf(request), unknown });
    return sendReport(reply, await runs.open(callerOf(request)));
  });

  server.get(PATH, { config }, async (request, reply) => {
    readNothing(request);
    const data = await runs.list(callerOf(request));
    return sendJson(reply, JSON.stringify({ object: 'list', url: PATH, has_more: false, data }));
  });

  server.get<OfOne>(`${PATH}/:unique_identifier`, { config }, async (request, reply) => {
    readNothing(request);
    const report = await runs.find(callerOf(request), request.params.unique_identifier);
    reply.header('Vary', 'Accept');
    if (request.headers.accept?.includes('text/html') !== true) return sendReport(reply, report);
    return prepare(reply)
      .headers({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy':
          "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'Referrer-Policy': 'no-referrer',
      })
      .send(selfTestPage(report));
  });
}

/** Throws for parameters: there are none. */
function readNothing(request: FastifyRequest): void {
  const faults = new Faults();
  readQuery({}, queryOf(request), faults, unknownFieldsOf(request));
  faults.throwIfAny();
}

function sendReport(reply: FastifyReply, report: SelfTestReport): FastifyReply {
  const { unique_identifier, account } = report;
  reply.request.done = { unique_identifier, account };
  return sendJson(reply, JSON.stringify(report));
}
