/** Imports planned files into a running service, with an API key. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { BeginSyncParams, Sync } from '../../../client/src/generated/objects.d.ts';
import { Ledgerstone, LedgerstoneError } from '../../../client/src/index.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { ImportRun } from '../../store/promises/imports.ts';
import { TransferRefused } from '../transfer/refused.ts';
import { type Importing, newRun } from './importing.ts';
import type { Plan } from './plan.ts';
import { type ImportResult, type RowOutcome, type Running, runImport } from './run.ts';

/** Of one request. */
const ROWS = 256;
const TIMEOUT_MS = 120_000;
/** Comparing many records takes longer. */
const FINISH_MS = 300_000;

/** The syncs of an import, by resource. */
type Begun = Readonly<Record<string, string>>;

export interface ApiImporting
  extends Omit<Running, 'sink' | 'note'>,
    Pick<Importing, 'mode' | 'dry_run' | 'fromStart' | 'rejected'> {
  /** The rows are all that the source of the key has there. */
  readonly sync?: ApiSync | undefined;
}

/** An import, and what ends its syncs. */
export type Synced = ImportResult & { readonly finish: () => Promise<readonly Sync[]> };

export interface ApiSync {
  readonly place: { readonly location: string } | { readonly account: string };
  readonly at_most: string | undefined;
}

/** The upserts of a resource, as the client has them for each. */
interface Upserts {
  upsertMany(
    rows: readonly object[],
    options: object,
  ): AsyncIterable<{ readonly outcome?: ImportedOutcome; readonly error?: Refusal }>;
}

type ImportedOutcome = 'created' | 'updated' | 'unchanged';
interface Refusal {
  readonly message: string;
  readonly errors?: readonly { readonly message: string }[];
}

/** A service at its base address. Throws `TransferRefused` where it, or the key, cannot be used. */
export class ServiceImport {
  readonly #url: string;
  readonly #client: Ledgerstone;

  constructor(url: string, key: string) {
    this.#url = url;
    try {
      this.#client = new Ledgerstone({ url, key, timeout: TIMEOUT_MS });
    } catch (error) {
      throw new TransferRefused((error as Error).message);
    }
  }

  /** The account of rows that name none: where the key has one alone. */
  async account(): Promise<string | undefined> {
    const page = this.#client.accounts.list({ limit: 2 }).page();
    const [first, second] = (await page.catch((error) => this.#refuse(error))).data;
    return second === undefined ? first?.unique_identifier : undefined;
  }

  /** Continues from the position file next to the first file, or begins. `finish` ends its syncs. */
  async run(plan: Plan, importing: ApiImporting): Promise<Synced> {
    const { dry_run, mode, fromStart, sync } = importing;
    const path = `${plan.files[0]?.path}.import.json`;
    const noted = dry_run || fromStart || !existsSync(path) ? '{}' : readFileSync(path, 'utf8');
    const last: Partial<ImportRun> & { syncs?: Begun } = JSON.parse(noted);
    const isSame = last.fingerprint === plan.fingerprint;
    const { syncs = {}, ...rest } = last;
    if (sync !== undefined && isSame && last.syncs === undefined) {
      throw new TransferRefused(
        'The import that was stopped was no sync. To make it one, use --from-start.',
      );
    }
    const begun = isSame ? syncs : await this.#begin(plan, sync);
    const all = this.#client as unknown as Readonly<Record<string, Upserts>>;
    const send = (resource: Resource, bodies: readonly object[]) =>
      this.#send(all[resource.path] as Upserts, bodies, {
        ...{ dryRun: dry_run, mode, sync: begun[resource.name] },
      });
    const done = await runImport(
      plan,
      isSame ? (rest as ImportRun) : newRun(plan, ROWS, importing),
      {
        ...importing,
        note: dry_run
          ? undefined
          : async (run) => noteIn(path, sync ? { ...run, syncs: begun } : run),
        sink: {
          send: async (resource, rows, _name, { ready, handedOver }) => {
            await ready;
            const sending = send(
              resource,
              rows.map((row) => row.sent),
            );
            handedOver();
            return sending;
          },
          ...(sync !== undefined && {
            // They are refused, and count as sent.
            saw: async (resource, identifiers) => {
              await send(
                resource,
                identifiers.map((external_identifier) => ({ external_identifier })),
              );
            },
          }),
        },
      },
    );
    return { ...done, finish: () => this.#finish(begun, dry_run) };
  }

  async #finish(begun: Begun, dry_run: boolean): Promise<readonly Sync[]> {
    const finished: Sync[] = [];
    // What belongs to others goes before those.
    for (const id of Object.values(begun).reverse()) {
      const finish = () =>
        this.#client.syncs
          .finish(id, { dry_run }, { timeout: FINISH_MS })
          .catch((error) => this.#refuse(error));
      let ended = await finish();
      // Each time it waits for some seconds.
      while (ended.status === 'finishing') ended = await finish();
      finished.push(ended);
    }
    return finished;
  }

  /** Begins a sync of each resource of the files. */
  async #begin({ files }: Plan, sync: ApiSync | undefined): Promise<Begun> {
    const begun: Record<string, string> = {};
    if (sync === undefined) return begun;
    const { place, at_most } = sync;
    for (const { name } of new Set(files.map(({ resource }) => resource))) {
      const resource = name as BeginSyncParams['resource'];
      const made = this.#client.syncs.create({ resource, ...place, ...(at_most && { at_most }) });
      begun[name] = (await made.catch((error) => this.#refuse(error))).unique_identifier;
    }
    return begun;
  }

  async #send(to: Upserts, bodies: readonly object[], options: object): Promise<RowOutcome[]> {
    const sent: RowOutcome[] = [];
    try {
      for await (const { outcome, error } of to.upsertMany(bodies, { ...options, rows: ROWS })) {
        if (outcome !== undefined) sent.push({ outcome });
        else sent.push({ faults: error?.errors ?? (error === undefined ? [] : [error]) });
      }
    } catch (error) {
      this.#refuse(error);
    }
    return sent;
  }

  #refuse(error: unknown): never {
    if (!(error instanceof LedgerstoneError)) throw error;
    const { status, message, code } = error;
    if (code === 'sync_removes_too_much') {
      throw new TransferRefused(
        `${message.replaceAll('at_most', '--at-most')}\nThe rows are imported: to remove the others, import once more with that --at-most.`,
      );
    }
    const what = status === undefined ? 'cannot be reached' : `answered ${status}`;
    throw new TransferRefused(`${this.#url} ${what}: ${message}`, undefined, error);
  }
}

/** Until the import has come to its end. */
function noteIn(path: string, run: ImportRun & { readonly syncs?: Begun }): void {
  if (run.status !== 'running') {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(`${path}.partial`, JSON.stringify(run), { mode: 0o600, flush: true });
  renameSync(`${path}.partial`, path);
}
