/** Answers what is not HTTP, or came too slowly: there is no request yet, so the bytes are written here. */
import type { Socket } from 'node:net';
import { ApiError, type ErrorCode } from '../errors.ts';
import { type DocUrl, errorBody } from './error-response.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

export function createClientErrorHandler(
  docUrl: DocUrl,
  requestId: () => string,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy();
      return;
    }
    const apiError = new ApiError(codeOf(error.code));
    const id = requestId();
    const body = errorBody(apiError, id, docUrl);
    socket.end(
      `HTTP/1.1 ${apiError.status} ${REASONS[apiError.status]}\r\n` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Request-Id: ${id}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    );
  };
}

function codeOf(code: string | undefined): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'request_malformed';
}
