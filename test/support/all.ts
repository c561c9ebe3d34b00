/** The two rings of tests: `npm test`, and all (`npm test -- --all`), which repeats guarantees for longer, and on more versions of a server. */
export const ALL = process.env.TEST_ALL !== undefined;

/** For a test that takes long for what it adds: it runs with `--all`. */
export const withAll = { skip: !ALL && 'runs with --all' };
