/** Runs test files as one job with a limit, in a process of its own: the test runner does not run within itself. */
import { runJobs } from '../support/jobs.ts';

const [, , job_ms, ...files] = process.argv;
const { passed } = await runJobs([{ files, store: 'sqlite', waits: false }], {
  env: {},
  atOnce: { waiting: 1, working: 1 },
  limits: { test_ms: 60_000, job_ms: Number(job_ms) },
});
process.exit(passed ? 0 : 1);
