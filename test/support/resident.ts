/** The process of `resident-program.ts`: runs commands as they come, until whoever asks is gone. */
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Asked } from './resident-program.ts';

// A command that steps aside would leave the ones after it behind every other process of the machine.
Object.assign(os, { setPriority() {} });
syncBuiltinESMExports();

const [, , commands = ''] = process.argv;
const { run } = (await import(commands)) as { run(words: readonly string[]): Promise<number> };
process.umask(0o077);
process.on('disconnect', () => process.exit());
process.on('message', async ({ words, cwd, env }: Asked) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  const stdout = outputOf('stdout');
  const stderr = outputOf('stderr');
  const code = await run(words);
  process.stdout.end();
  process.stderr.end();
  const printed = { code, stdout: await stdout, stderr: await stderr };
  // The next one begins as this one did.
  process.exitCode = undefined;
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException']) {
    process.removeAllListeners(event);
  }
  process.chdir('/');
  process.send?.(printed);
});

/** A stream of one command, and all that it will have printed there. */
function outputOf(name: 'stdout' | 'stderr'): Promise<string> {
  const stream = new PassThrough();
  Object.defineProperty(process, name, { value: stream, configurable: true });
  return text(stream);
}
