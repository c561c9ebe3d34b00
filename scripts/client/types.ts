/** The declarations of the client, which the service packs with it: no compiler is there where it runs. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '../..');
const CLIENT = join(PROJECT, 'client');

/** Below `client/src/`. */
export const clientSources: readonly string[] = readdirSync(join(CLIENT, 'src'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .sort();

let declarations: ReadonlyMap<string, string> | undefined;

/** The text of the declarations of a source; all are compiled at once, when the first is asked for. */
export function declarationOf(source: string): string {
  declarations ??= compiled();
  return declarations.get(source) ?? '';
}

function compiled(): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-types-'));
  try {
    const compiler = join(PROJECT, 'node_modules/typescript-7/bin/tsc');
    const options = ['-p', CLIENT, '--emitDeclarationOnly', '--outDir', folder];
    execFileSync(process.execPath, [compiler, ...options], { timeout: 60_000 });
    const read = (source: string): string =>
      readFileSync(join(folder, source.replace(/\.ts$/, '.d.ts')), 'utf8');
    return new Map(clientSources.map((source) => [source, read(source)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
