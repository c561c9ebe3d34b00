/** The writing thread, as the serving thread sees it. */
import { createThread, type Thread } from './thread.ts';
import type { WriterData, WriterMessage } from './writer-thread.ts';

/** `onWritten` is called after some commits, `onRemoved` when something was removed and swept. */
export function startWriter(
  data: WriterData,
  now: () => number,
  { onWritten, onRemoved }: { onWritten: () => void; onRemoved: () => void },
): Thread {
  const onMessage = (message: WriterMessage) => (message === 'written' ? onWritten() : onRemoved());
  const thread = createThread(new URL('./writer-thread.ts', import.meta.url), data, {
    now,
    onMessage,
  });
  thread.start();
  return thread;
}
