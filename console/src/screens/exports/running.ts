/** The running export: it continues while its person looks at other screens. */
import { signal } from '@preact/signals';
import { exports as says } from 'messages';
import { type ErrorDetails, LedgerstoneError } from '../../../../client/src/error.ts';
import { download } from '../../parts/download.ts';
import { say } from '../../parts/notice.tsx';
import { usualZone } from '../../places/zones.ts';
import { ask, post } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';
import { withOffset } from '../../values/days.ts';
import { unitText } from '../../values/unit.ts';

type ExportState =
  | { readonly at: 'running'; readonly bytes: number; readonly cancel: () => void }
  | { readonly at: 'done'; readonly says: string }
  | { readonly at: 'failed'; readonly error: unknown };

/** `undefined`: none yet. */
export const current = signal<ExportState | undefined>(undefined);

export async function beginExport(wanted: Wanted): Promise<void> {
  const cancelled = new AbortController();
  const cancel = (): void => cancelled.abort();
  const show = (bytes: number): void => {
    current.value = { at: 'running', bytes, cancel };
  };
  show(0);
  try {
    const { file, rows } = await signedInFor(() => fetchExport(wanted, show, cancelled.signal));
    const name = nameOf(wanted);
    download(file, name);
    const size = sizeText(file.size);
    const text =
      rows === undefined ? `${name} (${size}).` : says.doneRecords({ count: rows, name, size });
    current.value = { at: 'done', says: text };
    say(text);
  } catch (error) {
    current.value = error instanceof DOMException ? undefined : { at: 'failed', error };
  }
}

export function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? unitText(Math.ceil(bytes / 1000), 'kilobyte', 'short')
    : unitText(Math.round(bytes / 100_000) / 10, 'megabyte', 'short');
}

/** `events-2026-11-21.csv`; the ending is the last word of the format. */
function nameOf({ resources, format }: Wanted): string {
  const ending = format.split('_').at(-1);
  const day = withOffset(new Date(), usualZone.value).slice(0, 10);
  const [first = ''] = resources;
  return resources.length === 1 ? `${first}-${day}.${ending}` : `ledgerstone-${day}.zip`;
}

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
async function fetchExport(
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
