/** Has the service export records, and puts the file together as it arrives. */
import { type ErrorDetails, LedgerstoneError } from '../../../../client/src/error.ts';
import { post } from '../../service/api.ts';
import { says } from './texts.ts';

export interface Wanted {
  /** Path names. */
  readonly resources: readonly string[];
  readonly format: string;
  /** Of the one resource, as its list takes them. */
  readonly filters?: string;
  readonly location?: string;
}

export interface Progress {
  readonly rows: number;
  readonly bytes: number;
}

interface ExportMessage {
  readonly rows?: number;
  readonly done?: true;
  readonly error?: ErrorDetails;
}

const BYTES = 1;
const HEAD_BYTES = 5;
/** This much is handed to the browser at a time, which stores it where it has room. */
const HANDED = 4_194_304;

/** The whole file. `told` gets the progress. Throws `LedgerstoneError`, and what `signal` is aborted with. */
export async function fetchExport(
  wanted: Wanted,
  told: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<{ readonly file: Blob; readonly rows: number }> {
  const answer = await post('/exports', JSON.stringify(wanted), 'application/json', signal);
  const file: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let progress: Progress = { rows: 0, bytes: 0 };
  let whole = false;
  for await (const frame of framesOf(answer, signal)) {
    const { kind, content } = frame;
    if (kind === BYTES) {
      pieces.push(content);
      waiting += content.length;
      progress = { ...progress, bytes: progress.bytes + content.length };
      if (waiting < HANDED) continue;
      file.push(new Blob(pieces));
      pieces = [];
      waiting = 0;
      continue;
    }
    const {
      rows = progress.rows,
      done,
      error,
    } = JSON.parse(new TextDecoder().decode(content)) as ExportMessage;
    if (error !== undefined) throw new LedgerstoneError(error);
    whole = done === true;
    progress = { ...progress, rows };
    told(progress);
  }
  if (!whole) throw ended();
  return { file: new Blob([...file, ...pieces]), rows: progress.rows };
}

interface Frame {
  readonly kind: number;
  readonly content: Uint8Array<ArrayBuffer>;
}

async function* framesOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Frame> {
  const reader = body?.getReader();
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array();
  for (;;) {
    const read = await reader?.read().catch((cause) => {
      signal.throwIfAborted();
      throw ended(cause);
    });
    if (read === undefined || read.done) return;
    rest = joined(rest, read.value);
    while (rest.length >= HEAD_BYTES) {
      const length = new DataView(rest.buffer, rest.byteOffset).getUint32(1);
      if (rest.length < HEAD_BYTES + length) break;
      yield { kind: rest[0] ?? 0, content: rest.subarray(HEAD_BYTES, HEAD_BYTES + length) };
      rest = rest.subarray(HEAD_BYTES + length);
    }
  }
}

function joined(
  one: Uint8Array<ArrayBuffer>,
  other: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function ended(cause?: unknown): LedgerstoneError {
  const { ended: message } = says;
  return new LedgerstoneError({ type: 'api_error', code: 'connection_failed', message, cause });
}
