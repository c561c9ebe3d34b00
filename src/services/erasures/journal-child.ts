/** Looks at the disk of a copy of the journal, in a process of its own. */
import { answerAside } from '../../core/aside/aside.ts';
import { journalDisk } from './journal-disk.ts';

answerAside(journalDisk);
