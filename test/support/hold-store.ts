/** An embedded store that cannot be written to for a while. */
import { DatabaseSync } from 'node:sqlite';
import type { Service } from './service.ts';

/** Keeps everybody else from writing until it is called. */
export function holdStore(service: Service): () => void {
  const holder = new DatabaseSync(service.app.store.place.slice('sqlite:'.length));
  holder.exec('BEGIN IMMEDIATE');
  return () => {
    holder.exec('COMMIT');
    holder.close();
  };
}
