/** Webhook endpoints: who is told of changes, and what became of it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tellParam } from '../../requests/names.ts';
import type { Params } from '../../schema/parse.ts';
import {
  parseDeliveries,
  webhookChangeParams,
  webhookCreateParams,
  webhookDeliveriesParams,
  webhookReplayParams,
  webhookResendParams,
  webhookRotateParams,
} from '../../schema/parse-webhooks.ts';
import type { SelfTestRuns } from '../../self-tests/runs.ts';
import type { WebhookEndpoint } from '../../store/webhooks.ts';
import type { WebhookEndpoints } from '../../webhooks/endpoints.ts';
import {
  presentWebhookDelivery,
  presentWebhookEndpoint,
  presentWebhookTest,
} from '../../webhooks/present.ts';
import { bodyOf, refuseBody, unknownFieldsOf } from '../body.ts';
import { sendJson } from '../envelope.ts';
import { refuseIdempotencyKey } from '../idempotency-key.ts';
import { receiveBody } from '../receive.ts';
import { callerOf, queryOf } from '../request.ts';

interface OfOne {
  readonly Params: { readonly unique_identifier: string };
}

const PATH = '/v1/webhook_endpoints';

/** A kept answer would show a secret for a day that is shown once. */
const NO_KEY =
  'Webhook endpoints take no Idempotency-Key: send the request without it. PATCH, DELETE, replay and resend may be repeated; where a creation was not answered, list the endpoints before you create another one.';

export function addWebhookRoutes(
  server: FastifyInstance,
  endpoints: WebhookEndpoints,
  selfTests: SelfTestRuns,
): void {
  const config = {
    tell: tellParam([
      webhookCreateParams,
      webhookChangeParams,
      webhookRotateParams,
      webhookReplayParams,
      webhookResendParams,
      webhookDeliveriesParams,
    ]),
  };
  const one = `${PATH}/:unique_identifier`;

  /** Whether the key may do it is known before the body is read. */
  const received = async (request: FastifyRequest, reply: FastifyReply): Promise<Params> => {
    endpoints.authorize(callerOf(request));
    refuseIdempotencyKey(request, NO_KEY);
    await receiveBody(request, reply);
    return { ...bodyOf(request), query: queryOf(request), unknown: unknownFieldsOf(request) };
  };

  server.post(PATH, { config }, async (request, reply) => {
    const params = await received(request, reply);
    const { endpoint, secret } = await endpoints.create(callerOf(request), params);
    return sendEndpoint(reply, endpoint, secret);
  });

  server.get(PATH, { config }, async (request, reply) => {
    const found = await endpoints.list(callerOf(request));
    const data = found.map((endpoint) => presentWebhookEndpoint(endpoint));
    return sendJson(reply, JSON.stringify({ object: 'list', url: PATH, has_more: false, data }));
  });

  server.get<OfOne>(one, { config }, async (request, reply) => {
    const { unique_identifier } = request.params;
    return sendEndpoint(reply, await endpoints.find(callerOf(request), unique_identifier));
  });

  server.patch<OfOne>(one, { config }, async (request, reply) => {
    const params = await received(request, reply);
    const { unique_identifier } = request.params;
    return sendEndpoint(
      reply,
      await endpoints.change(callerOf(request), unique_identifier, params),
    );
  });

  server.delete<OfOne>(one, { config }, async (request, reply) => {
    endpoints.authorize(callerOf(request));
    refuseIdempotencyKey(request, NO_KEY);
    refuseBody(request);
    const { unique_identifier } = request.params;
    await endpoints.remove(callerOf(request), unique_identifier);
    request.done = { unique_identifier, outcome: 'deleted' };
    const removed = { object: 'webhook_endpoint', unique_identifier, deleted: true };
    return sendJson(reply, JSON.stringify(removed));
  });

  server.post<OfOne>(`${one}/rotate_secret`, { config }, async (request, reply) => {
    const params = await received(request, reply);
    const { unique_identifier } = request.params;
    const { endpoint, secret } = await endpoints.rotate(
      callerOf(request),
      unique_identifier,
      params,
    );
    return sendEndpoint(reply, endpoint, secret);
  });

  server.post<OfOne>(`${one}/replay`, { config }, async (request, reply) => {
    const params = await received(request, reply);
    const { unique_identifier } = request.params;
    return sendEndpoint(
      reply,
      await endpoints.replay(callerOf(request), unique_identifier, params),
    );
  });

  server.post<OfOne>(`${one}/resend`, { config }, async (request, reply) => {
    const params = await received(request, reply);
    const { unique_identifier } = request.params;
    const delivery = await endpoints.resend(callerOf(request), unique_identifier, params);
    request.done = { unique_identifier };
    return sendJson(reply, JSON.stringify(presentWebhookDelivery(delivery)));
  });

  server.post<OfOne>(`${one}/test`, { config }, async (request, reply) => {
    const params = await received(request, reply);
    const { unique_identifier } = request.params;
    const principal = callerOf(request);
    const attempt = await endpoints.test(principal, unique_identifier, params);
    const run = selfTests.known(principal);
    if (run !== undefined) {
      const forged = await endpoints.forge(principal, unique_identifier);
      for (const one of [attempt, forged])
        await selfTests.note(run, {
          kind: 'notified',
          forged: one === forged,
          status: one.status_code,
        });
    }
    request.done = { unique_identifier };
    return sendJson(reply, JSON.stringify(presentWebhookTest(attempt)));
  });

  server.get<OfOne>(`${one}/deliveries`, { config }, async (request, reply) => {
    const { unique_identifier } = request.params;
    const asked = parseDeliveries(queryOf(request), unknownFieldsOf(request));
    const found = await endpoints.deliveries(callerOf(request), unique_identifier, asked);
    request.done = { unique_identifier };
    return sendJson(
      reply,
      JSON.stringify({
        object: 'list',
        url: `${PATH}/${unique_identifier}/deliveries`,
        has_more: found.length > asked.limit,
        data: found.slice(0, asked.limit).map(presentWebhookDelivery),
      }),
    );
  });
}

function sendEndpoint(
  reply: FastifyReply,
  endpoint: WebhookEndpoint,
  secret?: string,
): FastifyReply {
  reply.request.done = { unique_identifier: endpoint.unique_identifier };
  return sendJson(reply, JSON.stringify(presentWebhookEndpoint(endpoint, secret)));
}
