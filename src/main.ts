/** argv → command → exit code. */
import { run } from './cli/run.ts';
import { allIsOver } from './core/aside/over.ts';

// Files that this program writes are readable by their owner alone.
process.umask(0o077);

process.exitCode = await run(process.argv.slice(2));
allIsOver();
