import type { MachineFake } from '../../machine.ts';
import { isSameScript, withoutEnv } from '../fake-answers.ts';
import { rpmAnswer, rpmBlueprint, rpmRebootAnswer } from '../fake-rpm.ts';
import { dnf } from './dnf.ts';

const WORDS = {
  diskFull:
    'Error: Transaction test error:\n  installing package kernel-core-5.14.0-503 needs 121MB more space on the / filesystem\n',
  unknown: (name: string) => `No match for argument: ${name}\nError: Unable to find a match: ${name}\n`,
};

export const dnfFake: MachineFake = {
  blueprints: {
    fedora: rpmBlueprint('NAME="Fedora Linux"\nID=fedora\nVERSION_ID=43\nVARIANT_ID=server\n', 'dnf', 'yum'),
    centos: rpmBlueprint(
      'NAME="CentOS Stream"\nID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="9"\n',
      'dnf',
      'yum',
    ),
    rhel: rpmBlueprint(
      'NAME="Red Hat Enterprise Linux"\nID="rhel"\nID_LIKE="fedora"\nVERSION_ID="9.5"\n',
      'dnf',
      'yum',
    ),
    rocky: rpmBlueprint(
      'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.5"\n',
      'dnf',
      'yum',
    ),
    almalinux: rpmBlueprint(
      'NAME="AlmaLinux"\nID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.5"\n',
      'dnf',
      'yum',
    ),
  },
  answer: (machine, argv) => {
    if (isSameScript(argv, dnf.rebootNeed.argv)) return rpmRebootAnswer(machine);
    const [program, ...args] = withoutEnv(argv);
    return program === 'dnf' ? rpmAnswer(machine, args, WORDS) : undefined;
  },
};
