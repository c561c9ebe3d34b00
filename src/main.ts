/** argv → command → exit code. */
import { run } from './cli/run.ts';

// Files that this program writes are readable by their owner alone.
process.umask(0o077);

process.exitCode = await run(process.argv.slice(2));
