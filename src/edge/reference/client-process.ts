/** The process that packs the client. */
import { packClient } from './client-package.ts';
import { sendMade } from './process-value.ts';

sendMade(packClient);
