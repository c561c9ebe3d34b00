/** argv → command → exit code. */
import { run } from './cli/run.ts';

// What this program writes is for its owner alone.
process.umask(0o077);

process.exitCode = await run(process.argv.slice(2));
