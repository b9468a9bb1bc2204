import type { Question } from '../../../domain/command.ts';
import { jsonOf, placeIn, wordIn } from '../json-answer.ts';
import type { Deployment, Deployments } from '../os-driver.ts';

// `finalize-deployment` asks for the digest of a container image, and else for the commit below the layered packages.
const deploymentIn = (found: unknown): Deployment => ({
  version: wordIn(found, 'version'),
  checksum:
    wordIn(found, 'container-image-reference-digest') ||
    wordIn(found, 'base-checksum') ||
    wordIn(found, 'checksum'),
  image: wordIn(found, 'container-image-reference'),
});

/** The first of the list is what the next boot brings, be it staged or written already. */
export const deployments: Question<Deployments> = {
  argv: ['rpm-ostree', 'status', '--json'],
  read: ran => {
    const list = ran.exitCode === 0 ? placeIn(jsonOf(ran), 'deployments') : undefined;
    if (!Array.isArray(list) || list.length === 0) return undefined;
    const isBooted = (found: unknown) => placeIn(found, 'booted') === true;
    const booted: unknown = list.find(isBooted);
    return {
      booted: booted === undefined ? undefined : deploymentIn(booted),
      staged: isBooted(list[0]) ? undefined : deploymentIn(list[0]),
    };
  },
};
