/** Runs `ledgerstone doctor` and reads what it found. */
import assert from 'node:assert/strict';
import type { Finding } from '../../src/core/observe/finding.ts';
import { programIn } from './cli-program.ts';

export async function examine(cwd: string, env: Record<string, string> = {}, ...words: string[]) {
  const { code, stdout, stderr } = await programIn(cwd, env).run('doctor', '--json', ...words);
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  assert.equal(code, ok ? 0 : 1, stderr);
  const wrong = findings.filter(({ state }) => state !== 'good');
  return { ok, findings, wrong, stderr };
}
