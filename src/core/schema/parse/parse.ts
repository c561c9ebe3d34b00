/** Reads the parameters of a write, and reports all faults. */
import { ApiError, Faults } from '../../errors.ts';
import { type Columns, readRow } from '../csv/columns.ts';
import { parentOf, perResource, type Resource } from '../define.ts';
import { type BodyReading, describe, optional } from '../fields/kind.ts';
import { wish } from '../fields/kinds/boolean.ts';
import { type InputObject, type Members, readMembers, repetitionIn } from '../fields/members.ts';
import { hasTooManyFields, parseForm, type Repetition } from '../form/form.ts';
import { parseJsonBody } from '../json/json.ts';
import { checkReference, type ExternalReference, referenceFrom, rivalName } from '../reference.ts';
import { isObject, type JsonObject, setMember } from '../values.ts';
import { readParams as expandParams } from './parse-list.ts';
import { readQuery } from './query-string.ts';

/** An upsert as it arrives, untrusted. */
export interface Params {
  readonly encoding: 'json' | 'form' | 'cells';
  readonly body: Uint8Array;
  /** The columns that the header of a table names, for cells. */
  readonly columns?: Columns | undefined;
  /** The query string without its question mark. */
  readonly query: string;
  readonly unknown: 'refuse' | 'ignore';
  /** The most faults to name, if fewer than a response may name. */
  readonly named?: number;
}

/** The parameters of an upsert: parsed, canonical, absent distinguished from `null`. */
export interface UpsertRequest extends ExternalReference {
  /** The patch, in the layout of the stored document. */
  readonly patch: JsonObject;
}

/** Query parameters of every write. */
export const writeParams = {
  dry_run: optional(wish(), 'Return what the request would do, and change nothing'),
} as const satisfies Members;

/** The query parameters of an upsert or a PATCH of one record. */
export const recordWriteParams = perResource(
  (resource): Members => ({ ...writeParams, ...expandParams(resource) }),
);

/** The parameters of a PATCH without an identifier in its path: the identifiers of the record are among them. */
export const pairPatchParams = perResource(
  (resource): Members => ({ ...identityParams(resource), ...recordWriteParams(resource) }),
);

/** Whether a query requests a dry run. */
export function isRehearsal(query: string): boolean {
  return readQuery(writeParams, query, new Faults(), 'ignore').dry_run === true;
}

/** Reads an upsert, or throws one `ApiError` that names every fault of its body and query. */
export function parseUpsert(
  resource: Resource,
  params: Params,
): UpsertRequest & { readonly dry_run: boolean } {
  const { reading, dry_run, sent } = readParams(resource, params);
  const request = sent === undefined ? undefined : readUpsert(resource, sent, reading);
  reading.faults.throwIfAny();
  return { ...(request as UpsertRequest), dry_run };
}

/** Reads the body of an upsert. The result is only valid if no fault was added. */
export function readUpsert(
  resource: Resource,
  sent: InputObject,
  reading: BodyReading,
): UpsertRequest {
  const parent = parentOf(resource);
  if (parent.parent !== undefined) checkReference(parent, sent, reading.faults);
  const elsewhere = responseOnlyMessage(resource);
  const rivalOf = (name: string) => rivalName(parent, name, sent);
  const values = readMembers(resource.upsert, sent, '', { ...reading, elsewhere, rivalOf });
  return {
    parent: referenceFrom(parent, values),
    external_identifier: values.external_identifier as string,
    patch: arrange(resource, values),
  };
}

/** Reads a PATCH, or throws one `ApiError` that names every fault of its body and query; `inQuery`: that names the record. */
export function parsePatch(resource: Resource, params: Params, inQuery: boolean) {
  const declared = inQuery ? pairPatchParams(resource) : undefined;
  const { reading, queryValues, dry_run, sent = {} } = readParams(resource, params, declared);
  const { faults } = reading;
  const named = inQuery ? pairFrom(resource, 'PATCH', queryValues, faults) : undefined;
  const elsewhere = responseOnlyMessage(resource);
  const values = readMembers(resource.patch, sent, '', { ...reading, elsewhere });
  faults.throwIfAny();
  /** The record's identifiers in the request, by parameter: they may only repeat what is stored. */
  const identity: Record<string, string> = {};
  for (const name of identityNames(resource)) {
    const value = values[name];
    if (typeof value === 'string') identity[name] = value;
  }
  return { named, identity, patch: arrange(resource, values), dry_run };
}

/** How many times longer JSON can be once it is compact and canonical: `1e20` becomes 21 digits. */
const JSON_GROWTH = 6;

/** The body and the query of a write; `sent` is `undefined` where the body cannot be read. */
export function readParams(
  resource: Resource,
  { encoding, body, columns, query, unknown, named }: Params,
  declared: Members = recordWriteParams(resource),
): {
  readonly reading: BodyReading;
  readonly queryValues: JsonObject;
  readonly dry_run: boolean;
  readonly sent: InputObject | undefined;
} {
  const faults = new Faults(named);
  const queryValues = readQuery(declared, query, faults, unknown, (at) =>
    Object.hasOwn(resource.upsert, at.split('.', 1)[0] ?? '') ? 'send it in the body.' : undefined,
  );
  const all = { queryValues, dry_run: queryValues.dry_run === true };
  if (encoding === 'cells') {
    if (columns === undefined) throw new TypeError('Cells are read by their columns.');
    const sent = readRow(columns, body, faults);
    return { ...all, reading: { encoding, faults, unknown }, sent };
  }
  const sent = parseBody({ encoding, body, unknown }, resource.upsert, faults);
  if (encoding === 'form') return { ...all, reading: { encoding, faults, unknown }, sent };
  const most = body.length * JSON_GROWTH;
  return { ...all, reading: { encoding, faults, unknown, most }, sent };
}

/** The body; `undefined` if it cannot be read. */
export function parseBody(
  { encoding, body, unknown }: Pick<Params, 'encoding' | 'body' | 'unknown'>,
  members: Members,
  faults: Faults,
): InputObject | undefined {
  if (encoding !== 'form') return readJson(body, faults);
  return faults.inForm(() => readForm(body, faults, repetitionIn(members, unknown)));
}

function readForm(
  body: Uint8Array,
  faults: Faults,
  repetition: Repetition,
): InputObject | undefined {
  if (looksLikeJson(body)) {
    faults.add(undefined, 'form_invalid', JSON_AS_FORM);
  } else if (hasTooManyFields(body)) {
    faults.add(undefined, 'parts_too_many');
  } else {
    return parseForm(body, faults, repetition);
  }
  return undefined;
}

const JSON_AS_FORM =
  'The body is JSON, but it was read as a form, because no other Content-Type was sent: send the header Content-Type: application/json (curl -H "Content-Type: application/json").';

/** Whether a form body begins like JSON: no name of a field does, raw or percent-encoded. */
function looksLikeJson(body: Uint8Array): boolean {
  if (!/[\s+%{[]/.test(String.fromCharCode(body[0] ?? 0))) return false;
  const start = Buffer.from(body.subarray(0, 64))
    .toString('latin1')
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /^\s*(?:\{\s*(?:"|\}\s*$)|\[\s*[{"])/.test(start);
}

function readJson(body: Uint8Array, faults: Faults): JsonObject | undefined {
  const sent = parseJsonBody(body, faults);
  if (sent === undefined || isObject(sent)) return sent;
  throw new ApiError('type_invalid', {
    message: `The body must be a JSON object, but ${describe(sent)} was sent.`,
  });
}

/** Moves flat parameters to their places in the document. */
function arrange(resource: Resource, values: JsonObject): JsonObject {
  const patch: JsonObject = {};
  for (const name in resource.fields) take(values, name, patch);
  if (resource.public_data !== undefined) {
    const inside: JsonObject = {};
    for (const name in resource.public_data) take(values, name, inside);
    patch.public_data = inside;
  }
  return patch;
}

function take(values: JsonObject, name: string, into: JsonObject): void {
  const value = values[name];
  if (value !== undefined) setMember(into, name, value);
}

const OURS = ['object', 'unique_identifier', 'inserted_at', 'updated_at'];

const responseOnlyMessage = perResource(
  ({ public_data }): NonNullable<BodyReading['elsewhere']> => {
    const names = Object.keys(public_data ?? {});
    const grouped =
      names.length === 0
        ? 'it holds nothing that you send. Leave it out.'
        : `answers group these members in public_data. Send them by themselves: ${names.join(', ')}.`;
    return (at) => {
      if (at === 'public_data') return grouped;
      if (!OURS.includes(at)) return undefined;
      return `${OURS.slice(0, -1).join(', ')} and ${OURS.at(-1)} are set by the service. Leave them out.`;
    };
  },
);

/** The parameters that identify a record. */
function identityNames({ parentParam = '', parentNames }: Resource): readonly string[] {
  return ['external_identifier', parentParam, ...Object.keys(parentNames)];
}

/** The identifiers of a record as members of a query. */
export const identityParams = perResource(
  (resource): Members =>
    Object.fromEntries(
      Object.entries(resource.patch).filter(([name]) => identityNames(resource).includes(name)),
    ),
);

/** The record that the query of such a request names. The result is only valid if no fault was added. */
export function pairFrom(
  resource: Resource,
  method: 'DELETE' | 'PATCH',
  values: JsonObject,
  faults: Faults,
): ExternalReference {
  const { path } = resource;
  const parent = parentOf(resource);
  if (values.external_identifier === undefined) {
    const message = `external_identifier is missing: the query of ${method} /v1/${path} names one record, by its external_identifier and what it belongs to. ${method} /v1/${path}/{unique_identifier} needs neither.`;
    faults.add('external_identifier', 'parameter_missing', message);
  }
  checkReference(parent, values, faults);
  return {
    parent: referenceFrom(parent, values),
    external_identifier: values.external_identifier as string,
  };
}

/** Parameters of an operation: members of its query, and members of its body if it takes one. */
export interface OperationParams {
  readonly query?: Members | undefined;
  readonly body?: Members | undefined;
  /** Adds faults that concern several members. */
  readonly check?: ((values: JsonObject, faults: Faults) => void) | undefined;
}

/** Returns the values, or throws one `ApiError` that names every fault; `check` adds the caller's own faults. */
export type ParamsReader<Values = JsonObject> = (check?: OperationParams['check']) => Values;

/** Nothing is read before the function is called. */
export function readerOf(
  { query = {}, body, check: own }: OperationParams,
  params: Params,
): ParamsReader {
  return (check) => {
    const { encoding, unknown } = params;
    const faults = new Faults();
    const values = readQuery(query, params.query, faults, unknown);
    if (body !== undefined) {
      const sent = parseBody(params, body, faults) ?? {};
      const reading = { encoding, faults, unknown, always: 'here' };
      Object.assign(values, readMembers(body, sent, '', reading));
    }
    own?.(values, faults);
    check?.(values, faults);
    for (const [name, { required, omittable, says }] of Object.entries(query))
      if (required && omittable !== true && !Object.hasOwn(values, name))
        faults.add(name, 'parameter_missing', `${name} is missing, and it is required (${says}).`);
    faults.throwIfAny();
    return values;
  };
}
