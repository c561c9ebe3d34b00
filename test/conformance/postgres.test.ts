/** The promises, kept in PostgreSQL. */
import { onPostgres } from '../support/store-postgres.ts';
import { describeStore } from './store.ts';

await onPostgres(({ name, ground }) => describeStore(name, ground));
