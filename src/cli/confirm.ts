/** Asks at the terminal, such as before what cannot be undone. */
import { createInterface } from 'node:readline/promises';
import { Mistake } from './mistake.ts';
import { plain } from './output.ts';

/** Whether somebody can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Throws a `Mistake` without a terminal, which says what to add. */
async function prompts(add: string) {
  if (!canAsk()) throw new Mistake(`Cannot ask for confirmation without a terminal: add ${add}.`);
  // Every command passes through this file, and the service must start fast.
  return import('@clack/prompts');
}

export async function agreed(message: string, add: string): Promise<boolean> {
  const { confirm } = await prompts(add);
  const asked = { message: plain(message), initialValue: false, output: process.stderr };
  return (await confirm(asked)) === true;
}

export async function typed(message: string, add: string): Promise<string> {
  const { text } = await prompts(add);
  const answer = await text({ message: plain(message), output: process.stderr });
  return typeof answer === 'string' ? answer : '';
}

/** Asks one question after the other, until it is disposed of. */
export function asking() {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return {
    ask: (question: string): Promise<string> => terminal.question(plain(question)),
    [Symbol.dispose]: () => terminal.close(),
  };
}
