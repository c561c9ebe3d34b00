/** The log of changes: pages, long polls, and streams that go on for ever. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../auth/principal.ts';
import type { Feed, FeedPage, FeedRequest } from '../../changes/feed.ts';
import { tellParam } from '../../requests/names.ts';
import type { Resource } from '../../schema/define.ts';
import { changesParams, parseChanges } from '../../schema/parse-changes.ts';
import { unknownFieldsOf } from '../body.ts';
import { sendJson, vary } from '../envelope.ts';
import { follow } from '../feed/follow.ts';
import { EVENTS, LINES, type StreamForm } from '../feed/forms.ts';
import { callerOf, queryOf } from '../request.ts';
import type { Authenticate } from '../still.ts';

export interface FeedRoutes {
  readonly feed: Feed;
  readonly authenticate: Authenticate;
  /** To be called for an answer that was begun and not ended: its client is gone. */
  readonly cut: (request: FastifyRequest, reply: FastifyReply) => void;
}

const PATH = '/v1/changes';
/** Between two looks whether the key is still good. */
const LOOK_MS = 400;

export function addFeedRoutes(
  server: FastifyInstance,
  resources: readonly Resource[],
  { feed, authenticate, cut }: FeedRoutes,
): void {
  const params = changesParams(resources);

  server.get(PATH, { config: { tell: tellParam([params]) } }, async (request, reply) => {
    const lastEventId = request.headers['last-event-id'];
    const parsed = parseChanges(params, queryOf(request), unknownFieldsOf(request));
    const asked =
      typeof lastEventId === 'string' ? { ...parsed, starting_after: lastEventId } : parsed;
    const wanted = await feed.begin(callerOf(request), asked);
    vary(reply, 'Accept');
    const form = request.method === 'HEAD' ? undefined : formFor(request.headers.accept);
    if (form !== undefined) {
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) cut(request, reply);
      });
      return follow(request, reply, {
        feed,
        authenticate: () => again(request, wanted),
        wanted,
        form,
      });
    }
    const follower = asked.wait > 0 ? feed.followers.join() : undefined;
    const page = await pageOrWait(request, reply, wanted, asked.wait * 1_000).finally(() =>
      follower?.leave(),
    );
    return sendJson(reply, listOf(page));
  });

  /** Who calls, once more: the key may have ended since, and the account may have been closed. */
  const again = async (request: FastifyRequest, wanted: FeedRequest): Promise<Principal> => {
    const principal = await authenticate(request);
    feed.check(principal, wanted);
    return principal;
  };

  /** A page with something in it, or the last one before the time is over. */
  const pageOrWait = async (
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: FeedRequest,
    waitMs: number,
  ): Promise<FeedPage> => {
    const { account } = wanted;
    const ends = performance.now() + waitMs;
    let principal = callerOf(request);
    let reached = waitMs === 0 ? 0 : await feed.reached(account);
    const isGone = (): boolean => reply.raw.destroyed;
    let page = await feed.page(principal, wanted, isGone);
    for (;;) {
      const left = ends - performance.now();
      const over = left <= 0 || isGone() || server.draining;
      if (page.changes.length > 0 || over) return page;
      const before = reached;
      if (!page.more) reached = await feed.next(account, before, Math.min(left, LOOK_MS));
      principal = await again(request, wanted);
      if (!page.more && reached === before) continue;
      page = await feed.page(principal, { ...wanted, after: page.last }, isGone);
    }
  };
}

function listOf({ changes, more, position }: FeedPage): string {
  const data = changes.map(({ text }) => text).join();
  const at = position === null ? 'null' : `"${position}"`;
  return `{"object":"list","url":"${PATH}","has_more":${more},"data":[${data}],"position":${at}}`;
}

function formFor(accept: string | undefined): StreamForm | undefined {
  if (accept === undefined) return undefined;
  if (accept.includes(EVENTS.type)) return EVENTS;
  return accept.includes(LINES.type) ? LINES : undefined;
}
