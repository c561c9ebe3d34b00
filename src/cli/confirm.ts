/** Asks at the terminal before what cannot be undone. Each throws a `Mistake` without a terminal, which says what to add. */
import { Mistake } from './mistake.ts';

async function prompts(add: string) {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Mistake(`Cannot ask for confirmation without a terminal: add ${add}.`);
  // Every command passes through this file, and the service must start fast.
  return import('@clack/prompts');
}

export async function agreed(message: string, add: string): Promise<boolean> {
  const { confirm } = await prompts(add);
  return (await confirm({ message, initialValue: false, output: process.stderr })) === true;
}

export async function typed(message: string, add: string): Promise<string> {
  const { text } = await prompts(add);
  const answer = await text({ message, output: process.stderr });
  return typeof answer === 'string' ? answer : '';
}
