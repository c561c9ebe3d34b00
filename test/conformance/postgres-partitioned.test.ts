/** The promises, kept in PostgreSQL where every table is divided by account. */
// needs: --all, alone
import { onPostgres } from '../support/store-postgres.ts';
import { describeStore } from './store.ts';

await onPostgres(
  ({ name, ground }) =>
    describeStore(`${name} with partitions`, async () => ({ ...(await ground()), partitions: 4 })),
  ['15'],
);
