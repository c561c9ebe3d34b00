/** Answers what is not HTTP, or came too slowly: there is no request yet, so the bytes are written here. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import about from '../../../package.json' with { type: 'json' };
import { ApiError, type ErrorCode } from '../../core/errors.ts';
import type { LeastSpeed } from '../fair/least-speed.ts';
import { type DocUrl, errorBody } from '../response/error-response.ts';
import { endEarly, mayEndEarly } from '../rows/arrivals.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** The last request of a connection, and its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The previous answer, while it has not been sent. */
  readonly before: ServerResponse | undefined;
}

export type ClientErrors = ReturnType<typeof createClientErrors>;

/** `refused` is called with each error that was answered here. */
export function createClientErrors(
  docUrl: DocUrl,
  requestId: () => string,
  leastSpeed: LeastSpeed,
  refused: (request_id: string, code: ErrorCode, status: number, socket: Socket) => void,
) {
  /** Connections with their unfinished requests only: finished ones would stay in memory for each idle connection. */
  const connections = new WeakMap<Socket, { exchange: Exchange | undefined }>();

  const answer = (code: ErrorCode, socket: Socket): void => {
    if (socket.destroyed || !socket.writable) return;
    const apiError = new ApiError(code);
    const id = requestId();
    refused(id, code, apiError.status, socket);
    const body = errorBody(apiError, id, docUrl);
    socket.end(
      `HTTP/1.1 ${apiError.status} ${REASONS[apiError.status]}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Request-Id: ${id}\r\nLedgerstone-Version: ${about.version}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    );
  };

  return {
    handle(error: NodeJS.ErrnoException, socket: Socket): void {
      if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable)
        return void socket.destroy();
      const exchange = connections.get(socket)?.exchange;
      if (exchange !== undefined && endedEarly(exchange, error.code, socket, leastSpeed)) return;
      let pending = exchange?.response;
      if (exchange?.request.complete === false) {
        // The fault is in the rest of a request whose head was read.
        if (exchange.response.writableEnded) {
          socket.destroySoon();
          return;
        }
        pending = exchange.before;
      }
      const code = codeOf(error.code);
      if (pending === undefined || pending.writableFinished) answer(code, socket);
      else pending.once('close', () => answer(code, socket));
    },
    /** Tracks pending requests: an error after them must not be answered in their place. */
    watch(server: Server): void {
      server.on('request', (request, response) => {
        const connection = connections.getOrInsert(request.socket, { exchange: undefined });
        const last = connection.exchange?.response;
        const before = last?.writableFinished === false ? last : undefined;
        connection.exchange = { request, response, before };
      });
    },
    /** Called for every request whose answer was sent or abandoned. */
    answered(request: IncomingMessage): void {
      const connection = connections.get(request.socket);
      // The rest of a request that was not read whole may still be wrong.
      if (request.complete && connection?.exchange?.request === request)
        connection.exchange = undefined;
    },
  };
}

/** Whether the request is answered while it arrives: its answer then ends with what is wrong, and the connection after it. */
function endedEarly(
  { request, response }: Exchange,
  code: string | undefined,
  socket: Socket,
  leastSpeed: LeastSpeed,
): boolean {
  if (request.complete || response.writableEnded) return false;
  // It may take any time as a whole; only its speed is checked.
  if (codeOf(code) === 'request_timeout')
    return mayEndEarly(request) || leastSpeed.watches(request);
  if (!endEarly(request, new ApiError(codeOf(code)))) return false;
  response.once('close', () => socket.destroySoon());
  response.once('finish', () => socket.destroySoon());
  return true;
}

function codeOf(code: string | undefined): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'request_malformed';
}
