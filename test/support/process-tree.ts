/** A process and all that it has started, as Linux lists them. */
import { readdirSync, readFileSync } from 'node:fs';

export function childrenOf(pid: number): readonly number[] {
  try {
    const threads = `/proc/${pid}/task`;
    return readdirSync(threads).flatMap((thread) =>
      readFileSync(`${threads}/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Ends a process with all that it has started, at the same moment, and not when they miss it; gives which these were. */
export function killTree(pid: number): readonly number[] {
  const all = treeOf(pid);
  for (const one of all) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended with its parent already.
    }
  }
  return all;
}

function treeOf(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)];
}
