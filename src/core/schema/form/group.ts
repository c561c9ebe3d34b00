/** The nodes of a form: texts, and groups that brackets in the names make. */

export type FormNode = string | FormGroup;

/** An object or an array of a form; which of the two, the declaration of the field says. */
export class FormGroup {
  /** By name or index, as it stood between the brackets: `person[full_name]`, `image_urls[0]`. */
  readonly members = new Map<string, FormNode>();
  /** Elements that were sent without an index: `image_urls[]`. Never together with members. */
  readonly pushed: FormNode[] = [];
  /**
   * Names that are likely to be the rest of a value with a raw `&` in it, each with the name of the
   * field before it. Only the outermost group has them.
   */
  rests: Map<string, string> | undefined;
}
