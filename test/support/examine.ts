/** Runs `ledgerstone doctor` and reads what it found. */
import assert from 'node:assert/strict';
import type { Finding } from '../../src/core/observe/finding.ts';
import { programIn } from './cli-program.ts';

export async function examine(cwd: string, env: Record<string, string> = {}, ...words: string[]) {
  const { code, stdout, stderr } = await programIn(cwd, env).run('doctor', '--json', ...words);
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  assert.equal(code, ok ? 0 : 1, stderr);
  // How long a commit takes is the machine's own, and what else runs on it.
  const wrong = findings.filter(
    ({ check, state }) => !['good', 'not looked at'].includes(state) && check !== 'commit',
  );
  return { ok, findings, wrong, stderr };
}
