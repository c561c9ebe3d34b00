/** What can be said on the command line of `npm run bench`. */
import { Command, InvalidArgumentError, Option } from 'commander';

export interface Options {
  readonly json?: true;
  readonly database: 'sqlite' | 'postgres' | 'citus';
  readonly bulk?: true;
  readonly siege?: true;
  readonly carry?: true;
  /** That are imported. */
  readonly rows: number;
  readonly connections: number[];
  readonly seconds: number;
  readonly rounds: number;
  readonly records: number;
  readonly accounts?: number;
  readonly processes?: number;
  /** Microseconds that every sync takes longer. */
  readonly slowDisk?: number;
  readonly only?: string;
  /** The file to draw the results into. */
  readonly chart?: string;
}

export function readOptions(): Options {
  return new Command('npm run bench --')
    .description(
      [
        'Measures durable upserts per second in interleaved rounds: on SQLite beside a bare node:http server,',
        "on PostgreSQL beside pgbench on the same server, in a table like ours and in one with a single index. Needs wrk (on Debian: apt-get install wrk) and, for PostgreSQL, Debian's own (apt-get install postgresql).",
      ].join(' '),
    )
    .option('--json', 'print the results as one JSON document')
    .addOption(
      new Option(
        '--database <kind>',
        'where the records are; citus: check-ins of 1 and of 16 accounts on a coordinator and two workers, in turn with one PostgreSQL server',
      )
        .choices(['sqlite', 'postgres', 'citus'])
        .default('sqlite'),
    )
    .option('--bulk', 'send many rows in few requests, beside single upserts by 64 connections')
    .option('--siege', "what one key's upserts take beside another key's worst")
    .option(
      '--accounts <n>',
      'check-ins of so many accounts in turn, beside those of one account',
      positive,
    )
    .option(
      '--processes <n>',
      'on PostgreSQL: so many processes of the service that share the connections, beside one process with all',
      positive,
    )
    .option(
      '--carry',
      'rows a second of import and export, what backup and restore take, and what they do to the p99 of a service that gets 500 upserts a second (--only rows, --only beside)',
    )
    .option('--rows <n>', 'with --carry: how many rows are taken in', positive, 100_000)
    .option(
      '--connections <list>',
      'numbers of connections, with commas between them (default: 1,16,64,256; on PostgreSQL 64,256; with --bulk 1,4 streams)',
      numbers,
    )
    .option('--seconds <n>', 'how long a round takes', positive, 4)
    .option('--rounds <n>', 'rounds for each line; medians are shown', positive, 5)
    .option(
      '--records <n>',
      'check-ins that are there before; on PostgreSQL, where there are more than 10000, also in turn with a second database that has 10000',
      positive,
      10_000,
    )
    .option(
      '--slow-disk <delay>',
      'add a delay to every sync of the service, such as 2ms (needs a C compiler)',
      delayUs,
    )
    .option(
      '--only <text>',
      'only the workloads, or with --siege the behaviours, whose name has this in it',
    )
    .option('--chart <file>', 'draw the results into this file, as SVG')
    .parse()
    .opts<Options>();
}

function positive(text: string | number): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

function numbers(text: string): number[] {
  return text.split(',').map(positive);
}

function delayUs(text: string): number {
  const found = /^([\d.]+)(ms|us)?$/.exec(text);
  if (found === null) throw new InvalidArgumentError('It must be a delay such as 2ms.');
  return Number(found[1]) * (found[2] === 'us' ? 1 : 1000);
}
