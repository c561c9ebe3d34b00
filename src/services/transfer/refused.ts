/** A problem with an import or export that the person who started it can fix. */

/** The choice that is needed before a file can be read. */
export interface Question {
  readonly about: 'sheet' | 'delimiter';
  readonly choices: readonly string[];
}

/** Its message is shown as it is, without anything else. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
  /** A question with a few possible answers. */
  readonly question: Question | undefined;

  constructor(message: string, question?: Question, cause?: unknown) {
    super(message, { cause });
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
