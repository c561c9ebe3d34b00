/** Records in the audit what a command does: on the store, or on one of our own objects, in the audit of its accounts. */
import type { AuditFacts } from '../../core/objects/requests/audit-entry.ts';
import { resources } from '../../core/registry.ts';
import {
  type Auditing,
  audited,
  auditedBefore,
  type Performed,
  perform,
} from '../../edge/operations/perform.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { appendShared } from '../../services/audit/chain.ts';
import { findActor } from '../../services/staff/actors.ts';
import { type Account, type Store, StoreUnavailable } from '../../store/promises/store.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';

const IDENTIFIER = /^[a-z]+_[0-9A-Za-z]{22}$/;

/** Verifying shows no records to anybody and changes nothing. */
const SHOWS_NOBODY: ReadonlySet<string> = new Set(['verify', 'audit verify', 'audit head']);

/** The subject of an entry. */
interface Concerned {
  readonly accounts: readonly string[];
  readonly record: string | undefined;
}

/** The part of an operation's input that says what it concerns. */
interface Invocation {
  readonly caller: Principal;
  readonly id: string;
  readonly account?: string;
  readonly accounts?: readonly string[];
  readonly location?: string;
  readonly record?: string;
  readonly source?: string;
}

/** The result, known once the operation is done. */
interface Done {
  readonly unique_identifier?: string;
  readonly account?: string;
}

export class CommandAudit {
  readonly #store: Store;
  readonly #command: Command;
  readonly #key: Uint8Array | undefined;

  constructor(store: Store, command: Command, key: Uint8Array | undefined) {
    this.#store = store;
    this.#command = command;
    this.#key = key;
  }

  /** Such as `keys create`. */
  get name(): string {
    const names: string[] = [];
    let at: Command['parent'] = this.#command;
    for (; at?.parent; at = at.parent) names.unshift(at.name());
    return names.join(' ');
  }

  /** Adds an entry for each account, or one of none. Where the store accepts no writes, the command goes on: it may be what saves the records. */
  async record(facts: AuditFacts, { accounts, record }: Concerned): Promise<void> {
    const parts = { book: this.#store.audit, key: this.#key, now: Date.now };
    const of = accounts.length === 0 ? [null] : accounts;
    try {
      for (const account of of)
        await appendShared(parts, {
          ...facts,
          time: Date.now(),
          by: 'operator',
          account,
          record: record ?? null,
        });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      process.stderr.write(
        `ledgerstone: The audit has no entry of this command: ${error.message}\n`,
      );
    }
  }

  /**
   * Performs an operation. What changes something stands in the audit before it is done, and as refused where it was;
   * what it made, and what was not known before, in an entry of the command.
   */
  async perform<Answer>(
    operation: Performed,
    invocation: Invocation,
    run: (done: (what: Done) => void) => Promise<Answer>,
  ): Promise<Answer> {
    const { account, caller, id, location, source } = invocation;
    const isRead = operation.route.startsWith('GET ');
    // Who asks who has seen a record has not seen it.
    const record = id || (isRead ? undefined : invocation.record || location || source);
    const accounts = invocation.accounts ?? (await accountsOf(this.#store, account ?? record));
    const action = operation.audits ?? auditedBefore(operation) ?? (isRead ? undefined : 'command');
    const recording = {
      action,
      record: (facts: AuditFacts) => this.record(facts, { accounts, record }),
    };
    let told: Done = {};
    const work = () =>
      run((what) => {
        told = { ...told, ...what };
      });
    const answer = await perform(operation, () => caller, recording, work);
    const isMore =
      (id === '' && told.unique_identifier !== undefined) ||
      (accounts.length === 0 && told.account !== undefined);
    if (!isRead && isMore) {
      const known = told.account === undefined ? accounts : [told.account];
      await this.made(told.unique_identifier ?? record ?? '', known);
    }
    return answer;
  }

  /** Does the work of a command, which is recorded before, with the accounts and the record that its words name. */
  async command<Result>(acts: boolean, work: () => Promise<Result>): Promise<Result> {
    const action = SHOWS_NOBODY.has(this.name) ? undefined : 'command';
    const concerned = action && (await this.#named());
    const auditing: Auditing = {
      action,
      record: async (facts) => {
        if (concerned !== undefined) await this.record(facts, concerned);
      },
      isMistake: (error) => acts && error instanceof Mistake,
    };
    return audited(auditing, this.name, async (begins) => {
      await begins();
      return work();
    });
  }

  /** Records what the command made. */
  made(record: string, accounts: readonly string[]): Promise<void> {
    return this.record({ action: 'command', what: this.name }, { accounts, record });
  }

  async #named(): Promise<Concerned> {
    const store = this.#store;
    const { account: given } = this.#command.opts<{ account?: string | readonly string[] }>();
    const said = [...this.#command.args, ...Object.values(this.#command.opts())]
      .flat()
      .filter((one): one is string => typeof one === 'string');
    const ids = said.filter((one) => IDENTIFIER.test(one));
    const record = ids.find((id) => !id.startsWith('acct_'));
    const all = given === undefined ? [] : await store.accounts.list();
    const accounts = [...ids.filter((id) => id.startsWith('acct_')), ...named(all, given)];
    return { accounts: accounts.length > 0 ? accounts : await accountsOf(store, record), record };
  }
}

/** The accounts with these names. */
function named(all: readonly Account[], given: string | readonly string[] = []): readonly string[] {
  const names = new Set([given].flat());
  return all.filter(({ name }) => names.has(name)).map((one) => one.unique_identifier);
}

/** The accounts of what an identifier names: a record, or one of our own objects. */
export async function accountsOf(store: Store, id = ''): Promise<readonly string[]> {
  if (id.startsWith('acct_')) return [id];
  if (/^(imp|key|stf)_/.test(id)) return (await findActor(store, id))?.accounts ?? [];
  const account = await store.accountOf(id);
  if (account !== undefined) return [account];
  const resource = resources.find(({ prefix }) => id.startsWith(prefix));
  if (resource === undefined) return [];
  const scope = { accounts: new Set(await allAccounts(store)), anchors: undefined };
  const found = await store.find(resource.shape, id, scope);
  return found === undefined ? [] : [found.account];
}
