/** Answers a list as rows, all of them: each page is read when the one before is sent. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { inSteps } from '../../core/fair/scheduler.ts';
import type { RowColumn } from '../../core/schema/row.ts';
import { CSV, NDJSON, type RowText } from '../../core/tables/row-texts.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { RowWalk } from '../../records/query/query.ts';
import { memoryOf } from '../fair/memory.ts';
import { preferred } from '../request/accepts.ts';
import { LINES } from '../request/body.ts';
import { callerOf } from '../request/request.ts';
import { JSON_UTF8, prepare, vary } from '../response/envelope.ts';
import { Answer, endWith } from '../rows/answer.ts';
import { COMPRESSING_BYTES, codingFor, compressing } from '../server/compress.ts';

interface RowForm extends RowText {
  readonly type: string;
  /** Why the rows end early; a format without a place for that is cut off. */
  readonly error?: (text: string) => string;
}

/** Lines that are cut off where they end early. */
export const LINES_ALONE: RowForm = { ...NDJSON, type: LINES };

const FORMS: Readonly<Record<typeof LINES | 'text/csv', RowForm>> = {
  [LINES]: { ...NDJSON, type: `${LINES}; charset=utf-8`, error: (text: string) => `${text}\n` },
  'text/csv': { ...CSV, type: 'text/csv; charset=utf-8; header=present' },
};

/** The format of these that an `Accept` prefers; `undefined`: a page of JSON, which also wins a tie. */
export function formFor(
  accept: string | undefined,
  among: readonly (keyof typeof FORMS)[] = [LINES, 'text/csv'],
): RowForm | undefined {
  const forms = among.map((name) => FORMS[name]);
  const type = preferred(accept, [JSON_UTF8, ...forms.map(({ type }) => type)]);
  return forms.find((form) => form.type === type);
}

const PIECE = 65_536;
/** The memory of a walk: a page of documents, a record that exceeds it, and the rows that are made of them. */
const HELD_BYTES = 4_194_304;

interface Rows {
  /** The columns, in formats that have some. */
  readonly columns: readonly RowColumn[];
  readonly walk: Pick<RowWalk, 'next'>;
  readonly form: RowForm;
  /** Who calls, as it is now; throws `ApiError` where its key has ended. */
  readonly authenticate: () => Promise<Principal>;
}

/** The first page is read before the answer begins, so faults of the request get an ordinary error. */
export async function streamRows(reply: FastifyReply, rows: Rows): Promise<FastifyReply> {
  const { request } = reply;
  const { columns, form, walk, authenticate } = rows;
  const coding = codingFor(Number.POSITIVE_INFINITY, request.headers['accept-encoding']);
  memoryOf(reply).hold(HELD_BYTES + (coding === undefined ? 0 : COMPRESSING_BYTES));
  const { key } = callerOf(request);
  let page = await walk.next(callerOf(request));
  vary(prepare(reply).header('Content-Type', form.type), 'Accept');
  vary(reply, 'accept-encoding');
  if (coding !== undefined) reply.header('Content-Encoding', coding);
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const answer = new Answer();
  const sendAll = async (): Promise<void> => {
    let text = form.head(columns);
    while (page !== undefined) {
      for (let ended = false; !ended; ) {
        await inSteps(key, () => {
          const row = page?.next();
          if (row === undefined || row.done === true) ended = true;
          else text += form.row(columns, row.value);
          return ended || text.length >= PIECE;
        });
        if (ended && text.length < PIECE) break;
        await answer.write(text);
        text = '';
      }
      if (request.server.draining) throw new ApiError('service_unavailable', { message: STOPPING });
      // A page counts as a request.
      await request.limit?.pace(1, () => answer.isGone);
      if (answer.isGone) return;
      page = await walk.next(await authenticate());
    }
    await answer.write(text);
  };
  endWith(request, answer, sendAll(), form.error);
  return reply.send(coding === undefined ? answer.body : compressing(answer.body, coding));
}

const STOPPING =
  'The service is stopping, and there are more rows. Send the request again, or with the _unique_identifier of the last row as starting_after.';
