/** Streams changes as they happen, while the caller reads and the key is valid. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../records/auth/principal.ts';
import type { Feed, FeedPage, FeedRequest } from '../../records/changes/feed.ts';
import { type MemoryReservation, memoryOf } from '../fair/memory.ts';
import { callerOf } from '../request/request.ts';
import { prepare } from '../response/envelope.ts';
import { Answer, endWith } from '../rows/answer.ts';
import type { StreamForm } from './forms.ts';

/** Changes that are written at a time. */
const AT_ONCE = 500;
/** The memory of a follower in addition to the page that it reads. */
const HELD_BYTES = 131_072;
/** Bytes of memory that a character of a page takes at the most, as a text and on its way. */
const WEIGHT = 4;
/** How often to check that the key is still valid. */
const LOOK_MS = 400;
/** Something is sent at least this often, so that no proxy takes the connection for dead. */
const HEARTBEAT_MS = 15_000;

export interface Following {
  readonly feed: Feed;
  /** Who calls, as it is now; throws `ApiError` where it may follow no longer. */
  readonly authenticate: () => Promise<Principal>;
  readonly wanted: FeedRequest;
  readonly form: StreamForm;
}

/** The first page is read before the answer begins, so faults of the request get an ordinary error. */
export async function follow(
  request: FastifyRequest,
  reply: FastifyReply,
  following: Following,
): Promise<FastifyReply> {
  const { feed, form } = following;
  const wanted = { ...following.wanted, limit: AT_ONCE };
  const reached = await feed.reached(wanted.account);
  const page = await feed.page(callerOf(request), wanted);
  const memory = memoryOf(reply);
  memory.hold(HELD_BYTES);
  const answer = new Answer();
  const told = tellAll(request, { answer, memory }, { ...following, wanted }, { page, reached });
  endWith(request, answer, told, form.error);
  return prepare(reply)
    .header('Content-Type', `${form.type}; charset=utf-8`)
    .header('X-Accel-Buffering', 'no')
    .send(answer.body);
}

interface First {
  readonly page: FeedPage;
  /** The account's position before the page was read. */
  readonly reached: number;
}

async function tellAll(
  request: FastifyRequest,
  { answer, memory }: { readonly answer: Answer; readonly memory: MemoryReservation },
  { feed, authenticate, wanted, form }: Following,
  { page: first, reached: before }: First,
): Promise<void> {
  const { account } = wanted;
  let [page, reached] = [first, before];
  const follower = feed.followers.join();
  let shown = false;
  try {
    await answer.write(form.position(feed.position(wanted)));
    let toldAt = performance.now();
    const tell = async (text: string): Promise<void> => {
      memory.hold(HELD_BYTES + WEIGHT * text.length);
      await answer.write(text);
      memory.hold(HELD_BYTES);
      toldAt = performance.now();
    };
    while (!request.server.draining) {
      follower.behind(page.since);
      if (page.changes.length > 0) {
        // The stream may end without a word: by signing out, or with the process.
        if (wanted.expand && !shown) request.server.noteSeen(request);
        shown ||= wanted.expand;
        await tell(page.changes.map(({ id, text }) => form.change(text, id)).join(''));
      }
      if (!page.more) follower.behind(undefined);
      let principal = await authenticate();
      const from = reached;
      while (!page.more && reached === from) {
        reached = await feed.next(account, from, LOOK_MS);
        if (request.server.draining || answer.isGone) return;
        principal = await authenticate();
        if (performance.now() - toldAt >= HEARTBEAT_MS) await tell(form.position(page.position));
      }
      const isGone = (): boolean => answer.isGone;
      page = await feed.page(principal, { ...wanted, after: page.last }, isGone);
    }
  } finally {
    if (shown) request.server.noteSeen(request);
    follower.leave();
  }
}
