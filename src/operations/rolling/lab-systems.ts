// Systems of hosts that answer as they are told: each command is one word, and what it says is JSON. See `rolling-lab.ts`.

import type { Question } from '../../domain/command.ts';
import type { OsDriver } from '../../drivers/os/os-driver.ts';
import type { OsRegistry } from '../../drivers/os/os-registry.ts';

const question = <T>(name: string): Question<T> => ({
  argv: [name],
  read: ({ exitCode, stdout }) =>
    exitCode === 0 && stdout.length > 0 ? JSON.parse(Buffer.from(stdout).toString()) : undefined,
});

/** A system that is upgraded by packages. */
const packageDriver: OsDriver = {
  ...{ type: 'packages', summary: '', systems: ['toyos'], needs: [], ownPackages: [] },
  recognise: () => undefined,
  install: () => [],
  enable: () => [],
  upgrade: { stage: [['fetch'], ['check']], pending: question('pending'), apply: [['upgrade']] },
  rebootNeed: question('reboot-need'),
};

/** One that is replaced as a whole. What begins with `bad` is no version. */
const imageDriver: OsDriver = {
  ...packageDriver,
  type: 'images',
  image: {
    stage: target => (target.startsWith('bad') ? undefined : [['pull', target]]),
    isTarget: (target, { version }) => target === version,
    finalize: () => ({ commands: [['unlock']], reboots: false }),
    lock: [['lock']],
    deployments: question('deployments'),
  },
};

/** One whose last command reboots by itself. */
const selfRebootingDriver: OsDriver = {
  ...imageDriver,
  type: 'self-rebooting',
  image: {
    stage: target => [['pull', target]],
    isTarget: () => false,
    finalize: ({ checksum }) => ({ commands: [['unlock'], ['finish', checksum]], reboots: true }),
    lock: [['lock']],
    deployments: question('deployments'),
  },
};

export const labSystems: OsRegistry = {
  drivers: [packageDriver, imageDriver, selfRebootingDriver],
  systems: ['toyos'],
  facts: question('facts'),
  pulse: question('pulse'),
  readiness: question('readiness'),
};
