/**
 * Lets properties draw the same examples in each run, so that none fails in one of them alone. With `--all`, and where a
 * file is run by itself, they draw new ones. To be imported before any test.
 */
import fc from 'fast-check';

const SEED = 1_900;

if (process.env.TEST_ALL === undefined) fc.configureGlobal({ seed: SEED });
