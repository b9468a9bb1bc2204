// Systems that came as a container image. bootc itself can lock what it stages only since 1.12, and not for `switch`; but below it is
// OSTree, whose lock is the same one. So between the end of bootc's command and the lock a stray reboot applies what is staged.

import type { Argv, Question } from '../../../domain/command.ts';
import { isByDigest } from '../image-reference.ts';
import { jsonOf, placeIn, wordIn } from '../json-answer.ts';
import type { Deployment, Deployments, OsDriver } from '../os-driver.ts';
import { LOCK_STAGED, UNLOCK_STAGED } from '../ostree-lock.ts';
import { isForBootc } from '../rpm-systems.ts';
import { somethingStaged } from '../something-staged.ts';
import { enableServices } from '../systemctl.ts';

const UPGRADE: Argv = ['bootc', 'upgrade'];

/** An image as a registry knows it: always with a path, with a tag or digest or without. */
const IMAGE =
  /^[A-Za-z0-9][A-Za-z0-9._-]*(?::[0-9]+)?(?:\/[A-Za-z0-9._-]+)+(?::[A-Za-z0-9._-]+)?(?:@sha256:[0-9a-f]{64})?$/;

const isImage = (target: string): boolean => target.length <= 512 && IMAGE.test(target);

// A deployment that did not come as an image has only its commit.
const deploymentIn = (found: unknown): Deployment | undefined =>
  found === null || found === undefined
    ? undefined
    : {
        version: wordIn(found, 'image', 'version'),
        checksum: wordIn(found, 'image', 'imageDigest') || wordIn(found, 'ostree', 'checksum'),
        image: wordIn(found, 'image', 'image', 'image'),
      };

const deployments: Question<Deployments> = {
  argv: ['bootc', 'status', '--format=json'],
  read: ran => {
    const status = ran.exitCode === 0 ? placeIn(jsonOf(ran), 'status') : undefined;
    const [booted, staged] = [placeIn(status, 'booted'), placeIn(status, 'staged')];
    return booted === undefined ? undefined : { booted: deploymentIn(booted), staged: deploymentIn(staged) };
  },
};

export const bootc: OsDriver = {
  type: 'bootc',
  summary: 'Systems booted from container images; deployments with bootc',
  systems: ['atomic'],
  recognise: (id, traits) => (isForBootc(id, traits) ? 'atomic' : undefined),
  needs: ['bootc'],
  ownPackages: [],
  // Layered packages would take the host out of bootc's hands: what is needed belongs into the image.
  install: packages => (packages.length === 0 ? [] : undefined),
  enable: enableServices,
  upgrade: {
    stage: [UPGRADE, LOCK_STAGED],
    pending: somethingStaged(deployments),
    apply: [UNLOCK_STAGED],
  },
  rebootNeed: somethingStaged(deployments),
  image: {
    // Who follows the image already is left as it is by `switch`, and gets what its tag points to now by the upgrade.
    stage: target =>
      isImage(target) ? [['bootc', 'switch', '--', target], UPGRADE, LOCK_STAGED] : undefined,
    isTarget: (target, deployment) => isImage(target) && isByDigest(target, deployment),
    finalize: () => ({ commands: [UNLOCK_STAGED], reboots: false }),
    lock: [LOCK_STAGED],
    deployments,
  },
};
