import { describeUnless } from '../describe-unless.ts';
import { problemWithPrograms } from '../programs/missing-programs.ts';

const NEEDED = [
  ...[
    'dockerd --version',
    'docker --version',
    'containerd --version',
    'runc --version',
    'iptables --version',
  ],
  ...['busybox true', 'ip -V', 'unshare --version', 'nsenter --version', 'openssl version', 'tar --version'],
];

/** As `describe`; where there is no Docker, it says so and leaves the tests out. */
export const describeOnDocker = (name: string, tests: () => void): void =>
  describeUnless(problemWithPrograms(NEEDED), 'no Docker daemons can be started', name, tests);
