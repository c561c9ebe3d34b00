/** The SQLite store keeps every promise of a store. */
// needs: alone, long
import { sqliteGround } from '../support/store-sqlite.ts';
import { describeStore } from './store.ts';

describeStore('SQLite', () => sqliteGround());
