/** The book of self-tests, over the tables of a store. */

import { selfTest } from '../../core/objects/self-test.ts';
import { named } from '../images.ts';
import type { SelfTestRun, Sighting } from '../promises/self-tests.ts';
import { Book } from './book.ts';
import { newRow, rowReader } from './rows/own-rows.ts';
import { selfTestStatements as sql } from './sql/self-test-sql.ts';

/** How long the report of a run is stored. */
const KEPT_MS = 30 * 86_400_000;

const toRun = rowReader(selfTest);
const toSighting = named<Sighting>('kind', 'at', 'data');

export class SelfTestBook extends Book {
  /** Begins a run. Ends the key's open one, and deletes old runs of the account. */
  async open(run: SelfTestRun): Promise<void> {
    const { unique_identifier, account, key, inserted_at } = run;
    const old = this.now() - KEPT_MS;
    await this.tables.write([
      [sql.openSelfTest, ...newRow(selfTest, run)],
      [sql.endSelfTests, key, unique_identifier, inserted_at],
      [sql.dropSightings, account, old],
      [sql.dropSelfTests, account, old],
    ]);
  }

  /** The open run of the key. */
  async openOf(key: string): Promise<SelfTestRun | undefined> {
    return this.first(toRun, sql.selfTestOf, key, this.now());
  }

  async find(unique_identifier: string): Promise<SelfTestRun | undefined> {
    return this.first(toRun, sql.selfTest, unique_identifier);
  }

  /** The stored ones, newest first. */
  async list(account: string): Promise<readonly SelfTestRun[]> {
    return this.all(toRun, sql.selfTests, account);
  }

  /** Lists sightings in the order in which they were noted. */
  async seen(unique_identifier: string): Promise<readonly Sighting[]> {
    return this.all(toSighting, sql.selfTestSeen, unique_identifier);
  }

  /** Notes an observation; after 500 of a run, nothing. */
  async note(unique_identifier: string, { kind, at, data }: Sighting): Promise<void> {
    const id = this.identify('sgt_');
    await this.tables.write([[sql.noteSighting, id, unique_identifier, kind, at, data]]);
  }
}
