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
import { appendShared, type TimedFacts } from '../../services/audit/chain.ts';
import { findActor } from '../../services/staff/actors.ts';
import { dayOf } from '../../store/books/log/audit.ts';
import { type Store, StoreUnavailable } from '../../store/promises/store.ts';
import { allAccounts, isAccountId } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { warn } from '../output.ts';

const IDENTIFIER = /^[a-z]+_[0-9A-Za-z]{22}$/;

/** Verifying shows no records to anybody and changes nothing. */
const SHOWS_NOBODY: ReadonlySet<string> = new Set(['verify', 'audit verify', 'audit head']);
/** Commands that concern no account. Every other one that names none concerns all. */
const OF_NO_ACCOUNT: ReadonlySet<string> = new Set(['dev', 'jobs', 'migrate']);
/** Commands that leave out closed accounts. */
const OF_OPEN: ReadonlySet<string> = new Set(['export', 'import']);
/** Actions that show records or who saw them: of all accounts, where none is named. */
const SHOWS: ReadonlySet<string | undefined> = new Set([
  ...(['read', 'history', 'image', 'list', 'search', 'export', 'print'] as const),
]);

/** How many accounts have an entry of each look at all of them; more have the first one of a day. */
const MANY = 100;
/** How many entries of a day are looked at for one that says the same. */
const SAME = 100;
/** Looks that change nothing and take nothing away. */
const LOOKS: ReadonlySet<string | undefined> = new Set([
  ...(['read', 'history', 'image', 'list', 'search'] as const),
]);

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

type Done = Partial<Record<'unique_identifier' | 'account', string | undefined>>;

export type CommandAudit = ReturnType<typeof createCommandAudit>;

export function createCommandAudit(store: Store, command: Command, key: Uint8Array | undefined) {
  const name = nameOf(command);
  const parts = { book: store.audit, key, now: Date.now };

  /** Adds an entry for each account, or one of none. Where the store accepts no writes, the command goes on: it may be what saves the records. */
  const record = async (facts: AuditFacts, { accounts, record }: Concerned): Promise<void> => {
    const by = { time: Date.now(), by: 'operator', record: record ?? null };
    try {
      const isKnown = accounts.length > MANY && (await isOfToday({ ...facts, ...by }, accounts));
      const each = accounts.length === 0 || isKnown ? [null] : accounts;
      await appendShared(parts, ...each.map((account) => ({ ...facts, ...by, account })));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      warn(`The audit has no entry of this command: ${error.message}`);
    }
  };

  /** Whether the accounts have an entry of today that says the same: who looks every minute fills no disk. */
  const isOfToday = async (facts: TimedFacts, accounts: readonly string[]): Promise<boolean> => {
    const { action, by = null, time } = facts;
    if (!LOOKS.has(action)) return false;
    const from = Date.parse(dayOf(time));
    const query = { account: accounts.at(-1), by: by ?? undefined, action, from, limit: SAME };
    const before = await store.audit.list(query);
    return before.some(
      ({ what, resource, record: of }) =>
        what === facts.what && resource === (facts.resource ?? null) && of === facts.record,
    );
  };

  return {
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
      const about = id || (isRead ? undefined : invocation.record || location || source);
      const action =
        operation.audits ?? auditedBefore(operation) ?? (isRead ? undefined : 'command');
      const showsAll = account === undefined && !about && SHOWS.has(action);
      const accounts =
        invocation.accounts ??
        (showsAll ? await allAccounts(store) : await accountsOf(store, account ?? about));
      const recording = {
        action,
        record: (facts: AuditFacts) => record(facts, { accounts, record: about }),
      };
      let made: Done = {};
      const work = () =>
        run((what) => {
          made = { ...made, ...what };
        });
      const answer = await perform(operation, () => caller, recording, work);
      const isMore =
        (id === '' && made.unique_identifier !== undefined) ||
        (accounts.length === 0 && made.account !== undefined);
      if (!isRead && isMore) {
        const known = made.account === undefined ? accounts : [made.account];
        const what = { accounts: known, record: made.unique_identifier ?? about ?? '' };
        await record({ action: 'command', what: name }, what);
      }
      return answer;
    },

    /** Does the work of a command, which is recorded before, with the accounts and the record that its words name. */
    async command<Result>(acts: boolean, work: () => Promise<Result>): Promise<Result> {
      const action = SHOWS_NOBODY.has(name) ? undefined : 'command';
      const concerned = action && (await concernedBy(store, command));
      const auditing: Auditing = {
        action,
        record: async (facts) => {
          if (concerned !== undefined) await record(facts, concerned);
        },
        isMistake: (error) => acts && error instanceof Mistake,
      };
      return audited(auditing, name, async (begins) => {
        await begins();
        return work();
      });
    },
  };
}

/** Such as `keys create`. */
function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command['parent'] = command; at?.parent; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}

/** The accounts and the record that the words of a command name. */
async function concernedBy(store: Store, command: Command): Promise<Concerned> {
  const { account: given } = command.opts<{ account?: string | readonly string[] }>();
  const said = [...command.args, ...Object.values(command.opts())]
    .flat()
    .filter((one): one is string => typeof one === 'string');
  const ids = said.filter((one) => IDENTIFIER.test(one));
  const record = ids.find((id) => !id.startsWith('acct_'));
  const names = [given ?? []].flat().filter((one) => !isAccountId(one));
  const all = names.length === 0 ? [] : await store.accounts.list();
  const named = all.filter(({ name }) => names.includes(name)).map((one) => one.unique_identifier);
  const accounts = [...ids.filter((id) => id.startsWith('acct_')), ...named];
  if (accounts.length > 0) return { accounts, record };
  const name = nameOf(command);
  if (record === undefined && given === undefined && !OF_NO_ACCOUNT.has(name)) {
    const some = await store.accounts.list();
    const concerned = some.filter((one) => !OF_OPEN.has(name) || one.closed_at === null);
    return { accounts: concerned.map((one) => one.unique_identifier), record };
  }
  return { accounts: await accountsOf(store, record), record };
}

/** The accounts of what an identifier names: a record, or one of our own objects. */
async function accountsOf(store: Store, id = ''): Promise<readonly string[]> {
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
