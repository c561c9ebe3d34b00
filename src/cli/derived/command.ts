/** The declaration of commands that are made of operations. */
import type { Option } from 'commander';
import type { Principal } from '../../records/auth/principal.ts';
import type { Store } from '../../store/promises/store.ts';
import type { CommandAudit } from '../audit/record-command.ts';
import type { Command, Examples } from '../help.ts';
import type { Mistake } from '../mistake.ts';
import type { ListColumns } from '../output.ts';
import type { Who } from '../records/who.ts';
import type { CommandOperation, Flags, OperationContext, Sent } from './operation.ts';

export type Options = Readonly<Record<string, unknown>> & { readonly json?: true };

export type Printed = readonly string[];
export interface DerivedCommand {
  /** The name of the operation, where the command's own does not say it. */
  readonly of?: string;
  /** The description; the summary of the operation by default. */
  readonly says?: string;
  /** Arguments and options, and what they do; derived for `show`. */
  readonly examples?: Examples;
  /** Flags of members that differ from their names, also with words of their own; `false`: the command has no option for it. */
  readonly flags?: Readonly<Record<string, string | readonly [flag: string, says: string] | false>>;
  /** Members whose options are read in a way of their own. */
  readonly reads?: Readonly<Record<string, ReadOption>>;
  /** Members that the command sets itself, from options of its own. */
  readonly members?: (options: Options, at: At) => object | Promise<object>;
  /** Options that are no members. */
  readonly options?: readonly Option[];
  /** The columns of a list, which is read whole. */
  readonly columns?: ListColumns;
  /** The lines of each entry of a list, where it has no columns or is followed. */
  readonly each?: (entry: never, at: At) => Printed | Promise<Printed>;
  /** The milliseconds after which an entry may still come. `--follow` then prints entries as they come. */
  readonly lateMs?: number;
  /** How many entries of a list are printed unless --limit says otherwise; all where left out. */
  readonly most?: number;
  /** The text printed for an empty list. */
  readonly none?: string;
  /** The members printed of one object; all of them by default. */
  readonly prints?: (answer: never, id: string, at: At) => string | Printed | Promise<Printed>;
  /** In place of calling the operation once. */
  readonly runs?: (at: At) => Promise<unknown>;
  /** Whether it needs none of the members, as it knows what is left out. */
  readonly partial?: true;
  /** In place of all that, where the options want something else, such as the rows of a file. */
  readonly instead?: (at: At) => Promise<Shown> | undefined;
  /** It makes the store where there is none, after this check of the options. */
  readonly makesStore?: (options: Options) => void;
}

/** Reads what an option was given. Throws a `Mistake`. */
export type ReadOption = (given: never, option: string, options: Options, at: At) => unknown;

/** A command's output: as JSON, or as lines. */
export interface Shown {
  readonly answer: unknown;
  readonly lines: Printed;
}

export interface At extends OperationContext {
  readonly store: Store;
  readonly audit: CommandAudit;
  readonly command: Command;
  readonly id: string;
  readonly flags: Flags;
  readonly options: Options;
  /** Reads the options as members of the operation. */
  readonly members: object;
  /** Reads other options as members, with all their faults. */
  readonly read: (options: Options) => Promise<Found>;
  /** Calls an operation of the group with what the options say, and more. The audit has the first call of each. */
  readonly call: <Result>(name: string | CommandOperation, more?: Sent) => Promise<Result>;
  /** Finds what to call who did something. */
  readonly who: Who;
  /** The mistake of an identifier that names nothing. */
  readonly missing: (what: string) => Mistake;
  /** All entries of a list. */
  readonly every: <Entry extends object>(
    name: string | CommandOperation,
    more?: Sent,
  ) => Promise<readonly Entry[]>;
}

export interface Found {
  readonly members: Readonly<Record<string, unknown>>;
  readonly faults: readonly string[];
}

export interface Opened {
  readonly services: OperationContext['services'];
  readonly caller?: Principal;
  readonly close?: () => void;
}

export interface DerivedGroup {
  readonly name: string;
  readonly says: string;
  /** One of them, where its operations do not say it. */
  readonly one?: string;
  readonly operations: readonly CommandOperation[];
  /** Options of all of its commands. */
  readonly options?: readonly Option[];
  /** Whether a thread of its own writes, so that progress is shown meanwhile. */
  readonly threads?: boolean;
  readonly open: (store: Store, command: Command) => Opened | Promise<Opened>;
  /** The identifier of what is called so, and how it can be called, for the help. */
  readonly identify?: (called: string, at: At) => Promise<string>;
  readonly called?: string;
  /** By name and arguments, such as `release <id>`. */
  readonly commands: Readonly<Record<string, DerivedCommand>>;
}
