/** Records in the audit that a command works on the store, and on which record or account, as far as its words name them. */
import { resources } from '../../core/registry.ts';
import { appendShared } from '../../services/audit/chain.ts';
import { type Store, StoreUnavailable } from '../../store/promises/store.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';

const IDENTIFIER = /^[a-z]+_[0-9A-Za-z]{22}$/;

/** What verifies shows nobody, and changes nothing of what it verifies. */
const SHOWS_NOBODY: ReadonlySet<string> = new Set(['verify', 'audit verify', 'audit head']);

/** Where the store accepts no writes, the command goes on: it may be what saves the records. */
export async function recordCommand(
  store: Store,
  command: Command,
  key: Uint8Array | undefined,
): Promise<void> {
  const named = [...command.args, ...Object.values(command.opts())]
    .flat()
    .filter((one): one is string => typeof one === 'string' && IDENTIFIER.test(one));
  const [account, other] = named.filter((id) => id.startsWith('acct_'));
  const what = nameOf(command);
  if (SHOWS_NOBODY.has(what)) return;
  // Who asks who has seen a record has not seen it.
  const record = /^audit /.test(what) ? undefined : named.find((id) => !id.startsWith('acct_'));
  try {
    await appendShared(
      { book: store.audit, key, now: Date.now },
      {
        ...{ time: Date.now(), action: 'command', by: 'operator', what, record: record ?? null },
        account: other === undefined ? (account ?? (await accountOf(store, record)) ?? null) : null,
      },
    );
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    process.stderr.write(`ledgerstone: The audit has no entry of this command: ${error.message}\n`);
  }
}

/** Such as `keys create`. */
function nameOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command['parent'] = command; at?.parent; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}

/** That of a record, so that its account sees who has read it. */
async function accountOf(store: Store, record = ''): Promise<string | undefined> {
  const resource = resources.find(({ prefix }) => record.startsWith(prefix));
  if (resource === undefined) return undefined;
  const scope = { accounts: new Set(await allAccounts(store)), anchors: undefined };
  return (await store.find(resource.shape, record, scope))?.account;
}
