/** The promises, kept in PostgreSQL. */
// needs: alone, long
import { placesFor } from '../support/postgres-template.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { shapes } from '../support/store-shapes.ts';
import { describeStore } from './store.ts';

await onPostgres(({ name, url }) => describeStore(name, placesFor(url, shapes)));
