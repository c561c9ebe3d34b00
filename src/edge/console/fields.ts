/** Small JSON bodies: a few members, each text, list of texts or object. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, Faults } from '../../core/errors.ts';
import { receiveBody } from '../request/receive.ts';

const MAX_TEXT = 2_000;

interface Kinds {
  readonly text: string;
  readonly texts: readonly string[];
  readonly object: object;
  readonly number: number;
  readonly amount: number | string;
  readonly flag: boolean;
}
type Kind = keyof Kinds;
/** A question mark: it may be left out, and `null` counts as left out. */
type Spec = { readonly [name: string]: Kind | `${Kind}?` };
export type Fields<S extends Spec> = {
  readonly [N in keyof S]: S[N] extends Kind
    ? Kinds[S[N]]
    : S[N] extends `${infer K extends Kind}?`
      ? Kinds[K] | undefined
      : never;
};

/** Reads the body of a request. Throws with every fault of it. */
export async function readFields<const S extends Spec>(
  request: FastifyRequest,
  reply: FastifyReply,
  spec: S,
): Promise<Fields<S>> {
  await receiveBody(request, reply);
  const sent = objectIn(request.body as Uint8Array | undefined);
  const faults = new Faults();
  for (const name of Object.keys(sent)) {
    if (!Object.hasOwn(spec, name))
      faults.add(
        undefined,
        'parameter_unknown',
        `A parameter is unknown; known are ${known(spec)}.`,
      );
  }
  const fields: { [name: string]: unknown } = {};
  for (const [name, kind] of Object.entries(spec)) {
    const value = sent[name] ?? undefined;
    const optional = kind.endsWith('?');
    const wanted = kind.replace('?', '') as Kind;
    if (value === undefined) {
      if (!optional)
        faults.add(name, 'parameter_missing', `${name} is required: send ${SAYS[wanted]}.`);
    } else if (!is[wanted](value))
      faults.add(name, 'type_invalid', `${name} must be ${SAYS[wanted]}.`);
    fields[name] = value;
  }
  faults.throwIfAny();
  return fields as Fields<S>;
}

const SAYS: Readonly<Record<Kind, string>> = {
  text: `a text of 1 to ${MAX_TEXT} characters`,
  texts: 'a list of texts, such as ["acct_…"]',
  object: 'an object',
  number: 'a whole number, 0 or more',
  amount: 'a number',
  flag: 'true or false',
};

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && value.isWellFormed();
const is: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: isText,
  texts: (value) => Array.isArray(value) && value.length <= 1_000 && value.every(isText),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  flag: (value) => typeof value === 'boolean',
  amount: (value) => isText(value) || Number.isFinite(value),
  number: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};

function objectIn(body: Uint8Array | undefined): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(body ?? []).toString('utf8') || '{}');
    if (is.object(value)) return value as { readonly [name: string]: unknown };
  } catch {
    // Said below.
  }
  throw new ApiError('json_invalid', { message: 'The body must be one JSON object.' });
}

function known(spec: Spec): string {
  const names = Object.keys(spec);
  return names.length === 0 ? 'none' : names.join(', ');
}
