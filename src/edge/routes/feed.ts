/** The log of changes: pages, long polls, and endless streams. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../records/auth/principal.ts';
import type { Feed, FeedRequest } from '../../records/changes/feed.ts';
import { memoryOf } from '../fair/memory.ts';
import { answerOf, changesRequest } from '../operations/changes.ts';
import { preferred } from '../request/accepts.ts';
import type { OperationHandler } from '../request/operations.ts';
import { callerOf, hasEnded, watchForCut } from '../request/request.ts';
import { JSON_UTF8, prepare, sendJson, vary } from '../response/envelope.ts';
import { Answer, endWith } from '../rows/answer.ts';

/** How often to check that the key is still valid. */
const LOOK_MS = 400;
/** Changes that are written at a time. */
const AT_ONCE = 500;
/** The memory of a follower in addition to the page that it reads. */
const HELD_BYTES = 131_072;
/** Bytes of memory that a character of a page takes at the most, as a text and on its way. */
const WEIGHT = 4;
/** Something is sent at least this often, so that no proxy takes the connection for dead. */
const HEARTBEAT_MS = 15_000;

/** Answers `list_changes`. */
export function followChanges(server: FastifyInstance, feed: Feed): OperationHandler {
  /** Who calls, as it is now: the key may have ended since, and the account may have been closed. */
  const again = async (request: FastifyRequest, wanted: FeedRequest): Promise<Principal> => {
    const principal = await server.authenticate(request);
    feed.check(principal, wanted);
    return principal;
  };

  /** A page with something in it, or the last one before the time is over. */
  const pageOrWait = async (reply: FastifyReply, wanted: FeedRequest, waitMs: number) => {
    const { request } = reply;
    const { account } = wanted;
    const ends = performance.now() + waitMs;
    let principal = callerOf(request);
    let reached = waitMs === 0 ? 0 : await feed.reached(account);
    const isGone = (): boolean => reply.raw.destroyed;
    let page = await feed.page(principal, wanted, isGone);
    for (;;) {
      const left = ends - performance.now();
      // One who has ended its side may be gone: it does not wait.
      const over = left <= 0 || isGone() || hasEnded(request) || server.draining;
      if (page.changes.length > 0 || over) return page;
      const before = reached;
      if (!page.more) reached = await feed.next(account, before, Math.min(left, LOOK_MS));
      principal = await again(request, wanted);
      if (!page.more && reached === before) continue;
      page = await feed.page(principal, { ...wanted, after: page.last }, isGone);
    }
  };

  /** Streams changes as they happen. The first page is read before the answer begins, so faults get an ordinary error. */
  const follow = async (reply: FastifyReply, wanted: FeedRequest, form: StreamForm) => {
    const { request } = reply;
    const { account } = wanted;
    let reached = await feed.reached(account);
    let page = await feed.page(callerOf(request), wanted);
    const memory = memoryOf(reply);
    memory.hold(HELD_BYTES);
    const answer = new Answer();
    const isGone = (): boolean => answer.isGone;
    let sentAt = performance.now();
    const send = async (text: string): Promise<void> => {
      memory.hold(HELD_BYTES + WEIGHT * text.length);
      await answer.write(text);
      memory.hold(HELD_BYTES);
      sentAt = performance.now();
    };

    const sendAll = async (): Promise<void> => {
      const follower = feed.followers.join();
      let shown = false;
      let asked = false;
      try {
        await send(form.begins(feed.position(wanted)));
        while (!server.draining) {
          follower.behind(page.since);
          if (page.changes.length > 0) {
            // The stream may end without a word: by signing out, or with the process.
            if (wanted.expand && !shown) server.noteSeen(request);
            shown ||= wanted.expand;
            await send(page.changes.map(({ id, text }) => form.change(text, id)).join(''));
          }
          if (!page.more) follower.behind(undefined);
          let principal = await again(request, wanted);
          const from = reached;
          while (!page.more && reached === from) {
            reached = await feed.next(account, from, LOOK_MS);
            if (server.draining || isGone()) return;
            principal = await again(request, wanted);
            // One who has only ended its side reads on; the system of one who is gone says so.
            const asks: boolean = !asked && hasEnded(request);
            asked ||= asks;
            if (asks || performance.now() - sentAt >= HEARTBEAT_MS)
              await send(form.position(page.position));
          }
          page = await feed.page(principal, { ...wanted, after: page.last }, isGone);
        }
      } finally {
        if (shown) server.noteSeen(request);
        follower.leave();
      }
    };
    endWith(request, answer, sendAll(), form.error);
    return prepare(reply)
      .header('Content-Type', form.type)
      .header('X-Accel-Buffering', 'no')
      .send(answer.body);
  };

  return async (request, reply, params) => {
    const options = changesRequest(params(), request.headers['last-event-id']);
    const wanted = await feed.begin(callerOf(request), options);
    vary(reply, 'Accept');
    const form = request.method === 'HEAD' ? undefined : formFor(request.headers.accept);
    if (form !== undefined) {
      watchForCut(request, reply);
      return follow(reply, { ...wanted, limit: AT_ONCE }, form);
    }
    const follower = options.wait > 0 ? feed.followers.join() : undefined;
    const waiting = pageOrWait(reply, wanted, options.wait * 1_000);
    const page = await waiting.finally(() => follower?.leave());
    request.done = { ...request.done, shown: wanted.expand && page.changes.length > 0 };
    return sendJson(reply, answerOf(page));
  };
}

interface StreamForm {
  readonly type: string;
  readonly change: (text: string, id: string) => string;
  /** Where the stream begins, such that every client notes it: it may be cut before its first change. */
  readonly begins: (id: string | null) => string;
  readonly position: (id: string | null) => string;
  /** Why the stream ends. */
  readonly error: (text: string) => string;
}

const placeLine = (id: string | null): string =>
  `{"object":"position","position":${id === null ? 'null' : `"${id}"`}}`;

const LINES: StreamForm = {
  type: 'application/x-ndjson; charset=utf-8',
  change: (text) => `${text}\n`,
  begins: (id) => `${placeLine(id)}\n`,
  position: (id) => `${placeLine(id)}\n`,
  error: (text) => `${text}\n`,
};

/** https://html.spec.whatwg.org/multipage/server-sent-events.html */
const EVENTS: StreamForm = {
  type: 'text/event-stream; charset=utf-8',
  change: (text, id) => `id: ${id}\nevent: change\ndata: ${text}\n\n`,
  // Many clients note an identifier only where there are data.
  begins: (id) => `${id === null ? '' : `id: ${id}\n`}event: position\ndata: ${placeLine(id)}\n\n`,
  // An identifier without data moves the position from which a client resumes, without raising an event.
  position: (id) => (id === null ? ':\n\n' : `id: ${id}\n\n`),
  error: (text) => `event: error\ndata: ${text}\n\n`,
};

const FORMS = [LINES, EVENTS];

/** `undefined`: a page of JSON. */
function formFor(accept: string | undefined): StreamForm | undefined {
  const type = preferred(accept, [JSON_UTF8, ...FORMS.map(({ type }) => type)]);
  return FORMS.find((form) => form.type === type);
}
