/**
 * Runs test files in one process with a limit for each: the test runner does not run within itself. With "once",
 * no file is run again; with "beside", two processes share the files; "all" is `--all`.
 */
import { runFiles } from '../support/jobs.ts';

const [, , file_ms, ...words] = process.argv;
const files = words.filter((word) => !['once', 'beside', 'all'].includes(word));
const passed = await runFiles(
  files.map((path) => ({ path, store: 'sqlite', waits: false, isAlone: false })),
  {
    env: { TEST_ALL: words.includes('all') ? '1' : undefined },
    atOnce: { waiting: 0, working: words.includes('beside') ? 2 : 1 },
    limits: { test_ms: 60_000, file_ms: Number(file_ms) },
    again: !words.includes('once'),
    faults: (process.env.TEST_FAULTS ?? '').split('\f').filter((one) => one !== ''),
  },
);
process.exit(passed ? 0 : 1);
