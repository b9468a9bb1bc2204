import type { ContainerManagerDriver } from '../container-manager.ts';
import { kubernetesOptions } from '../kubernetes-options.ts';

export const openshift: ContainerManagerDriver = {
  type: 'openshift',
  summary: 'OpenShift, whose own installer makes its nodes',
  options: kubernetesOptions,
};
