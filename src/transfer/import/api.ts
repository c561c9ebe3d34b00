/** Rows that are read here and sent to a service, with an API key. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ImportRun } from '../../store/imports.ts';
import { TransferRefused } from '../refused.ts';
import type { RowFault } from './fault-words.ts';
import type { Plan } from './plan.ts';
import type { SentRow, Sink } from './run.ts';

/** Of one request. */
const ROWS = 256;
const TRIES = 5;
const TIMEOUT_MS = 120_000;
/** Between two tries, where the service does not say. */
const WAIT_S = 2;
const LONGEST_WAIT_S = 60;

export interface ApiOptions {
  /** Its base address. */
  readonly url: string;
  readonly key: string;
  readonly mode: string | undefined;
  readonly dry_run: boolean;
}

export interface ApiImport {
  readonly sink: Sink;
  /** Of rows that name none, where the key has one alone. */
  readonly account: string | undefined;
  /** Goes on with what the file of the position beside the first file says, or begins. */
  keep(
    plan: Plan,
    begun: ImportRun,
    fromStart: boolean,
  ): { readonly run: ImportRun; readonly note: (run: ImportRun) => Promise<void> };
}

/** Throws `TransferRefused` where the service or the key cannot be used. */
export async function apiImport(options: ApiOptions): Promise<ApiImport> {
  const accounts = await ask(options, '/v1/accounts?limit=2');
  const [first, second] = accounts.data as { unique_identifier: string }[];
  return {
    account: second === undefined ? first?.unique_identifier : undefined,
    sink: {
      rows: ROWS,
      async send({ path }, rows) {
        const query = options.dry_run ? '?dry_run=true' : '';
        const body = `[${rows.join(',')}]`;
        const { data } = await ask(options, `/v1/${path}/upsert_many${query}`, body);
        return (data as Row[]).map(({ outcome, error }): SentRow => {
          if (outcome !== undefined) return { outcome };
          return { faults: error?.errors ?? (error === undefined ? [] : [error]) };
        });
      },
    },
    keep(plan, begun, fromStart) {
      const path = `${plan.files[0]?.path}.import.json`;
      const last =
        fromStart || !existsSync(path)
          ? undefined
          : (JSON.parse(readFileSync(path, 'utf8')) as ImportRun);
      const run = last?.fingerprint === plan.fingerprint ? last : begun;
      return {
        run,
        async note(now) {
          if (now.status !== 'running') {
            rmSync(path, { force: true });
            return;
          }
          writeFileSync(`${path}.partial`, JSON.stringify(now), { mode: 0o600, flush: true });
          renameSync(`${path}.partial`, path);
        },
      };
    },
  };
}

interface Row {
  readonly outcome?: 'created' | 'updated' | 'unchanged';
  readonly error?: RowFault & { readonly errors?: readonly RowFault[] };
}

/** Asks, and asks again where the service cannot answer now. */
async function ask(
  { url, key, mode }: ApiOptions,
  path: string,
  body?: string,
): Promise<{ readonly data: unknown }> {
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (body !== undefined && mode !== undefined) headers['Ledgerstone-Mode'] = mode;
  for (let tries = 1; ; tries += 1) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      signal,
      ...(body && { body }),
    };
    const answer = await fetch(new URL(path, url), sent).catch((error: Error) => error);
    const isLast = tries === TRIES;
    if (answer instanceof Error) {
      if (isLast) throw new TransferRefused(`${url} cannot be reached: ${answer.message}.`);
      await pause(1_000 * WAIT_S);
      continue;
    }
    if (answer.ok) return (await answer.json()) as { data: unknown };
    const text = await answer.text();
    if (isLast || (answer.status !== 429 && answer.status !== 503)) {
      throw new TransferRefused(`${url} answered ${answer.status}: ${messageIn(text)}`);
    }
    const wait = Number(answer.headers.get('Retry-After') ?? WAIT_S);
    await pause(1_000 * Math.min(Number.isFinite(wait) ? wait : WAIT_S, LONGEST_WAIT_S));
  }
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return 'that is no answer of Ledgerstone; check the address.';
  }
}
