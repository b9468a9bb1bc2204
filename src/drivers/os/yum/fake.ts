import type { MachineFake } from '../../machine.ts';
import { isSameScript } from '../fake-answers.ts';
import { rpmAnswer, rpmBlueprint, rpmRebootAnswer } from '../fake-rpm.ts';
import { yum } from './yum.ts';

const WORDS = {
  diskFull:
    'Error downloading packages:\n  Insufficient space in download directory /var/cache/yum\n    * free   0 \n    * needed 121 M\n',
  unknown: (name: string) =>
    `No package ${name} available.\nError: Not tolerating missing names on install, stopping.\n`,
};

/** Nobody has made a Fedora, Rocky Linux or AlmaLinux without dnf for years; they are here because a host may still be one. */
export const yumFake: MachineFake = {
  blueprints: {
    fedora: rpmBlueprint('NAME=Fedora\nID=fedora\nVERSION_ID=21\n', 'yum'),
    centos: rpmBlueprint('NAME="CentOS Linux"\nID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="7"\n', 'yum'),
    rhel: rpmBlueprint(
      'NAME="Red Hat Enterprise Linux Server"\nID="rhel"\nID_LIKE="fedora"\nVERSION_ID="7.9"\n',
      'yum',
    ),
    rocky: rpmBlueprint(
      'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.4"\n',
      'yum',
    ),
    almalinux: rpmBlueprint(
      'NAME="AlmaLinux"\nID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="8.4"\n',
      'yum',
    ),
  },
  answer: (machine, argv) => {
    if (isSameScript(argv, yum.rebootNeed.argv)) return rpmRebootAnswer(machine);
    const [program, ...args] = argv;
    return program === 'yum' ? rpmAnswer(machine, args, WORDS) : undefined;
  },
};
