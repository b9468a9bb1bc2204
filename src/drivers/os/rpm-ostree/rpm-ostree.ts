// Fedora CoreOS, and other systems booted from an OSTree that bootc does not know or refuses. A deployment is staged with its
// finalization locked: a stray reboot drops it. `finalize-deployment` unlocks the one that it is told, and reboots by itself.

import type { Argv } from '../../../domain/command.ts';
import { installing } from '../install.ts';
import type { OsDriver } from '../os-driver.ts';
import { LOCK_STAGED, UNLOCK_STAGED } from '../ostree-lock.ts';
import { isFedoraCoreos, isForBootc } from '../rpm-systems.ts';
import { somethingStaged } from '../something-staged.ts';
import { enableServices } from '../systemctl.ts';
import { deployments } from './status.ts';
import { isDeployed, parseTarget } from './target.ts';

/**
 * On Fedora CoreOS Zincati has registered as the one who upgrades: deploy, rebase and upgrade refuse while its unit is active. To
 * bypass it skips that check and nothing else, so it changes nothing where nobody has registered. Only a new deployment is locked:
 * one that is there already and stays is left as it is, also unlocked.
 */
const STAGED = ['--lock-finalization', '--bypass-driver'];

// What the base has already is not requested, since that would be a deployment for nothing.
const INSTALL = `rpm -q "$@" >/dev/null 2>&1 && exit
exec rpm-ostree install --assumeyes --idempotent --allow-inactive --apply-live "$@"`;

// Who follows a reference already cannot rebase to it, but has what it points to now by an upgrade; a digest never points elsewhere.
const REBASE = `said=$(LC_ALL=C rpm-ostree rebase ${STAGED.join(' ')} "$1" 2>&1)
code=$?
printf '%s\\n' "$said"
case $said in *'Old and new refs are equal'*) ;; *) exit "$code" ;; esac
case $1 in *@sha256:*) exit 0 ;; esac
exec rpm-ostree upgrade ${STAGED.join(' ')}`;

const rebase = (reference: string): Argv => ['sh', '-c', REBASE, 'sh', reference];

export const rpmOstree: OsDriver = {
  type: 'rpm-ostree',
  summary: 'Fedora CoreOS and other OSTree systems; deployments with rpm-ostree',
  systems: ['coreos', 'atomic'],
  recognise: (id, traits) => {
    if (isFedoraCoreos(id, traits)) return 'coreos';
    return traits.isOstree && !isForBootc(id, traits) ? 'atomic' : undefined;
  },
  needs: ['rpm-ostree'],
  ownPackages: [],
  install: packages => installing(packages, ['sh', '-c', INSTALL, 'sh', ...packages]),
  enable: enableServices,
  upgrade: {
    stage: [['rpm-ostree', 'upgrade', ...STAGED]],
    pending: somethingStaged(deployments),
    apply: [UNLOCK_STAGED],
  },
  rebootNeed: somethingStaged(deployments),
  image: {
    stage: text => {
      const target = parseTarget(text);
      if (target === undefined) return undefined;
      return target.kind === 'reference'
        ? [rebase(target.value)]
        : [['rpm-ostree', 'deploy', ...STAGED, target.value]];
    },
    isTarget: (text, deployment) => {
      const target = parseTarget(text);
      return target !== undefined && isDeployed(target, deployment);
    },
    // It asks for no driver, and needs the checksum. It refuses while somebody inhibits a shutdown. `--allow-unlocked`: repeatable.
    finalize: ({ checksum }) => ({
      commands: [['rpm-ostree', 'finalize-deployment', '--allow-unlocked', checksum]],
      reboots: true,
    }),
    lock: [LOCK_STAGED],
    deployments,
  },
};
