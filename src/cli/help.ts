/** The commands of the program: each ends its help with examples. */
import { Command as Base, Option } from 'commander';
import { Mistake } from './mistake.ts';

type Example = readonly [command: string, does: string];

/** Commands, each with what it does. */
export type Examples = Readonly<Record<string, string>>;

/** Options by their flags, each with what it means; of a choice also the values. */
type Said = Readonly<Record<string, string | readonly [says: string, ...choices: string[]]>>;

export function optionsOf(said: Said): readonly Option[] {
  return Object.entries(said).map(([flags, one]) => {
    const [says, ...choices] = [one].flat();
    const option = new Option(flags, says);
    return choices.length === 0 ? option : option.choices(choices);
  });
}

export class Command extends Base {
  /** The name of the operation that it performs. */
  performs: string | undefined;
  #examples: readonly Example[] = [];

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

  /** Refuses an option of one value that is given twice: neither value may be dropped. */
  override addOption(option: Option): this {
    super.addOption(option);
    if (option.isBoolean() || option.variadic) return this;
    let given = false;
    return this.on(`option:${option.name()}`, () => {
      if (given) throw new Mistake(`${option.long} was given twice. Leave one of them out.`);
      given = true;
    });
  }

  /** `before`: what all of them begin with. */
  examples(examples: Examples, before = ''): this {
    this.#examples = Object.entries(examples).map(([command, does]) => [
      `${before} ${command}`.trim(),
      does,
    ]);
    return this;
  }

  addOptions(said: Said): this {
    for (const option of optionsOf(said)) this.addOption(option);
    return this;
  }

  /** Examples of the command; where it has none of its own, the first of each of its commands. */
  #shown(): readonly Example[] {
    if (this.#examples.length > 0) return this.#examples;
    return this.commands.flatMap((one) => (one instanceof Command ? one.#shown().slice(0, 1) : []));
  }
}
