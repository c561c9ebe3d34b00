/** `import --sync`: the rows are all that a source has at a place, and what they leave out is removed. */
import { statSync } from 'node:fs';
import type { Sync } from '../../../../client/src/generated/objects.d.ts';
import { directoryOf, locationCalled } from '../../../cli/directory.ts';
import { Mistake } from '../../../cli/mistake.ts';
import { say } from '../../../cli/output.ts';
import { readEarlier } from '../../../cli/time.ts';
import { ApiError } from '../../../core/errors.ts';
import { present } from '../../../core/objects/own-object.ts';
import { sync as syncObject } from '../../../core/objects/transfer/sync.ts';
import { anchorShape, resources } from '../../../core/registry.ts';
import type { Resource } from '../../../core/schema/define.ts';
import type { Services } from '../../../edge/operations/operation.ts';
import { importerOf } from '../../../records/auth/principal.ts';
import type { Sighted } from '../../../records/ingest/seen.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { ImportRun } from '../declares/import-run.ts';
import type { Plan } from '../serves/plan.ts';

/** The newest syncs of an account that are searched for those of a stopped import. */
const LISTED = 1000;

export interface SyncFlags {
  readonly sync?: true;
  readonly source?: string;
  readonly location?: string;
  readonly atMost?: string;
  readonly asOf?: string;
  /** Where standard input is saved: its time of change says nothing. */
  readonly input?: string;
  readonly watch?: string;
  readonly set?: readonly string[];
}

/** One that has finished already does so again, and says what it has removed. */
const GOES_ON: readonly string[] = ['open', 'finishing', 'finished'];

const SET = `${anchorShape.resource}_unique_identifier=`;

export function checkSync({ sync, source, location, atMost, asOf, watch }: SyncFlags): void {
  if (asOf !== undefined && watch !== undefined)
    throw new Mistake('--as-of does not go with --watch: each file has its own time of change.');
  if (sync === undefined) {
    if (location !== undefined) throw new Mistake('--location goes with --sync only.');
    if (atMost !== undefined) throw new Mistake('--at-most goes with --sync only.');
    if (asOf !== undefined) throw new Mistake('--as-of goes with --sync only.');
  } else if (source === undefined)
    throw new Mistake(
      '--sync needs --source: what that source sent before and the files leave out is removed.',
    );
}

/** The errors after which a person decides: the rows are imported, nothing is removed, and the command says how to go on. */
const ASKED: readonly string[] = ['sync_removes_too_much', 'sync_in_doubt'];

/** An import that was stopped cannot go on as a sync. */
export class SyncGone extends Mistake {}

/** The place of the sync; no location: the whole account. */
export async function storeSync(
  store: Store,
  flags: SyncFlags,
  account: string | undefined,
  files: readonly string[],
) {
  if (account === undefined) throw new Mistake('--sync needs --account: a sync is of one account.');
  const { atMost: at_most, set = [] } = flags;
  const as_of = asOfFiles(flags, files);
  // That of all rows, if it is said: no others may lose records.
  const text = flags.location ?? set.find((one) => one.startsWith(SET))?.slice(SET.length);
  if (text === undefined) return { account, location: undefined, at_most, as_of };
  const accounts = (await store.accounts.list()).filter((one) => one.unique_identifier === account);
  const location = (await locationCalled(directoryOf(store), text, accounts))?.unique_identifier;
  if (location !== undefined) return { account, location, at_most, as_of };
  throw new Mistake(`--location: there is no ${anchorShape.resource} ${JSON.stringify(text)}.`);
}

const iso = (at: number): string => new Date(at).toISOString();

/** When the files were taken, and says so: what is given, or when the oldest of them was last changed. `undefined`: now. */
function asOfFiles({ asOf, input }: SyncFlags, files: readonly string[]): string | undefined {
  const now = Date.now();
  if (asOf !== undefined) return iso(readEarlier(asOf, '--as-of', now));
  if (input !== undefined || files.length === 0) return undefined;
  const changed = Math.min(...files.map((file) => statSync(file).mtimeMs));
  const [at, what] = [iso(changed), files.length === 1 ? 'the file' : 'the oldest file'];
  if (changed > now) {
    say(`As of now: ${what} was last changed at ${at}, which is still to come.`);
    return undefined;
  }
  say(`As of ${at}, when ${what} was last changed. Another time: --as-of.`);
  return at;
}

/** Syncs of an import into a store: one for each resource of its files. */
export function importSyncs(
  { store, syncs }: Pick<Services, 'store' | 'syncs'>,
  { account, location, at_most, as_of }: Awaited<ReturnType<typeof storeSync>>,
  dry_run: boolean,
) {
  const open = new Map<Resource, { readonly id: string; readonly sighted?: Sighted }>();
  let principal = importerOf('', [account]);

  return {
    async begin({ files }: Plan, run: ImportRun): Promise<void> {
      principal = importerOf(run.unique_identifier, [account]);
      const { file, rows } = run.position;
      const names = resources.map(({ name }) => name);
      const among = { accounts: [account], locations: undefined, resources: names };
      const all = await store.syncs.list({ ...among, before: undefined, limit: LISTED });
      const mine = all.filter(
        ({ key, stored_status: is, expires_at }) =>
          key === run.unique_identifier &&
          GOES_ON.includes(is) &&
          (is !== 'open' || expires_at > Date.now()),
      );
      for (const resource of new Set(files.map((one) => one.resource))) {
        const place = location === undefined ? { account } : { location };
        const found = mine.find((one) => one.resource === resource.name);
        if (found === undefined && file + rows > 0)
          throw new SyncGone(
            'The import that was stopped was no sync, or its sync has ended. To send everything once more, use --from-start.',
          );
        const how = { resource: resource.name, ...place, at_most, as_of };
        const begun = found ?? (await syncs.begin(principal, how));
        const id = begun.unique_identifier;
        if (begun.stored_status !== 'open') {
          open.set(resource, { id });
          continue;
        }
        const opened = await syncs.open(principal, resource, id);
        open.set(resource, { id, sighted: { ...opened, identifierIn: () => undefined } });
      }
    },
    of: (resource: Resource): Sighted | undefined => open.get(resource)?.sighted,
    async finish(): Promise<readonly Sync[]> {
      const finished: Sync[] = [];
      // What belongs to others goes before those.
      for (const { id } of [...open.values()].reverse()) {
        const how = { dry_run, still: async () => principal };
        const finish = () =>
          syncs.finish(principal, id, how).catch((error: unknown) => refuse(error, id));
        let done = await finish();
        // Each time it waits for some seconds.
        while (done.stored_status === 'finishing') done = await finish();
        finished.push(present(syncObject, done, 'api', Date.now()) as unknown as Sync);
        // It was for looking alone.
        const stored = dry_run ? await store.syncs.find(id, [account]) : undefined;
        if (stored) await store.syncs.put({ ...stored, stored_status: 'replaced' });
      }
      return finished;
    },
  };
}

function refuse(error: unknown, id: string): never {
  const isAsked = error instanceof ApiError && ASKED.includes(error.code);
  if (!isAsked) throw error;
  throw new Mistake(
    `${error.message.replaceAll('at_most', '--at-most')}\nThe rows are imported. "ledgerstone syncs finish ${id} --dry-run" shows what would go; with --at-most in its place, it goes.`,
  );
}
