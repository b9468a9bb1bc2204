import type { RouteName } from '#contract/index.ts';
import { api, fetchBody } from '../../api/client.ts';
import type { Labels } from '../../hosts/labels.ts';
import { updateLabels } from '../../hosts/labels.ts';

export type BulkInput =
  | { readonly kind: 'maintenance'; readonly isOn: boolean; readonly reason: string }
  | { readonly kind: 'labels'; readonly added: Labels; readonly removed: readonly string[] }
  | { readonly kind: 'join'; readonly cluster: string }
  | { readonly kind: 'leave' }
  | { readonly kind: 'bootstrap' }
  | { readonly kind: 'remove' };

export type BulkKind = BulkInput['kind'];

interface BulkAction {
  readonly kind: BulkKind;
  readonly label: string;
  readonly requires: RouteName;
  readonly isDestructive?: true;
}

export const BULK_ACTIONS: readonly BulkAction[] = [
  { kind: 'maintenance', label: 'Set maintenance', requires: 'putHostMaintenance' },
  { kind: 'labels', label: 'Edit labels', requires: 'putHostLabels' },
  { kind: 'join', label: 'Add to cluster', requires: 'addMember' },
  { kind: 'leave', label: 'Remove from cluster', requires: 'removeMember' },
  { kind: 'bootstrap', label: 'Retry bootstrap', requires: 'bootstrapHost' },
  { kind: 'remove', label: 'Remove hosts', requires: 'removeHost', isDestructive: true },
];

/** Not atomic: if another user changes the labels at the same time, the last write wins. */
async function changeLabels(address: string, added: Labels, removed: readonly string[]) {
  const labels = await fetchBody(api.getHostLabels({ address }));
  return api.putHostLabels({ address, body: updateLabels(labels, added, removed) });
}

/** Returns the request for one host. `getCluster` returns the current cluster of a host. */
export function createBulkRequest(
  input: BulkInput,
  getCluster: (address: string) => string,
): (address: string) => Promise<unknown> {
  switch (input.kind) {
    case 'maintenance': {
      const body = input.isOn ? { on: true, reason: input.reason } : { on: false };
      return address => api.putHostMaintenance({ address, body });
    }
    case 'labels':
      return address => changeLabels(address, input.added, input.removed);
    case 'join':
      return address => api.addMember({ name: input.cluster, address, body: {} });
    case 'leave':
      return async address => {
        const name = getCluster(address);
        if (name !== '') await api.removeMember({ name, address });
      };
    case 'bootstrap':
      return address => api.bootstrapHost({ address, body: {} });
    case 'remove':
      return address => api.removeHost({ address });
  }
}
