/** A problem with an import or export that the person who started it can fix. */
import { type ErrorCode, type FaultValues, messageOf } from '../../core/errors.ts';

/** The choice that is needed before a file can be read. */
export interface Question {
  readonly about: 'sheet' | 'delimiter';
  readonly choices: readonly string[];
}

/** The fault's code, for readers who do not read the message. */
interface Coded {
  readonly code: ErrorCode;
  readonly values?: FaultValues;
  /** In place of the catalogue's. */
  readonly message?: string;
}

/** Its message is shown as it is, without anything else. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
  readonly code: ErrorCode;
  readonly values: FaultValues;
  /** A question with a few possible answers. */
  readonly question: Question | undefined;

  constructor(said: string | Coded, question?: Question, cause?: unknown) {
    const coded: Coded =
      typeof said === 'string' ? { code: 'import_refused', message: said } : said;
    const { code, values = {}, message } = coded;
    super(message ?? messageOf(code, { values }), { cause });
    this.code = code;
    this.values = values;
    this.question = question;
  }
}

const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EROFS'];
const SQLITE_FULL = 13;

/** Whether a file could not be written because its disk is full, or may not be written to. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', errcode } = error as NodeJS.ErrnoException & { readonly errcode?: number };
  return NO_ROOM.includes(code) || errcode === SQLITE_FULL || isNoRoom(error.cause);
}
