/** An embedded store that cannot be written to for a while. */
import { DatabaseSync } from 'node:sqlite';
import type { Service } from './service.ts';

/** Keeps everybody else from writing until it is called. */
export function holdStore(service: Service): () => void {
  const path = service.app.store.place.slice('sqlite:'.length);
  // The service itself may be writing, that a key was used.
  const holder = new DatabaseSync(path, { timeout: 5_000 });
  holder.exec('BEGIN IMMEDIATE');
  return () => {
    holder.exec('COMMIT');
    holder.close();
  };
}
