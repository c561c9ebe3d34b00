/** Real processes that write to a store. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WriterReport, WriterTask } from './store-writer.ts';

/** Resolves when the process has opened the store and waits for `begin`. */
export async function startWriter(task: WriterTask) {
  const reports: WriterReport[] = [];
  const child = fork(join(import.meta.dirname, 'store-writer.ts'), { execArgv: [] });
  child.on('message', (more: WriterReport[]) => reports.push(...more));
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const orFail = async (event: Promise<unknown>) => {
    const failed = ended.then(() => Promise.reject(new Error('The writer has ended.')));
    await Promise.race([event, failed]);
  };
  const opened = once(child, 'message');
  child.send(task);
  await orFail(opened);
  return {
    reports,
    /** Lets it write; it has opened the store. */
    begin: () => child.send('begin'),
    /** Resolves when so many outcomes were reported. */
    async reported(count: number) {
      while (reports.length < count) await orFail(once(child, 'message'));
    },
    /** Lets it stand still, and go on. */
    stop: () => child.kill('SIGSTOP'),
    go: () => child.kill('SIGCONT'),
    /** Ends it with SIGKILL. */
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    /** Resolves when it has done its work and all was reported; rejects when it failed. */
    async done() {
      await ended;
      if (child.exitCode !== 0) throw new Error(`The writer ended with ${child.exitCode}.`);
    },
  };
}

/** Resolves when another process has opened the store, or has ended because it could not. */
export async function startOpener(url: string, serve: 'serve' | 'work'): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'store-opener.ts');
  const child = fork(script, [url, serve], { execArgv: [], silent: true });
  await Promise.race([once(child, 'message'), once(child, 'exit')]);
  return child;
}
