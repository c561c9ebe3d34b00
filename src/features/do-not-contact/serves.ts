/** The register of whom nobody is to contact: it is asked, entered, lifted, and outlives the records that it was said of. */
import { ApiError } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import { LAST_IDENTIFIER } from '../../core/schema/id.ts';
import { type Country, HOME } from '../../core/schema/phones/numbers.ts';
import { SettingsError } from '../../core/settings-error.ts';
import type { Principal } from '../../records/auth/principal.ts';
import { accountOf } from '../../records/changes/feed.ts';
import { countryAt } from '../../records/query/zones.ts';
import type { FilesKept, Served, ServeParts } from '../../services/served.ts';
import type { Contact } from '../../store/books/contacts.ts';
import { accountsFor, foundIn, missingAt } from '../../store/promises/refusals.ts';
import { wholeAccount } from '../../store/promises/store.ts';
import { CHANNELS, type NoContact } from './declares.ts';
import { says } from './says.ts';
import { adopt } from './serves/adopt.ts';
import type { SaidNo } from './store/said.ts';
import { canonical, numberFrom } from './store/signs.ts';

/** Records of one number that are looked at when it is lifted. */
const MAX_SAME = 1_000;
const ADOPT_MS = 60_000;
const NOT_ENTERED = 'hashes of version 1.0 were not entered into the register';
const LEFT =
  'version 1.0 has left hashes of whom nobody is to contact, of which no record says whose they are: they are kept as entries of the kind "unknown"';

/** Makes entries of what version 1.0 has left. Throws `SettingsError` where entries need a key that is not there. */
export const check = async ({ store, resources }: ServeParts) => {
  const { doNotContact: book } = store;
  while (await book.mark());
  const lost = await book.lostKeys();
  if (lost.length > 0)
    throw new SettingsError(
      `SECRET_KEY_FILE: entries of the register of whom nobody is to contact are hashes by a key that is not in the file (${lost.join(', ')}): put that key into the file again, on a line of its own after the new one.`,
    );
  await adopt({ store, resources });
};

export const serve = (parts: ServeParts) => {
  const { store, resources, now } = parts;
  const { doNotContact: book } = store;
  const help =
    'Entries of the registers of whom nobody is to contact that stand, in all accounts; all processes over one database show the same.';
  parts.figure?.({ name: 'ledgerstone_do_not_contact', help }, () => book.count());
  return {
    service: createRegister(parts),
    upkeep: [
      {
        piece: () => book.lapse(),
        failure: 'entries of do not contact whose time has passed were not ended',
      },
      { piece: () => book.purge(now()), failure: 'old entries of do not contact were not removed' },
      {
        piece: () => book.mark(),
        failure: 'entries of do not contact have no hash by the newest key',
      },
      {
        // Processes of version 1.0 may run beside this one, and close follow-ups so.
        piece: async () => void (await adopt({ store, resources })),
        failure: NOT_ENTERED,
        times: { afterMs: ADOPT_MS, everyMs: ADOPT_MS },
      },
    ],
    files: keptOf(parts),
    start({ log }) {
      // A backup of version 1.0 that was restored since has some, too.
      adopt({ store, resources }).then(
        (unknown) => unknown > 0 && log.warned(LEFT, new Error(`${unknown} hashes`)),
        (error) => log.warned(NOT_ENTERED, error),
      );
    },
  } satisfies Served;
};

/** Entries that name somebody who is erased: no more than a hash is kept of them. */
function keptOf({ store }: ServeParts): FilesKept {
  const { doNotContact: book } = store;
  const named = async (account: string, mentions: (text: string) => boolean) => {
    const found: string[] = [];
    for (let after = '', isMore = true; isMore; ) {
      const some = await book.plain(account, after);
      for (const { unique_identifier: id, value, reason } of some)
        if (mentions(`${value} ${reason ?? ''}`)) found.push(id);
      after = some.at(-1)?.unique_identifier ?? '';
      isMore = some.length > 0;
    }
    return found;
  };
  return {
    named,
    async rows(account, mentions, { cuts }) {
      const found = await named(account, mentions);
      if (cuts) await book.hash(account, found);
      return { files: 0, rows: cuts ? 0 : found.length };
    },
  };
}

/** One that was sent, and what is said of it. */
export interface SaidOfOne {
  readonly phone_number?: string | null | undefined;
  readonly email_address?: string | null | undefined;
  readonly channels?: readonly string[] | null | undefined;
  readonly reason?: string | null | undefined;
  readonly until?: string | null | undefined;
}

interface Asked extends Pick<SaidOfOne, 'phone_number' | 'email_address'> {
  readonly account?: string | undefined;
  readonly record?: string | undefined;
  readonly kind?: string | undefined;
  readonly lifted?: boolean | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

function createRegister({ store, resources, now }: ServeParts) {
  const { doNotContact: book } = store;
  const [root] = resources as readonly [Resource];

  const contactOf = ({ phone_number, email_address }: SaidOfOne): Contact & { param: string } =>
    typeof phone_number === 'string'
      ? { as: 'digits', text: phone_number, param: 'phone_number' }
      : { as: 'email', text: email_address ?? '', param: 'email_address' };

  /** Throws `value_invalid`. */
  const canonicalOf = (contact: Contact & { param: string }, country: Country): string => {
    const { as, text, param } = contact;
    const value = as === 'digits' ? numberFrom(text, country) : canonical(contact);
    if (value !== undefined) return value;
    const what = as === 'digits' ? 'a phone number, such as +14155550123' : 'an email address';
    const message = `${param} is not ${what}, or one that many strangers share, such as a row of one digit or "none".`;
    throw new ApiError('value_invalid', { param, message });
  };

  const saidBy = (
    sent: SaidOfOne,
    said: Pick<SaidNo, 'account' | 'said_by' | 'source'>,
    country: Country = HOME,
  ): SaidNo => {
    const { channels, reason, until } = sent;
    const contact = contactOf(sent);
    const ends = until ? Date.parse(until) : null;
    if (ends !== null && ends <= now())
      throw new ApiError('value_invalid', {
        param: 'until',
        message: 'until has passed: send a time in the future, or leave it out.',
      });
    const some = CHANNELS.filter((one) => channels?.includes(one));
    return {
      ...said,
      kind: contact.as === 'digits' ? 'phone' : 'email',
      value: canonicalOf(contact, country),
      channels: some.length === 0 || some.length === CHANNELS.length ? null : some,
      ...{ reason: reason || null, until: ends },
    };
  };

  /** The record, if the caller may see it. */
  const seenRecord = async ({ scope, resources: paths }: Principal, record: string) => {
    const its = resources.find(
      ({ prefix, name, path }) =>
        says.of.some((one) => one === name) &&
        record.startsWith(prefix) &&
        paths?.has(path) !== false,
    );
    const found = its && (await store.find(its.shape, record, scope));
    return its && found && { shape: its.shape, found };
  };

  const noRecord = () =>
    new ApiError('resource_missing', {
      param: 'record',
      message:
        'record is not the unique_identifier of a mail reply, a visitor, a next of kin or an arrangement that you may see.',
    });

  const isLimited = ({ scope, resources: paths }: Principal) =>
    scope.anchors !== undefined || paths !== undefined;

  return {
    async find(caller: Principal, id: string): Promise<NoContact> {
      return foundIn(caller.scope, 'do_not_contact', await book.find(id));
    },

    /** Throws `resource_missing`, `value_invalid`, and `whole_account_needed` where a limited caller names nobody. */
    async list(caller: Principal, asked: Asked): Promise<readonly NoContact[]> {
      const {
        account,
        record,
        kind,
        lifted = false,
        after: before = LAST_IDENTIFIER,
        limit,
      } = asked;
      const accounts = accountsFor(caller.scope, root.shape, account);
      const isIn = (one: NoContact) =>
        (one.lifted_at !== null) === lifted && (kind === undefined || one.kind === kind);
      const paged = (some: readonly NoContact[]) =>
        some
          .filter((one) => isIn(one) && one.unique_identifier < before)
          .toSorted((one, other) => (one.unique_identifier < other.unique_identifier ? 1 : -1))
          .slice(0, limit);
      const contacts = [asked.phone_number, asked.email_address].flatMap((text, at) =>
        typeof text === 'string'
          ? contactOf(at === 0 ? { phone_number: text } : { email_address: text })
          : [],
      );
      if (contacts.length > 0) {
        const country = await countryAt(store, accounts.slice(0, MAX_SAME));
        const values = contacts.map((one) => ({ ...one, text: canonicalOf(one, country) }));
        const signs = book.signsFor(values);
        const found = await Promise.all(accounts.map((one) => book.withSigns(one, signs, lifted)));
        return paged(found.flat());
      }
      if (record !== undefined) {
        const its = await seenRecord(caller, record);
        if (its === undefined && isLimited(caller)) throw noRecord();
        const signs = its ? book.signsOf(its.shape, its.found) : { values: [record], marks: [] };
        const all = accounts.filter((one) => its === undefined || one === its.found.account);
        const found = await Promise.all(all.map((one) => book.withSigns(one, signs, lifted)));
        return paged(found.flat());
      }
      if (isLimited(caller))
        throw new ApiError('whole_account_needed', {
          message:
            'You are limited to some locations or resources: send phone_number, email_address or record, to ask of one person.',
        });
      return book.list(
        accounts.map((one) => ({ account: one, isLifted: lifted, kind, before, limit })),
      );
    },

    /** Throws `resource_missing` and `value_invalid`. An entry that stands already is updated. */
    async add(
      caller: Principal,
      {
        account: named,
        record,
        ...sent
      }: SaidOfOne & Record<'account' | 'record', string | null | undefined>,
    ): Promise<NoContact> {
      const said_by = caller.key;
      if (typeof record === 'string') {
        const its = await seenRecord(caller, record);
        if (its === undefined) throw noRecord();
        const { shape, found } = its;
        const {
          channels = null,
          until = null,
          reason = null,
        } = saidBy(
          { ...sent, phone_number: '+14155550123' },
          { account: found.account, said_by, source: 'record' },
        );
        const more = {
          said_by,
          source: 'record',
          channels,
          until,
          reason,
          follow_up: null,
        } as const;
        return entered(found.account, book.saidOfRecord(shape, found, more));
      }
      const account = accountOf(caller, named ?? undefined, root.shape);
      if (contactOf(sent).text === '')
        throw new ApiError('parameter_missing', {
          message: 'Send one of phone_number, email_address and record.',
        });
      const country = await countryAt(store, [account]);
      return entered(account, [saidBy(sent, { account, said_by, source: 'request' }, country)]);
    },

    /** Enters a list. What is no number or address is told, by its place, and the rest is entered. */
    async addMany(caller: Principal, named: string | undefined, rows: readonly SaidOfOne[]) {
      const account = accountOf(caller, named, root.shape);
      const country = await countryAt(store, [account]);
      const said: SaidNo[] = [];
      const refused: { row: number; param: string; message: string }[] = [];
      for (const [at, row] of rows.entries()) {
        try {
          said.push(saidBy(row, { account, said_by: caller.key, source: 'list' }, country));
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          const [{ param = '', message } = { message: error.message }] = error.faults;
          refused.push({ row: at + 1, param, message });
        }
      }
      if (said.length > 0 && !(await book.add(account, said))) throw missingAccount(account);
      return { account, added: new Set(said.map(({ value }) => value)).size, refused };
    },

    /** Lifts one, what else says the same, and what was said of the records that have the number or the address. */
    async lift(caller: Principal, id: string, because: string): Promise<NoContact> {
      const found = foundIn(caller.scope, 'do_not_contact', await book.find(id));
      const lifted = { at: now(), by: caller.key, because };
      await book.lift(found, lifted, await recordsWith(found));
      return foundIn(caller.scope, 'do_not_contact', await book.find(id));
    },
  };

  async function recordsWith({ account, kind, value }: NoContact): Promise<readonly string[]> {
    const as = kind === 'phone' ? 'digits' : 'email';
    const found: string[] = [];
    if (value === null || kind === 'record') return found;
    for (const { shape } of resources.filter(({ name }) => says.of.some((one) => one === name)))
      for (const { path } of shape.searched?.filter((one) => one.as === as) ?? []) {
        const key = shape.keys.find((one) => one.path.join('.') === path.join('.'));
        if (key === undefined) continue;
        const where = [{ by: { key: key.name }, is: '=', value }] as const;
        const list = { shape, scope: wholeAccount(account), where, limit: MAX_SAME } as const;
        const { records } = await store.list({ ...list, order: 'newest' });
        found.push(...records.map(({ unique_identifier }) => unique_identifier));
      }
    return found;
  }

  async function entered(account: string, said: readonly SaidNo[]): Promise<NoContact> {
    if (!(await book.add(account, said))) throw missingAccount(account);
    const [{ value = null } = {}] = said;
    const all = await book.known(account, { values: [String(value)], marks: [] });
    const found = all.find((one) => one.kind === said[0]?.kind);
    if (found === undefined) throw missingAccount(account);
    return found;
  }

  function missingAccount(account: string): ApiError {
    return missingAt('account', root.shape, account);
  }
}
