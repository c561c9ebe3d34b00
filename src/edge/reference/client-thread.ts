/** The thread that packs the client. It ends when it is done. */
import { parentPort } from 'node:worker_threads';
import { packClient } from './client-package.ts';

parentPort?.postMessage(packClient());
