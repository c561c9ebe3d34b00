/**
 * Requests with the header Ledgerstone-Sync. What became of each is known before its answer is: a sync is finished only
 * if it took all that was sent, or if it is said that the rest may be left out.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { cellsOf } from '../../core/schema/csv/cells.ts';
import type { Columns } from '../../core/schema/csv/columns.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Sighted } from '../../records/ingest/seen.ts';
import {
  identifierInCells,
  identifierInForm,
  identifierInJson,
} from '../../services/requests/fingerprints.ts';
import type { Settled, SyncSender } from '../../services/syncs/doubts.ts';
import type { SyncsOf } from '../../services/syncs/syncs.ts';
import { nameHash, requestHash } from './idempotency-key.ts';
import { callerOf } from './request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The work under the sync that it names; `undefined`: it names none. */
    underSync: UnderSync | undefined;
  }
}

const SYNC = /^syn_[0-9A-Za-z]{22}$/;
/** A sync that is named in quotes, twice, or behind a label: such a request is refused, and leaves a doubt of that sync. */
const NAMED = /syn_[0-9A-Za-z]{22}(?![0-9A-Za-z])/;
const SYNCS = '/v1/syncs/';
/** Headers that may have been meant for it, and the query: `Ledgerstone-Synch`, `X-Sync`. */
const MEANT = /sync|stone/;
/** Other requests that a header may name. */
const MOST_NAMED = 100;
/** Rows whose numbers are kept. */
const MOST_LINES = 100;
/** For how long a body may arrive before it is noted that it has begun. */
const LATE_MS = 250;
/** Characters of an `external_identifier`. */
const LONGEST = 255;
const NAME = '"external_identifier"';

/** Statuses of faults of a record: what names it and is refused for one takes nothing away. */
const OF_RECORDS: ReadonlySet<number> = new Set([400, 404, 409, 410, 412]);
/** The codes of a body whose end never came. */
const CUT: ReadonlySet<string> = new Set(['request_malformed', 'request_timeout']);

type How = Pick<Settled, 'reason' | 'status' | 'code'>;

/** The doubts that a request may leave. */
export class UnderSync {
  readonly id: string;
  /** How many of its rows had come. */
  rows = 0;
  /** Whether all that it says is seen: what is refused then stays. */
  isSeen = false;
  /** Whether what became of it is known and noted. */
  isSettled = false;
  /** Whether it is noted that it began, and when that is written. */
  isNoted = false;
  begun: Promise<unknown> = Promise.resolve();
  /** A hash by which it is known when it is sent again as it was; `''`: not yet. */
  hash = '';
  /** Whether its answer was begun and says what became of it later. */
  isStream = false;
  readonly #unnamed = new WeakSet<Error>();
  readonly #lines: { readonly row: number | null; readonly code: string }[] = [];
  #count = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** A row was refused, and does not say which record it is. */
  unnamed(error: Error): void {
    this.#count += 1;
    this.#unnamed.add(error);
  }

  /** Notes the number of a row that was refused, if it is one of those. */
  answered(row: number, error: Error): void {
    if (this.#lines.length === MOST_LINES || !this.#unnamed.has(error)) return;
    this.#lines.push({ row, code: codeOf(error) });
  }

  get doubted(): Pick<Settled, 'rows' | 'unnamed' | 'lines'> {
    return { rows: this.rows, unnamed: this.#count, lines: this.#lines };
  }
}

const codeOf = (error: Error): string =>
  error instanceof ApiError ? error.code : 'internal_error';

/** Watches all requests with the header, wherever they are refused. */
export function watchSyncs(server: FastifyInstance, syncs: Pick<SyncsOf, 'noteRequest'>): void {
  server.decorateRequest('underSync', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    const id = namedBy(request);
    if (id === undefined) return done();
    request.underSync = new UnderSync(id);
    // Whatever ends it without an answer.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished)
        void settle(request, syncs, { reason: 'cut', status: null, code: null });
    });
    done();
  });
  server.addHook('onSend', (request, reply, _payload, done) => {
    const under = request.underSync;
    if (under === undefined || (under.isStream && reply.statusCode < 400)) return done();
    settleAnswered(request, reply.statusCode, syncs).then(() => done(), done);
  });
}

/** The sync that a request names, however it does, in a header or the query. What asks of a sync itself sends no records. */
function namedBy({ headers, method, url }: FastifyRequest): string | undefined {
  if (url.startsWith(SYNCS)) return undefined;
  const { 'ledgerstone-sync': sent } = headers;
  const own = sent === undefined ? '' : String(sent).trim();
  if (SYNC.test(own)) return own;
  if (method === 'GET' || method === 'HEAD') return undefined;
  for (const name in headers) {
    const [id] = MEANT.test(name) ? (NAMED.exec(String(headers[name])) ?? []) : [];
    if (id !== undefined) return id;
  }
  const query = url.indexOf('?');
  return query < 0 ? undefined : NAMED.exec(url.slice(query))?.[0];
}

/** Notes what became of a request before its answer is sent. */
export function settleAnswered(
  request: FastifyRequest,
  status: number,
  syncs: Pick<SyncsOf, 'noteRequest'>,
): Promise<void> {
  const isSeen = request.underSync?.isSeen === true;
  const isTaken = status < 400 || (isSeen && OF_RECORDS.has(status));
  const code = isTaken ? null : (request.done?.code ?? null);
  const isCut = !request.raw.complete && CUT.has(code ?? '');
  const reason = isTaken ? 'taken' : isCut ? 'cut' : 'refused';
  return settle(request, syncs, { reason, status, code });
}

/**
 * Notes that a request has begun, so that a kill leaves a doubt: once its body is there, by which it is known again, and
 * before that where this takes long. Resolves when the body is there: what it says is done while that is being written,
 * and its end is noted after.
 */
export async function noteBegun(
  request: FastifyRequest,
  syncs: Pick<SyncsOf, 'noteRequest'>,
  received?: Promise<void>,
): Promise<void> {
  const under = request.underSync;
  if (under === undefined) return received;
  const how = { reason: 'under_way', status: null, code: null } as const;
  const note = (): void => {
    under.isNoted = true;
    const one = settled(request, under, how);
    const { begun } = under;
    const noted = syncs.noteRequest(callerOf(request), under.id, one, true);
    // Where the store takes nothing, it is noted when that does.
    under.begun = Promise.allSettled([begun, noted]);
  };
  if (received === undefined) return note();
  const late = setTimeout(() => {
    if (!under.isSettled) note();
  }, LATE_MS);
  await received.finally(() => clearTimeout(late));
  note();
}

/** Resolves also where the store takes nothing: it is noted when that does. */
export async function settle(
  request: FastifyRequest,
  syncs: Pick<SyncsOf, 'noteRequest'>,
  how: How,
): Promise<void> {
  const under = request.underSync;
  const sender = senderOf(request);
  if (under === undefined || under.isSettled || sender === undefined) return;
  under.isSettled = true;
  const one = settled(request, under, how);
  await under.begun;
  await syncs.noteRequest(sender, under.id, one, under.isNoted).catch(() => undefined);
}

function settled(request: FastifyRequest, under: UnderSync, how: How): Settled {
  const { 'idempotency-key': key, 'ledgerstone-instead-of': instead } = request.headers;
  const said = instead === undefined ? [] : String(instead).split(',', MOST_NAMED);
  const all = said.map((one) => one.trim()).filter((one) => one !== '');
  const requests = all.filter((one) => one.startsWith('req_'));
  // A name of the caller's own is that of all tries of one request.
  const own = all.find((one) => !one.startsWith('req_')) ?? key;
  const name = own === undefined ? '' : nameHash(request, String(own));
  const same = requestHash(request) || under.hash;
  under.hash = same;
  const answers = { requests, names: [name, same].filter((one) => one !== '') };
  return { request: request.id, name: name || same, ...how, ...under.doubted, answers };
}

/** Who sends, also with a key that works no more; `undefined`: nobody knows. */
function senderOf({ principal, unauthenticated }: FastifyRequest): SyncSender | undefined {
  if (principal !== undefined) return principal;
  const { key } = unauthenticated ?? {};
  if (key === undefined) return undefined;
  const scope = { accounts: new Set(key.accounts), anchors: undefined };
  return { key: key.unique_identifier, scope };
}

/** `undefined` where the request names no sync. Throws `header_invalid`; rejects as `open` does. */
export function syncOf(
  request: FastifyRequest,
  resource: Resource,
  syncs: SyncsOf,
  columnsOf: () => Columns | undefined = () => undefined,
): Promise<Sighted> | undefined {
  const { 'ledgerstone-sync': sent, 'content-type': type = '' } = request.headers;
  if (sent === undefined) return undefined;
  const id = String(sent).trim();
  if (!SYNC.test(id))
    throw new ApiError('header_invalid', {
      message:
        'The header Ledgerstone-Sync must be the unique_identifier of a sync, syn_…, or be left out.',
    });
  const isJson = /json/i.test(type);
  const under = request.underSync;
  return syncs.open(callerOf(request), resource, id).then((open) => ({
    ...open,
    unnamed: (error) => under?.unnamed(error),
    identifierIn(body) {
      const columns = columnsOf();
      const found =
        columns === undefined ? identifierIn(body, isJson) : identifierAmong(body, columns);
      const isOne =
        found !== undefined && !found.includes('\uFFFD') && [...found].length <= LONGEST;
      return isOne ? found : undefined;
    },
  }));
}

/** Says of a request whose records are all seen at once that it leaves no doubt, whatever becomes of it. */
export function seenBy({ underSync: under }: FastifyRequest, sync: Sighted): Sighted {
  return {
    ...sync,
    async see(records, how) {
      const differ = await sync.see(records, how);
      if (under !== undefined) under.isSeen = true;
      return differ;
    },
  };
}

/** That of a body or a row that could not be read; `undefined` where there may be two, as where two lines ran together. */
function identifierIn(body: Uint8Array, isJson: boolean): string | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (!isJson) {
    const form = text.toString();
    return /(?:^|&)external_identifier=.*&external_identifier=/s.test(form)
      ? undefined
      : identifierInForm(form);
  }
  const first = text.indexOf(NAME);
  return text.indexOf(NAME, first + NAME.length) >= 0 ? undefined : identifierInJson(body);
}

/** That of a row of a table; `undefined` where its cells may have slipped into other columns. */
function identifierAmong(body: Uint8Array, columns: Columns): string | undefined {
  const cells = cellsOf(body, columns.delimiter);
  if ('says' in cells || cells.length !== columns.at.length) return undefined;
  return identifierInCells(body, columns);
}
