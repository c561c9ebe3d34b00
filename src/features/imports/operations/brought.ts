/** Brings the file of an upload to who works with it: a file at a time for each account, two in this process. */
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import { FairSlots, type Release } from '../../../core/fair/slots.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { temporaryFolder } from '../../../core/temporary.ts';
import { stillMay } from '../../../edge/fair/still.ts';
import type { Services } from '../../../edge/operations/operation.ts';
import { callerOf, goneSignal } from '../../../edge/request/request.ts';
import { RETRY_SOON } from '../../../edge/response/retry-after.ts';
import {
  authorize,
  authorizeAction,
  customerOf,
  type Principal,
  wholeAccountNeeded,
} from '../../../records/auth/principal.ts';
import { isNoRoom, TransferRefused } from '../../../services/transfer/refused.ts';
import type { Permission } from '../../../store/promises/keys.ts';
import { missingAt } from '../../../store/promises/refusals.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { ImportRun } from '../declares/import-run.ts';
import type { Upload, UploadFacts } from '../declares/upload.ts';
import { aboveFinder } from '../serves/above.ts';
import { memoryOf, NO_LIKE } from '../serves/memory.ts';
import { placesOf } from '../serves/places.ts';
import type { ImportOptions } from '../serves/plan.ts';
import { FIELDS, MEMBERS } from '../serves/words.ts';
import type { Asked } from './members.ts';

/** Reading a file takes the time of this process: two at a time, of two accounts. */
const SLOTS = { slots: 2, ofGroup: 1 };
const WAITING = { most: 16, ofGroup: 4 };
export const slots = new FairSlots({ ...SLOTS, waiting: { ...WAITING, refusal } });

export interface ImportParts {
  readonly services: Services;
  readonly resources: readonly Resource[];
}

export interface BroughtFile {
  /** Where it is for this request alone. */
  readonly path: string;
  readonly options: ImportOptions;
  readonly upload: Upload;
  /** Throws where the caller may import no longer. */
  readonly still: () => Promise<unknown>;
  /** Lets the next file be read. */
  readonly release: Release;
}

/** Gives `work` the file of an upload, when it is its turn. */
export async function brought<T>(
  parts: ImportParts,
  request: FastifyRequest,
  reply: FastifyReply,
  said: Asked,
  work: (file: BroughtFile) => Promise<T>,
): Promise<T> {
  const { imports } = parts.services.store;
  const principal = importerIn(request);
  checkAccount(principal, said, parts);
  const still = stillImports(request, [said.resource], ['write']);
  await still();
  const upload = await uploadOf(imports, principal, said.upload ?? '');
  const release = await slots.acquire(customerOf(principal), goneSignal(reply));
  try {
    // Others may have been read for minutes.
    await still();
    return await withFile(imports, upload, (path) => {
      const options = optionsOf(parts, principal, said, upload, request.url.includes('/look'));
      return work({ path, options, upload, still, release }).catch((error) => {
        throw inWords(error, upload.name, path);
      });
    });
  } finally {
    release();
  }
}

/** Throws `resource_missing` for an account that the caller does not see. */
function checkAccount({ scope }: Principal, { account }: Asked, { resources }: ImportParts): void {
  const [root] = resources;
  if (account && root && !scope.accounts.has(account))
    throw missingAt('account', root.shape, account);
}

async function uploadOf({ uploads }: Store['imports'], { key }: Principal, id: string) {
  const upload = await uploads.find(key, id);
  if (upload !== undefined) return upload;
  throw new ApiError('upload_gone', { values: { upload: id.slice(0, 100) } });
}

/** Its bytes are in a folder of their own, readable by this process alone, and gone when `work` has ended. */
async function withFile<T>(
  { uploads }: Store['imports'],
  upload: Upload,
  work: (path: string) => Promise<T>,
): Promise<T> {
  try {
    using folder = temporaryFolder('import');
    // Its name is the caller's, and only its ending says anything.
    const ending = /^\.[A-Za-z0-9]{1,8}$/.exec(extname(upload.name))?.[0] ?? '';
    const path = join(folder.path, `file${ending}`);
    let bytes = 0;
    async function* counted() {
      for await (const part of uploads.parts(upload)) {
        bytes += part.length;
        yield part;
      }
    }
    await writeFile(path, counted(), { mode: 0o600 });
    // It went while it was read.
    if (bytes !== upload.bytes)
      throw new ApiError('upload_gone', { values: { upload: upload.unique_identifier } });
    return await work(path);
  } catch (cause) {
    if (!isNoRoom(cause)) throw cause;
    throw new ApiError('files_no_room', { cause, headers: RETRY_SOON });
  }
}

function optionsOf(
  { resources, services: { store } }: ImportParts,
  { key, scope, person, resources: limitedTo }: Principal,
  said: Asked,
  { unique_identifier, sha256, bytes, look, facts }: Upload,
  isLook: boolean,
): ImportOptions {
  const { accounts } = scope;
  const [only] = accounts;
  const account = said.account ?? (accounts.size === 1 ? only : undefined);
  const among =
    account !== undefined && accounts.has(account)
      ? { ...scope, accounts: new Set([account]) }
      : scope;
  const { upload: _, source: _source, max_failed: _most, chosen = {}, ...rest } = said;
  const { from_start: _start, repeated: _again, like, ...how } = rest;
  const isWhole = scope.anchors === undefined && limitedTo === undefined;
  const sees = (run: ImportRun) => isWhole || run.by === key;
  const wanted = like === NO_LIKE ? undefined : (like ?? undefined);
  const memory = memoryOf(store, { accounts: among.accounts, sees, wanted });
  const own = chosen as Readonly<Record<string, string>>;
  const keep = async (key: string, found: object): Promise<void> => {
    const made: UploadFacts = { key, facts: found };
    await store.imports.uploads.noteFacts(unique_identifier, made);
  };
  return {
    ...(how as Partial<ImportOptions>),
    ...{ account, resources, chosen, by: key, mode: said.mode ?? undefined },
    remedies: person === undefined ? MEMBERS : FIELDS,
    // The console says everything, as a look has told it what was chosen before.
    memory: like === NO_LIKE || (person !== undefined && !isLook && !wanted) ? undefined : memory,
    above: aboveFinder(store, among, own),
    async places() {
      const known = { ...(await memory.chosen()), ...own };
      return placesOf(store, resources, among, known, await memory.areaCodes());
    },
    known: { sha256, bytes, ...look },
    facts: {
      find: (key: string) => (facts?.key === key ? (facts.facts as never) : undefined),
      keep,
    },
  } as ImportOptions;
}

function refusal(ofCustomer: boolean): ApiError {
  return ofCustomer
    ? new ApiError('files_waiting', { headers: RETRY_SOON, values: { most: WAITING.ofGroup } })
    : new ApiError('service_unavailable', {
        headers: RETRY_SOON,
        message: 'Too many files wait to be read. Nothing was imported; try again in a moment.',
      });
}

/** The caller, who may import. */
export function importerIn(request: FastifyRequest): Principal {
  const principal = callerOf(request);
  checkImporter(principal);
  return principal;
}

/** Resolves while the caller may do that with these resources, named by their paths. */
export function stillImports(
  request: FastifyRequest,
  paths: readonly string[],
  actions: readonly Permission[],
): () => Promise<unknown> {
  return stillMay(request, (now) => {
    checkImporter(now);
    for (const path of paths) for (const action of actions) authorize(now, path, action);
  });
}

/** Throws `permission_denied` for people who may not write in whole accounts: they could not undo what they import. */
export function checkImporter(principal: Principal): void {
  authorizeAction(principal, 'write');
  if (principal.person !== undefined && principal.scope.anchors !== undefined)
    throw wholeAccountNeeded('locations');
}

/** The file by the name that the caller knows, and nothing of where it is. */
export function inWords(error: unknown, name: string, path: string): unknown {
  if (!(error instanceof TransferRefused) || isNoRoom(error)) return error;
  const { code, values, message } = error;
  const named = values.file === undefined ? values : { ...values, file: name };
  return new ApiError(code, { message: message.replaceAll(path, name), values: named });
}
