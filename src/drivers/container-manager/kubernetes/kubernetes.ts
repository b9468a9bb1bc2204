import type { ContainerManagerDriver } from '../container-manager.ts';
import { kubernetesOptions } from '../kubernetes-options.ts';

export const kubernetes: ContainerManagerDriver = {
  type: 'kubernetes',
  summary: 'Kubernetes, joined by kubeadm',
  options: kubernetesOptions,
};
