import { describeUnless } from '../describe-unless.ts';
import { problemWithPrograms } from '../programs/missing-programs.ts';

const NEEDED = ['etcd --version', 'openssl version', 'setpriv --version', 'flock --version'];

/** As `describe`; where there is no etcd, it says so and leaves the tests out. */
export const describeOnEtcd = (name: string, tests: () => void): void =>
  describeUnless(problemWithPrograms(NEEDED), 'no etcd can be started', name, tests);
