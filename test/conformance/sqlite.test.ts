/** The SQLite store keeps every promise of a store. */
// needs: alone
import { sqliteGround } from '../support/store-sqlite.ts';
import { describeStore } from './store.ts';

describeStore('SQLite', () => sqliteGround());
