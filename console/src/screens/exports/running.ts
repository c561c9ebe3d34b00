/** The running export: it continues while its person looks at other screens. */

import { signal } from '@preact/signals';
import { exports as says } from 'messages';
import { download } from '../../parts/download.ts';
import { say } from '../../parts/notice.tsx';
import { usualZone } from '../../places/zones.ts';
import { signedInFor } from '../../service/session.ts';
import { withOffset } from '../../values/days.ts';
import { unitText } from '../../values/unit.ts';
import { fetchExport, type Wanted } from './service.ts';

export type ExportState =
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
