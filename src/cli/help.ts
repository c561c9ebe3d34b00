/** The commands of the program: each ends its help with examples. */
import { Command as Base } from 'commander';

type Example = readonly [command: string, does: string];

export class Command extends Base {
  readonly #examples: Example[] = [];

  constructor(name?: string) {
    super(name);
    this.addHelpText('after', () => {
      const shown = this.#shown().map(([command, does]) => `\n  ${does}:\n    $ ${command}`);
      return shown.length === 0 ? '' : `\nExamples:${shown.join('')}`;
    });
  }

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** Commands, each with what it does. */
  examples(...lines: readonly Example[]): this {
    this.#examples.push(...lines);
    return this;
  }

  /** Examples of the command; where it has none of its own, the first of each of its commands. */
  #shown(): readonly Example[] {
    if (this.#examples.length > 0) return this.#examples;
    return this.commands.flatMap((one) => (one instanceof Command ? one.#shown().slice(0, 1) : []));
  }
}
