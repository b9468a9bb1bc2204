import { describeWithSshd } from '../../../../test/harness/sshd.ts';
import { openSshdLab } from '../../../../test/harness/sshd-lab.ts';
import { transportConforms } from '../conformance.ts';
import { createSshTransport } from './ssh-transport.ts';

describeWithSshd('the transport ssh, with a real sshd', () => {
  transportConforms('ssh', () => openSshdLab(createSshTransport()));
});
