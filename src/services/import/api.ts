/** Imports planned files into a running service, with an API key. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Ledgerstone, LedgerstoneError } from '../../../client/src/index.ts';
import type { ImportRun } from '../../store/promises/imports.ts';
import { TransferRefused } from '../transfer/refused.ts';
import { type Importing, newRun } from './importing.ts';
import type { Plan } from './plan.ts';
import type { RowUpsert } from './rows.ts';
import { type ImportResult, type RowOutcome, type Running, runImport } from './run.ts';

/** Of one request. */
const ROWS = 256;
const TIMEOUT_MS = 120_000;

export interface ApiImporting
  extends Omit<Running, 'sink' | 'note'>,
    Pick<Importing, 'mode' | 'dry_run' | 'fromStart' | 'rejected'> {}

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

  /** The settings of the accounts of the key and their locations, as far as the key sees them and one page has them. */
  async settings() {
    try {
      const page = await this.#client.location_settings.list({ limit: 1000 }).page();
      return { settings: page.data, more: page.has_more };
    } catch (error) {
      if (error instanceof LedgerstoneError && error.status === 403)
        return { settings: [], more: true };
      this.#refuse(error);
    }
  }

  /** Continues from the position file next to the first file, or begins. */
  async run(plan: Plan, importing: ApiImporting): Promise<ImportResult> {
    const { dry_run, mode, fromStart } = importing;
    const path = `${plan.files[0]?.path}.import.json`;
    const noted = dry_run || fromStart || !existsSync(path) ? '{}' : readFileSync(path, 'utf8');
    const last: Partial<ImportRun> = JSON.parse(noted);
    const isSame = last.fingerprint === plan.fingerprint;
    return runImport(plan, isSame ? (last as ImportRun) : newRun(plan, ROWS, importing), {
      ...importing,
      note: dry_run ? undefined : async (run) => noteIn(path, run),
      sink: {
        send: async (resource, rows, _name, { ready, handedOver }) => {
          await ready;
          const all = this.#client as unknown as Readonly<Record<string, Upserts>>;
          const sending = this.#send(all[resource.path] as Upserts, rows, {
            dryRun: dry_run,
            mode,
          });
          handedOver();
          return sending;
        },
      },
    });
  }

  async #send(to: Upserts, rows: readonly RowUpsert[], options: object): Promise<RowOutcome[]> {
    const sent: RowOutcome[] = [];
    try {
      const bodies = rows.map((row) => row.sent);
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
    const { status, message } = error;
    const what = status === undefined ? 'cannot be reached' : `answered ${status}`;
    throw new TransferRefused(`${this.#url} ${what}: ${message}`, undefined, error);
  }
}

/** Until the import has come to its end. */
function noteIn(path: string, run: ImportRun): void {
  if (run.status !== 'running') {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(`${path}.partial`, JSON.stringify(run), { mode: 0o600, flush: true });
  renameSync(`${path}.partial`, path);
}
