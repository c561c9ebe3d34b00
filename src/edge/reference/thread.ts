/** The thread that makes the manual without blocking the serving thread. It ends when it is done. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeManual } from './make.ts';
import type { PagedResource } from './pages.ts';

parentPort?.postMessage(makeManual(workerData as readonly PagedResource[]));
