/** A store in a SQLite file: one connection, in the thread that calls. */
import type { RecordShape } from '../../schema/shape.ts';
import type {
  AccountBook,
  Draft,
  KeptReceipt,
  KeyRing,
  ListQuery,
  Outcome,
  Page,
  Pair,
  Scope,
  Store,
  StoredRecord,
} from '../store.ts';
import { Accounts } from './accounts.ts';
import { Batch } from './batch.ts';
import type { Context } from './context.ts';
import { Keys } from './keys.ts';
import { Reading } from './reading.ts';
import { Receipts } from './receipts.ts';

export class SqliteStore implements Store {
  readonly processes = 'one';
  readonly place: string;
  readonly accounts: AccountBook;
  readonly keys: KeyRing;
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #reading: Reading;
  readonly #release: () => void;

  /** `release` lets go of what was taken for as long as the store is open. */
  constructor(path: string, context: Context, release: () => void) {
    this.place = `sqlite:${path}`;
    this.#context = context;
    this.#receipts = new Receipts(context.connection);
    this.#reading = new Reading(context);
    this.#release = release;
    this.accounts = new Accounts(context, this.#receipts);
    this.keys = new Keys(context);
  }

  async commit(
    drafts: readonly Draft[],
    { atomic = false }: { readonly atomic?: boolean } = {},
  ): Promise<readonly Outcome[]> {
    const { connection } = this.#context;
    const refused = (outcomes: readonly Outcome[]) =>
      atomic && outcomes.some(({ outcome }) => outcome === 'refused');
    const outcomes = await connection.write(
      () => {
        const batch = new Batch(this.#context, this.#receipts);
        const applied = drafts.map((draft) => batch.apply(draft));
        batch.finish();
        return applied;
      },
      (applied) => !refused(applied),
    );
    return refused(outcomes) ? outcomes.map(withheld) : outcomes;
  }

  async find(
    shape: RecordShape,
    unique_identifier: string,
    scope: Scope,
  ): Promise<StoredRecord | undefined> {
    return this.#context.connection.show(() => this.#reading.find(shape, unique_identifier, scope));
  }

  async findPair(shape: RecordShape, pair: Pair): Promise<StoredRecord | undefined> {
    return this.#context.connection.show(() => this.#reading.findPair(shape, pair));
  }

  async list(query: ListQuery): Promise<Page | undefined> {
    return this.#context.connection.show(() => this.#reading.list(query));
  }

  async receipt(owner: string, idempotency_key: string): Promise<KeptReceipt | undefined> {
    const { connection, now } = this.#context;
    return connection.show(() => this.#receipts.find(owner, idempotency_key, now()));
  }

  async checkWritable(): Promise<void> {
    await this.#context.connection.write(() => this.#context.checkWrite());
  }

  async close(): Promise<void> {
    await this.#context.connection.close();
    this.#release();
  }
}

function withheld(outcome: Outcome): Outcome {
  return outcome.outcome === 'refused' ? outcome : { outcome: 'withheld' };
}
