/** Whether this run repeats guarantees: for longer, and on more versions of a server (`npm test -- --all`). */
export const ALL = process.env.TEST_ALL !== undefined;
