/** Makes entries of the catalogue. */

/** Values in a message about one request, by name. */
export type FaultValues = Readonly<Record<string, string | number | readonly string[]>>;

export interface CatalogueEntry {
  /** The HTTP status of an answer whose first fault has this code. */
  readonly status: number;
  /** The message, with `{param}` and its values in braces; a fault may have a more exact one. */
  readonly message: string;
  /** The message for a person who has signed in, whatever a fault says of itself: that is for programs. */
  readonly person?: string;
  /** An example of each value that every fault with this code has. */
  readonly values?: FaultValues;
  /** The more general code of which it is one case: what may answer with that may answer with this. */
  readonly of?: string;
  /** For the reference: when it happens and what to do about it. */
  readonly hint: string;
  /** Headers of every answer with this code. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Said to a person whose page asked in a way that the service does not know. */
export const PAGE_OUTDATED =
  'The page and the service do not understand each other. Reload the page; if it happens again, tell the operator.';
/** Said to a person whose page sent what cannot be read. */
export const PAGE_UNREADABLE =
  'The service could not read what the page sent. Reload the page; if it happens again, tell the operator.';

/** A message, with another one for people where it is not for both. */
type ForReaders = string | Required<Pick<CatalogueEntry, 'message' | 'person'>>;

export function withStatus(status: number) {
  return (message: ForReaders, hint: string, values?: FaultValues): CatalogueEntry => ({
    status,
    ...(typeof message === 'string' ? { message } : message),
    hint,
    ...(values && { values }),
  });
}

/** An entry for a fault of a request. */
export const invalid = withStatus(400);
export const unauthenticated = withStatus(401);
export const denied = withStatus(403);
export const missing = withStatus(404);
export const conflict = withStatus(409);
export const gone = withStatus(410);
export const unmet = withStatus(412);
export const tooLarge = withStatus(413);
export const limited = withStatus(429);
export const unavailable = withStatus(503);

type Sentence = Pick<CatalogueEntry, 'message'> & Partial<CatalogueEntry>;
type Case = string | readonly [message: string, values: FaultValues] | Sentence;

/** The other sentences of an entry, by their codes; some with an example of their values. */
export function finer<const Code extends string>(
  of: string,
  { status, hint }: CatalogueEntry,
  cases: Readonly<Record<Code, Case>>,
): Readonly<Record<Code, CatalogueEntry>> {
  const sentence = (one: Case): Sentence => {
    if (typeof one === 'string') return { message: one };
    return 'message' in one ? one : { message: one[0], values: one[1] };
  };
  const all = Object.entries<Case>(cases);
  return Object.fromEntries(
    all.map(([code, one]) => [code, { status, hint, ...sentence(one), of }]),
  ) as Record<Code, CatalogueEntry>;
}
