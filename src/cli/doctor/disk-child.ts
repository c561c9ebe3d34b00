/** Looks at disks for `doctor`, in a process of its own. */
import { answerAside } from '../../core/aside/aside.ts';
import { doctorDisk } from './disk.ts';

answerAside(doctorDisk);
