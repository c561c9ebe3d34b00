/** The formats in which a whole list can be read, and which of them a request accepts. */
import { CSV, NDJSON, type RowText } from '../../core/tables/row-texts.ts';
import { weightsIn } from '../fair/weights.ts';
import { JSON_TYPE, LINES } from '../request/body.ts';

export interface RowForm extends RowText {
  /** The media type, with its parameters. */
  readonly type: string;
  /** Why the rows end early; a format without a place for that is cut off. */
  readonly error?: (text: string) => string;
}

/** Lines that are cut off where they end early. */
export const LINES_ALONE: RowForm = { ...NDJSON, type: LINES };
const LINES_FORM: RowForm = {
  ...NDJSON,
  type: `${LINES}; charset=utf-8`,
  error: (text) => `${text}\n`,
};
const CSV_FORM: RowForm = { ...CSV, type: 'text/csv; charset=utf-8; header=present' };

const FORMS = { [LINES]: LINES_FORM, 'text/csv': CSV_FORM };

type FormType = keyof typeof FORMS;

/** The format of these that an `Accept` prefers; `undefined`: a page of JSON, which also wins a tie. */
export function formFor(
  accept: string | undefined,
  among: readonly FormType[] = [LINES, 'text/csv'],
): RowForm | undefined {
  if (accept === undefined) return undefined;
  const weights = weightsIn(accept);
  const others = weights.get('application/*') ?? weights.get('*/*') ?? 0;
  let most = weights.get(JSON_TYPE) ?? others;
  let found: RowForm | undefined;
  for (const type of among) {
    const weight = weights.get(type) ?? 0;
    if (weight <= most) continue;
    most = weight;
    found = FORMS[type];
  }
  return found;
}
