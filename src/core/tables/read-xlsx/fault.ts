/** Why a workbook cannot be read. */

const AGAIN =
  'Open it in a spreadsheet program, and save the table as CSV, or as an Excel workbook (.xlsx) again';

/** A fault of a workbook, in words that go on from its name, with what to do. */
export class WorkbookFault extends Error {
  override readonly name = 'WorkbookFault';
  readonly remedy: string;

  constructor(why: string, remedy = AGAIN) {
    super(why);
    this.remedy = remedy;
  }
}

const SYSTEM = /^E[A-Z]+$/;

/** Makes a fault of an error of a library; one of the system says nothing of the file, and is given as it is. */
export function faultOf(error: unknown, why: string): unknown {
  const { code } = error as { readonly code?: unknown };
  const isOfSystem = typeof code === 'string' && SYSTEM.test(code);
  return error instanceof WorkbookFault || isOfSystem ? error : new WorkbookFault(why);
}
