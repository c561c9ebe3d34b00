/** The messages of the service about an import, line by line as they arrive. */
import { imports as says } from 'messages';
import { type ErrorDetails, LedgerstoneError } from '../../../../client/src/error.ts';
import type { Import } from '../../generated/objects.ts';
import { post } from '../../service/api.ts';

/** As the service takes them. */
const MOST_BYTES = 33_554_432 - 65_536;

export interface FileOptions {
  readonly name: string;
  readonly resource: string;
  readonly account?: string | undefined;
  readonly map?: Readonly<Record<string, string | null>>;
  readonly set?: Readonly<Record<string, string>> | undefined;
  readonly dates?: string | undefined;
  readonly time_zone?: string | undefined;
  readonly us_phones?: boolean;
  readonly empty?: string;
  readonly mode?: string | undefined;
  readonly sheet?: string | undefined;
  readonly header_row?: number | undefined;
  readonly delimiter?: string | undefined;
  /** By what the file calls a location, the one that is meant. */
  readonly chosen?: Readonly<Record<string, string>> | undefined;
}

/** What has to be chosen before the file can be read. */
export interface Question {
  readonly object: 'import_question';
  readonly about: 'sheet' | 'delimiter';
  readonly choices: readonly string[];
}

export interface Look {
  readonly object: 'import_look';
  readonly read: {
    readonly encoding?: string;
    readonly delimiter?: string;
    readonly sheet?: string;
    readonly header_row?: number;
  };
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly header_row: number;
  /** The first rows of the file, among which the header can be. */
  readonly beginning: readonly { readonly number: number; readonly text: string }[];
  readonly mapping: Readonly<Record<string, string | null>>;
  readonly fields: readonly { readonly name: string; readonly label: string }[];
  /** Fields that every row needs. */
  readonly required: readonly string[];
  /** What names the record that a row belongs to: the fields of one of these ways. */
  readonly parent: readonly (readonly string[])[];
}

export type Counts = Import['counts'];

export interface Outcome {
  readonly import: string | null;
  readonly total: number;
  readonly done: boolean;
  readonly counts: Counts;
  /** The refused rows, as a file. */
  readonly rejected: string;
  /** Refused rows that are not in it. */
  readonly cut?: number;
  /** What the file calls a location, and means none or several. */
  readonly unplaced?: readonly string[];
  /** Rows that name the same record as an earlier one. */
  readonly twice?: {
    readonly count: number;
    readonly examples: readonly (readonly [row: number, earlier: number])[];
  };
}

/** Whether a field says what a row belongs to. */
export function namesParent(field: string): boolean {
  return field.endsWith('_identifier') && field !== 'external_identifier';
}

/** Throws `LedgerstoneError`. */
export async function look(options: FileOptions, file: Blob): Promise<Look | Question> {
  return (await (await send('look', options, file)).json()) as Look | Question;
}

/** Rehearses an import, or runs it; `progressed` gets the progress. Throws `LedgerstoneError`. */
export async function run(
  how: 'preview' | 'run',
  options: FileOptions,
  file: Blob,
  progressed: (rows: number, total: number) => void,
): Promise<Outcome> {
  const answer = await send(how, options, file);
  let outcome: Outcome = { import: null, total: 0, done: false, counts: NONE, rejected: '' };
  for await (const line of linesOf(answer)) {
    if (line.error !== undefined) throw new LedgerstoneError(line.error);
    const { rejected = '', rows, ...rest } = line;
    outcome = { ...outcome, ...rest, rejected: outcome.rejected + rejected };
    if (rows !== undefined) progressed(rows, outcome.total);
  }
  return outcome;
}

const NONE: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };

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
    for (const line of lines) yield JSON.parse(line) as ImportMessage;
  }
}

async function send(path: string, options: FileOptions, file: Blob): Promise<Response> {
  if (file.size > MOST_BYTES)
    throw refused(
      says.tooLarge({ name: options.name, megabytes: Math.round(file.size / 1_048_576) }),
    );
  const body = new Blob([`${JSON.stringify(options)}\n`, file]);
  try {
    return await post(`/imports/${path}`, body, 'application/octet-stream');
  } catch (error) {
    // A file that was changed or taken away since is no longer what was chosen, and looks like no connection.
    const isThere = await file
      .slice(0, 1)
      .arrayBuffer()
      .then(() => true)
      .catch(() => false);
    throw isThere ? error : refused(says.dead(options.name));
  }
}

function refused(message: string): LedgerstoneError {
  return new LedgerstoneError({
    type: 'invalid_request_error',
    code: 'import_refused' as ErrorDetails['code'],
    message,
  });
}
