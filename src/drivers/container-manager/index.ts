import type { ContainerManagerDriver } from './container-manager.ts';
import { k3s } from './k3s/k3s.ts';
import { kubernetes } from './kubernetes/kubernetes.ts';
import { openshift } from './openshift/openshift.ts';
import { swarm } from './swarm/swarm.ts';
import { trivial } from './trivial/trivial.ts';

export const containerManagerDrivers: readonly ContainerManagerDriver[] = [kubernetes, openshift, k3s, swarm, trivial];
