/** A file as the service has it: uploaded once, then looked at, checked and imported. */

import { imports as says } from 'messages';
import { type ErrorDetails, LedgerstoneError } from '../../../../client/src/error.ts';
import type {
  CheckUploadParams,
  ImportLook,
  ImportResult,
} from '../../../../client/src/generated/objects.d.ts';
import { parseJson, toJson } from '../../../../client/src/json.ts';
import { api, isRefusal, post } from '../../service/api.ts';

/** As the service takes them. */
const MOST_BYTES = 33_554_432;

/** What is said of the file: nothing of it is `null`. */
export type FileOptions = {
  readonly [Name in keyof CheckUploadParams]: Exclude<CheckUploadParams[Name], null>;
} & { readonly name: string; readonly set?: Readonly<Record<string, string>> | undefined };

export type Look = ImportLook;
export type Question = NonNullable<ImportLook['question']>;
export type Outcome = ImportResult;
export type Counts = ImportResult['counts'];

/** Whether a field says what a row belongs to. */
export function namesParent(field: string): boolean {
  return field.endsWith('_identifier') && field !== 'external_identifier';
}

/** Throws `LedgerstoneError`. */
export function look({ name, ...options }: FileOptions, file: File): Promise<Look> {
  return withUpload(name, file, (upload) => api.uploads.look(upload, options));
}

/** Rehearses an import, or runs it; `progressed` gets the progress. Throws `LedgerstoneError`. */
export function run(
  how: 'check' | 'run',
  { name, ...options }: FileOptions,
  file: File,
  progressed: (rows: number, total: number) => void,
): Promise<Outcome> {
  return withUpload(name, file, async (upload) => {
    const [path, body] =
      how === 'check'
        ? [`/v1/uploads/${upload}/check`, options]
        : ['/v1/imports', { upload, ...options, from_start: true }];
    const answer = await post(path, toJson(body), 'application/json', { lines: true });
    let outcome = NONE;
    for await (const line of linesOf(answer)) {
      if (line.error !== undefined) throw new LedgerstoneError(line.error);
      const { rejected = '', rows, ...rest } = line;
      outcome = { ...outcome, ...rest, rejected: outcome.rejected + rejected };
      if (rows !== undefined) progressed(rows, outcome.total);
    }
    return outcome;
  });
}

const NONE: Outcome = {
  object: 'import_result',
  ...{ import: null, total: 0, read: {}, local_times: false, done: false, rejected: '' },
  counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
};

type ImportMessage = Partial<Outcome> & { readonly rows?: number; readonly error?: ErrorDetails };

async function* linesOf({ body }: Response): AsyncGenerator<ImportMessage> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield parseJson(line) as ImportMessage;
  }
}

/** The uploads of files that were chosen here. */
const uploads = new WeakMap<File, Promise<string>>();

/** The file travels once: again only where it is there no longer. */
async function withUpload<T>(
  name: string,
  file: File,
  work: (upload: string) => Promise<T>,
): Promise<T> {
  try {
    return await work(await uploaded(name, file));
  } catch (error) {
    uploads.delete(file);
    if (!isRefusal(error) || error.code !== 'upload_gone') throw error;
    return work(await uploaded(name, file));
  }
}

function uploaded(name: string, file: File): Promise<string> {
  const upload = uploads.get(file) ?? sent(name, file);
  uploads.set(file, upload);
  return upload;
}

async function sent(name: string, file: File): Promise<string> {
  if (file.size > MOST_BYTES)
    throw refused(says.tooLarge({ name, megabytes: Math.round(file.size / 1_048_576) }));
  // One that was changed or taken away since is no longer what was chosen.
  const bytes = await file.arrayBuffer().catch(() => {
    throw refused(says.dead(name));
  });
  return (await api.uploads.create(new Uint8Array(bytes), { name })).unique_identifier;
}

function refused(message: string): LedgerstoneError {
  return new LedgerstoneError({
    type: 'invalid_request_error',
    code: 'import_refused' as ErrorDetails['code'],
    message,
  });
}
