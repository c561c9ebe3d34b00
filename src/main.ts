/** argv → command → exit code. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// What this program writes is for its owner alone.
process.umask(0o077);

// Whoever can write in this folder can write the code itself, so what is kept there is to be trusted as much.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/ledgerstone'));

const { run } = await import('./cli/run.ts');
process.exitCode = await run(process.argv.slice(2));
