// Hosts become agents of k3s, and are looked after through the Kubernetes API that it serves. What must hold: an agent is given only a
// token that tells it the right server; a host that runs a server of k3s was made by others, and stays as it is.

import Type from 'typebox';
import type { Right } from '../../../clients/kubernetes/access-review.ts';
import type { KubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import { openKubernetesApi } from '../../../clients/kubernetes/kubernetes-api.ts';
import { bearerToken, certificateWithKey, tlsFiles, url } from '../../option-fields.ts';
import type {
  ContainerManager,
  ContainerManagerDriver,
  ContainerManagerRecord,
} from '../container-manager.ts';
import { kubeAccess } from '../kube-access.ts';
import { kubeCheck, REMOVAL_RIGHTS } from '../kube-check.ts';
import { isControlPlane } from '../kube-control-plane.ts';
import { kubeNodes } from '../kube-nodes.ts';
import { k3sJoinTask } from './join-task.ts';
import type { K3sSettings } from './k3s-settings.ts';
import { askProblems, joinProblems, k3sSettings } from './k3s-settings.ts';
import { k3sLeaveTask } from './leave-task.ts';
import { NodePasswords } from './node-passwords.ts';

/** Beside what it takes to look after nodes. */
const MORE_RIGHTS: readonly Right[] = [
  ...REMOVAL_RIGHTS,
  { verb: 'delete', resource: 'secrets', namespace: 'kube-system' },
];

async function check(api: KubernetesApi, settings: K3sSettings) {
  const problems = [...askProblems(settings), ...joinProblems(settings)];
  if (askProblems(settings).length > 0) return { version: '', problems };
  const report = await kubeCheck(api, MORE_RIGHTS);
  return { ...report, problems: [...problems, ...report.problems] };
}

function openK3s(record: ContainerManagerRecord): ContainerManager {
  const settings = k3sSettings(record);
  const api = openKubernetesApi(kubeAccess(record, 'api_token'));
  const passwords = new NodePasswords(api, record.memory);
  const { finder, ...nodes } = kubeNodes(api, record.memory);
  return {
    ...nodes,
    check: () => check(api, settings),
    joinTask: async host => k3sJoinTask(settings, host),
    async register({ address }) {
      const node = await finder.find(address);
      if (node === undefined)
        return `${api.name} has no node with the address ${address} yet; see journalctl -u k3s-agent on the host`;
      await passwords.remember(address, node.name);
      return undefined;
    },
    async remove(address) {
      const node = await finder.findAmongAll(address);
      if (node !== undefined) await passwords.remember(address, node.name);
      await nodes.remove(address);
      // A server of k3s keeps its node, and its password with it.
      if (node === undefined || !isControlPlane(node)) await passwords.forget(address);
    },
    leaveTask: async () => k3sLeaveTask(record),
  };
}

export const k3s: ContainerManagerDriver = {
  type: 'k3s',
  summary: 'k3s; hosts join as agents',
  options: Type.Object(
    {
      server_url: url('URL of the k3s server.'),
      token: Type.Optional(
        bearerToken(
          'Join token for agents in the secure form, from `/var/lib/rancher/k3s/server/node-token` on the server.',
        ),
      ),
      api_token: Type.Optional(
        bearerToken(
          'Token of a service account for the Kubernetes API. Alternatively, use a client certificate.',
        ),
      ),
      ...tlsFiles,
      binary_url: Type.Optional(
        url(
          'URL from which a host without k3s downloads the binary. Requires `binary_sha256`. Default: k3s must be installed.',
          { mayHaveQuery: true },
        ),
      ),
      binary_sha256: Type.Optional(
        Type.String({
          pattern: '^[0-9a-f]{64}$',
          rule: 'must be 64 lowercase hexadecimal digits',
          description: 'SHA-256 of the downloaded binary. Requires `binary_url`.',
        }),
      ),
    },
    {
      additionalProperties: false,
      dependentRequired: {
        ...certificateWithKey.dependentRequired,
        binary_url: ['binary_sha256'],
        binary_sha256: ['binary_url'],
      },
    },
  ),
  identity: { server_url: undefined },
  open: openK3s,
};
