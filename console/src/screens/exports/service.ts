/** Downloads an export, and says why it ended if it is not whole. */
import { exports as says } from 'messages';
import { type ErrorDetails, LedgerstoneError } from '../../../../client/src/error.ts';
import { ask, post } from '../../service/api.ts';

export interface Wanted {
  /** Path names. */
  readonly resources: readonly string[];
  readonly format: string;
  /** The filters of the one resource, as its list takes them. */
  readonly filters?: string;
  readonly location?: string;
}

/** How the last export of a person ended. */
interface Export {
  readonly rows: number;
  readonly error?: ErrorDetails;
}

/** The whole file. `arrived` gets the bytes so far. Throws `LedgerstoneError`, and what `signal` is aborted with. */
export async function fetchExport(
  wanted: Wanted,
  arrived: (bytes: number) => void,
  signal: AbortSignal,
): Promise<{ readonly file: Blob; readonly rows: number | undefined }> {
  const { body } = await post('/exports', JSON.stringify(wanted), 'application/json', signal);
  let bytes = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, on) {
      bytes += piece.length;
      arrived(bytes);
      on.enqueue(piece);
    },
  });
  const last = async (): Promise<Export | undefined> =>
    (await ask<{ readonly data: readonly Export[] }>('GET', '/exports')).data[0];
  try {
    const file = await new Response(body?.pipeThrough(counting)).blob();
    return { file, rows: (await last().catch(() => undefined))?.rows };
  } catch (cause) {
    signal.throwIfAborted();
    const { error } = (await last()) ?? {};
    const { ended: message } = says;
    const broken = { type: 'api_error', code: 'connection_failed', message, cause } as const;
    throw new LedgerstoneError(error ?? broken);
  }
}
