/** The log of changes: pages, long polls, and endless streams. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../records/auth/principal.ts';
import type { Feed, FeedPage, FeedRequest } from '../../records/changes/feed.ts';
import { follow } from '../feed/follow.ts';
import { EVENTS, LINES, type StreamForm } from '../feed/forms.ts';
import { answerOf, changesRequest } from '../operations/changes.ts';
import type { OperationHandler } from '../request/operations.ts';
import { callerOf, watchForCut } from '../request/request.ts';
import { sendJson, vary } from '../response/envelope.ts';

/** Between two looks whether the key is still good. */
const LOOK_MS = 400;

/** Answers `list_changes`. */
export function followChanges(server: FastifyInstance, feed: Feed): OperationHandler {
  const answer: OperationHandler = async (request, reply, params) => {
    const lastEventId = request.headers['last-event-id'];
    const options = changesRequest(params(), lastEventId);
    const wanted = await feed.begin(callerOf(request), options);
    vary(reply, 'Accept');
    const form = request.method === 'HEAD' ? undefined : formFor(request.headers.accept);
    if (form !== undefined) {
      watchForCut(request, reply);
      return follow(request, reply, {
        feed,
        authenticate: () => again(request, wanted),
        wanted,
        form,
      });
    }
    const follower = options.wait > 0 ? feed.followers.join() : undefined;
    const page = await pageOrWait(request, reply, wanted, options.wait * 1_000).finally(() =>
      follower?.leave(),
    );
    request.done = { ...request.done, shown: wanted.expand && page.changes.length > 0 };
    return sendJson(reply, answerOf(page));
  };

  /** Who calls, once more: the key may have ended since, and the account may have been closed. */
  const again = async (request: FastifyRequest, wanted: FeedRequest): Promise<Principal> => {
    const principal = await server.authenticate(request);
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
  return answer;
}

function formFor(accept: string | undefined): StreamForm | undefined {
  if (accept === undefined) return undefined;
  if (accept.includes(EVENTS.type)) return EVENTS;
  return accept.includes(LINES.type) ? LINES : undefined;
}
