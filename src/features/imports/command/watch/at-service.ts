/** Sends the files of a watched folder to a service elsewhere. */
import { rmSync } from 'node:fs';
import { Mistake } from '../../../../cli/mistake.ts';
import { type AskService, askAt, serviceAt } from '../../../../cli/service/elsewhere.ts';
import { ApiError } from '../../../../core/errors.ts';
import { resources } from '../../../../core/registry.ts';
import { replaceFile } from '../../../../services/transfer/new-files.ts';
import { resourceFor } from '../../serves/plan.ts';
import { OPTIONS } from '../../serves/words.ts';
import type { ImportFlags } from '../asked.ts';
import { accountAt, checkSize, importOne } from '../import-elsewhere.ts';
import { faultOf, inWords } from './faults.ts';
import type { Brought, Importer } from './file.ts';

/** An import, as far as it is asked for. */
interface Shown {
  readonly status: string;
  readonly files: readonly { readonly resource: string }[];
  readonly counts: NonNullable<Brought['counts']>;
}

/** Throws a `Mistake` where the options are wrong whatever comes; a service that is away is waited for. */
export async function importerAt(address: string, flags: ImportFlags): Promise<Importer> {
  for (const [name, isGiven] of [
    ['--sync', flags.sync],
    ['--fast', flags.fast],
  ] as const)
    if (isGiven) throw new Mistake(`${name} works on the store itself: leave out --url.`);
  const named = { option: 'url', plainHttp: flags.plainHttp === true };
  const ask = askAt(address, named);
  const { directory } = serviceAt(address, named);
  const likeIs = async () => {
    if (flags.like === undefined) return undefined;
    return (await shownAt(ask, flags.like)).files[0]?.resource;
  };

  /** Joins what the command and the file say. */
  const sent = async (path: string, name: string, signal: AbortSignal) => {
    checkSize(path, name);
    const resource = resourceFor(name, {
      resource: flags.resource ?? (await likeIs()),
      ...{ resources, remedies: OPTIONS },
    });
    const account = await accountAt(directory, flags.account);
    const own = { ...flags, ...(account && { account }), called: name };
    return { ask, flags: own, path, resource, signal };
  };

  const ended = async (id: string, rejected: string): Promise<Brought | undefined> => {
    const { status, files, counts } = await shownAt(ask, id);
    if (status === 'running') return undefined;
    if (counts.failed > 0) {
      const answer = await ask('GET', `/v1/imports/${id}/rejected`, {}).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      });
      const { rows } = ((await answer?.json()) ?? {}) as { readonly rows?: string };
      if (rows !== undefined) replaceFile(rejected, rows);
    }
    return { import: id, resource: files[0]?.resource, counts };
  };

  return {
    inWords,
    async import({ path, name, rejected, earlier, goesOn, begun, stopping }) {
      try {
        const before = earlier.import && (await ended(earlier.import, rejected));
        if (before) return before;
        // Those of this very file, from before the command was killed.
        rmSync(rejected, { force: true });
        const { flags: own, ...sending } = await sent(path, name, stopping);
        const watching = { repeated: goesOn, begun };
        const done = await importOne({ ...sending, flags: { ...own, rejected }, watching });
        const { import: id, counts, stopped, cut = 0, done: isDone } = done.result;
        if (stopped === 'interrupted' || stopping.aborted) return undefined;
        const tooMany = 'It was stopped, since more rows than --max-failed were refused.';
        const more = cut > 0 ? [`${cut} of them did not fit.`] : [];
        return {
          import: id ?? undefined,
          resource: sending.resource.path,
          counts: counts as Brought['counts'],
          why: isDone ? undefined : tooMany,
          says: done.rejected === undefined ? [] : ['The refused rows are beside it.', ...more],
        };
      } catch (error) {
        if (stopping.aborted) return undefined;
        const why = faultOf(error)?.replaceAll(path, name);
        if (why === undefined) throw error;
        return { import: undefined, resource: undefined, why };
      }
    },
    async again({ path, name }) {
      const signal = AbortSignal.timeout(600_000);
      const watching = { repeated: true, begun: () => undefined };
      await importOne({ ...(await sent(path, name, signal)), watching });
    },
  };
}

async function shownAt(ask: AskService, id: string): Promise<Shown> {
  return (await (await ask('GET', `/v1/imports/${id}`, {})).json()) as Shown;
}
