/** W3C Trace Context: reads the `traceparent` header by the grammar of https://www.w3.org/TR/trace-context/. */

export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** The caller's span that sent the request: 16 such digits. */
  readonly parentId: string;
}

const TRACEPARENT =
  /^(?<version>(?!ff)[\da-f]{2})-(?<traceId>(?!0{32})[\da-f]{32})-(?<parentId>(?!0{16})[\da-f]{16})-[\da-f]{2}(?<more>-.*)?$/;

/**
 * The trace that a request belongs to; `undefined` where it names none, or
 * not by the grammar. A version above 00 may have more after the flags.
 */
export function readTraceparent(header: string | string[] | undefined): TraceContext | undefined {
  if (typeof header !== 'string') return undefined;
  const { version, traceId, parentId, more } = TRACEPARENT.exec(header)?.groups ?? {};
  if (traceId === undefined || parentId === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, parentId };
}
